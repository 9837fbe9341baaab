// Starts the page: asks which models there are, and shows what the address says.

import { Algebra } from "./algebra.js";
import { ask } from "./ask.js";
import { find, later, showProblem } from "./elements.js";
import * as link from "./link.js";
import * as tabs from "./tabs.js";
import { Texts } from "./texts.js";

async function start() {
  let algebra, texts, tab = link.read().get("tab") === "algebra" ? "algebra" : "texts";
  const changed = later(() => link.write((tab === "algebra" ? algebra : texts).state()), 250);
  const opened = (name) => {
    tab = name;
    (tab === "algebra" ? algebra : texts).refresh();
  };
  tabs.open(tab);
  const served = await ask("api/models");
  texts = new Texts(served, changed);
  algebra = new Algebra(served.limits, changed);
  tabs.start(opened);
  opened(tab);
  addEventListener("hashchange", () => location.reload()); // somebody pasted another link
  document.body.dataset.ready = "true";
}

// Its address would replace what the address carries.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  find("main").focus();
});

start().catch((error) => showProblem(find("trouble"), error.message));
