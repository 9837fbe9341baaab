// What one model says about the text: its labels, the words that spoke for one, and labels like it.

import { ask, latest } from "./ask.js";
import { later, make, showProblem, signed } from "./elements.js";

const STRONGEST = 6; // words that are listed with their numbers

export class Card {
  constructor(facts, limits, select) {
    this.facts = facts;
    this.limits = limits;
    this.select = select;
    this.guesses = [];
    this.likes = new Map();
    this.build();
    this.refresh = latest((signal, state) => this.answer(signal, state), (problem) => {
      showProblem(this.problem, problem);
      if (problem !== null) this.clear();
    });
    this.findLikes = later((label) => this.showLikes(label), 400);
  }

  build() {
    const { name, kind, labels, words, precision } = this.facts;
    const facts = [kind, `${labels.toLocaleString("en")} labels`, `${words.toLocaleString("en")} words`];
    if (precision !== null) facts.push(`P@1 ${precision.toFixed(1)}`);
    this.problem = make("p", { className: "problem", role: "alert", hidden: true });
    this.empty = make("p", { className: "empty" }, "Its labels for your text will be here.");
    this.list = make("ol", { className: "guesses", "aria-label": `Labels by ${name}` });
    this.why = make("div");
    this.like = make("div");
    const title = make("h2", {}, name);
    const about = make("p", { className: "note facts" }, facts.join(" · "));
    this.element = make("article", { className: "card", "aria-label": name },
      title, about, this.problem, this.empty, this.list, this.why, this.like);
    this.element.dataset.model = name;
  }

  clear() {
    this.guesses = [];
    this.list.replaceChildren();
    this.why.replaceChildren();
    this.like.replaceChildren();
    this.empty.hidden = !this.problem.hidden;
  }

  async answer(signal, { text, k, among, label }) {
    if (text.trim() === "") {
      this.problem.hidden = true;
      return this.clear();
    }
    const model = this.facts.name;
    const { guesses } = await ask("api/predict", { model, text, k, among }, signal);
    this.guesses = guesses;
    const chosen = label ?? guesses[0]?.label;
    this.draw(chosen);
    if (chosen === undefined) return;
    this.findLikes(chosen);
    if (text.length > this.limits.explained) {
      return this.note(`A text of over ${this.limits.explained.toLocaleString("en")} characters is not explained.`);
    }
    const { parts } = await ask("api/explain", { model, text, label: chosen }, signal);
    this.explain(chosen, parts);
  }

  // The rows are reused, so that the one that has the focus keeps it.
  draw(chosen) {
    this.empty.hidden = true;
    while (this.list.children.length > this.guesses.length) this.list.lastChild.remove();
    while (this.list.children.length < this.guesses.length) this.list.append(this.row());
    this.guesses.forEach(({ label, value, bar }, place) => {
      const button = this.list.children[place].firstChild;
      button.style.setProperty("--bar-length", bar);
      button.setAttribute("aria-pressed", label === chosen);
      button.firstChild.textContent = label;
      button.lastChild.textContent = this.shown(value);
    });
  }

  row() {
    const button = make("button", { type: "button", className: "guess" },
      make("span"), make("span", { className: "value" }));
    button.addEventListener("click", () => this.select(button.firstChild.textContent));
    return make("li", {}, button);
  }

  shown(value) {
    if (this.facts.numbers === "scores") return value.toFixed(2);
    const percent = 100 * value;
    return `${percent < 0.1 ? "< 0.1" : percent.toFixed(percent < 9.95 ? 1 : 0)} %`;
  }

  note(message) {
    this.why.replaceChildren(make("p", { className: "note" }, message));
  }

  explain(label, parts) {
    const words = parts.filter((part) => part.effect !== null);
    if (words.length === 0) return this.note("The model knows none of these words.");
    const most = Math.max(...words.map((part) => Math.abs(part.effect)), 1e-9);
    const reading = make("p", { className: "reading" }, ...parts.map((part) => piece(part, most)));
    const effects = new Map(words.map((part) => [part.text.toLowerCase(), part.effect]));
    const strongest = [...effects].sort((a, b) => Math.abs(b[1]) - Math.abs(a[1])).slice(0, STRONGEST);
    const list = make("ul", { className: "chips words", "aria-label": "Strongest words" },
      ...strongest.map(([word, effect]) =>
        make("li", {}, make("span", {}, word, make("small", {}, signed(effect))))));
    this.why.replaceChildren(make("h3", {}, `Words that spoke for “${label}”`), reading, list);
  }

  async showLikes(label) {
    if (!this.element.isConnected || this.guesses.length === 0) return;
    try {
      if (!this.likes.has(label)) {
        const { neighbours } = await ask("api/neighbours", { model: this.facts.name, label, n: 6 });
        this.likes.set(label, neighbours);
      }
    } catch {
      return this.like.replaceChildren(); // the answer itself says what is wrong
    }
    const chips = this.likes.get(label).map(({ label: other, likeness }) => {
      const button = make("button", { type: "button" }, other, make("small", {}, signed(likeness)));
      button.addEventListener("click", () => this.select(other));
      return make("li", {}, button);
    });
    this.like.replaceChildren(make("h3", {}, `Labels like “${label}”`),
      make("ul", { className: "chips" }, ...chips));
  }
}

function piece({ text, is_word: isWord, effect }, most) {
  if (!isWord) return text;
  if (effect === null) return make("span", { className: "unknown", title: "not in the vocabulary" }, text);
  const mark = make("mark", { className: effect < 0 ? "against" : "for", title: signed(effect) }, text);
  mark.style.setProperty("--weight", (Math.abs(effect) / most).toFixed(3));
  return mark;
}
