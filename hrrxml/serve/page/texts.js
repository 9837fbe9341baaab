// The first tab: a text, and what each chosen model says about it.

import { Among } from "./among.js";
import { Card } from "./card.js";
import { find, later, make, showProblem } from "./elements.js";
import * as link from "./link.js";
import * as upload from "./upload.js";

const SIDE_BY_SIDE = 2; // models that are chosen at first

export class Texts {
  constructor({ models, limits }, changed) {
    const given = link.read();
    const names = models.map(({ name }) => name);
    const wanted = given.all("model").filter((name) => names.includes(name));
    this.changed = changed;
    this.tellMissing(given.all("model").filter((name) => !names.includes(name)), names);
    this.limits = limits;
    this.label = given.get("label");
    this.chosen = wanted.length ? wanted : names.slice(0, SIDE_BY_SIDE);
    this.cards = models.map((facts) => new Card(facts, limits, (label) => this.select(label)));
    this.among = new Among(given.all("among"), () => this.chosen[0], () => this.refresh());
    find("text").value = given.get("text") ?? "";
    find("text").addEventListener("input", later(() => this.refresh(), 60));
    find("text").addEventListener("paste", (event) => this.paste(event));
    find("k").addEventListener("change", () => this.refresh());
    find("copy").addEventListener("click", () => this.copy());
    this.buildChoice(names);
    upload.start(models, limits, () => this.among.labels);
    this.speak = later(() => this.summarise(), 1200);
    this.place();
  }

  // A text of megabytes would keep the browser busy for long, only to be refused.
  paste(event) {
    const length = event.clipboardData.getData("text/plain").length;
    if (length <= 2 * this.limits.text) return;
    event.preventDefault();
    showProblem(find("text-problem"),
      `Not pasted: ${length.toLocaleString("en")} characters are too many; take a part.`);
  }

  // A link may name models of another server, or of another day.
  tellMissing(missing, names) {
    if (missing.length === 0) return;
    const wanted = missing.map((name) => `“${name}”`).join(" and ");
    showProblem(find("trouble"),
      `This server has no model ${wanted}, which the link names. It has ${names.join(", ")}.`);
  }

  buildChoice(names) {
    find("choice").hidden = names.length < 2;
    find("choice").querySelector(".choices").append(...names.map((name) => {
      const box = make("input", { type: "checkbox", value: name, checked: this.chosen.includes(name) });
      box.addEventListener("change", () => this.choose(box));
      return make("label", {}, box, name);
    }));
  }

  choose(box) {
    const boxes = [...find("choice").querySelectorAll("input")];
    showProblem(find("trouble"), null);
    if (!boxes.some(({ checked }) => checked)) box.checked = true; // one has to answer
    this.chosen = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    this.place();
    this.refresh();
  }

  place() {
    find("cards").replaceChildren(...this.shown().map(({ element }) => element));
  }

  shown() {
    return this.cards.filter(({ facts }) => this.chosen.includes(facts.name));
  }

  // Ask every model about one label; about its own best one if the label was chosen before.
  select(label) {
    this.label = this.label === label ? null : label;
    this.refresh();
  }

  state() {
    return { text: find("text").value, model: this.chosen, among: this.among.labels, label: this.label };
  }

  count(length) {
    const characters = length === 1 ? "character" : "characters";
    find("text-note").textContent = length === 0 ? "Models answer as you type."
      : `${length.toLocaleString("en")} ${characters}`;
  }

  async refresh() {
    const text = find("text").value;
    const isTooLong = text.length > this.limits.text;
    this.count(text.length);
    showProblem(find("text-problem"), isTooLong
      ? `Over ${this.limits.text.toLocaleString("en")} characters; shorten the text.` : null);
    if (isTooLong) return this.cards.forEach((card) => card.refresh({ text: "" }));
    const question = { text, k: Number(find("k").value), among: this.among.labels, label: this.label };
    this.changed();
    await Promise.all(this.shown().map((card) => card.refresh(question)));
    this.speak();
  }

  // For screen readers, which need not hear what changes with every letter.
  summarise() {
    find("spoken").textContent = this.shown().filter(({ guesses }) => guesses.length).map((card) =>
      `${card.facts.name}: ${card.guesses.slice(0, 3).map(({ label, value }) => `${label} ${card.shown(value)}`).join(", ")}.`
    ).join(" ");
  }

  async copy() {
    link.write(this.state());
    try {
      await navigator.clipboard.writeText(location.href);
      find("copy").textContent = "Copied";
    } catch {
      find("copy").textContent = "Copy the address above";
    }
    setTimeout(() => { find("copy").textContent = "Copy link"; }, 2000);
  }
}
