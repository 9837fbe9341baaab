// Starts the page: asks which models there are, and shows what the address says.

import { Algebra } from "./algebra.js";
import { ask } from "./ask.js";
import { find, showProblem } from "./elements.js";
import * as link from "./link.js";
import * as tabs from "./tabs.js";
import { Texts } from "./texts.js";

async function start() {
  let algebra, texts, tab = link.read().get("tab") === "algebra" ? "algebra" : "texts";
  const changed = () => link.write((tab === "algebra" ? algebra : texts).state());
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
  document.body.dataset.ready = "true";
}

start().catch((error) => showProblem(find("trouble"), error.message));
