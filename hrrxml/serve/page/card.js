// What one model says about the text: its labels, the words that spoke for one, and labels like it.

import { ask, latest } from "./ask.js";
import { later, make, rounded, showProblem, signed } from "./elements.js";

const STRONGEST = 6; // words that are listed with their numbers
const BEST_AGAIN = "Explain the best label again";

export class Card {
  constructor(facts, limits, select) {
    this.facts = facts;
    this.limits = limits;
    this.select = select;
    this.guesses = [];
    this.asked = undefined; // the label that the answers are about
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
    this.reason = make("h3");
    this.release = make("button", {
      type: "button", className: "quiet", title: BEST_AGAIN, "aria-label": BEST_AGAIN,
    }, "×");
    this.release.addEventListener("click", () => this.choose(null));
    this.why = make("div");
    this.spoke = make("div", { hidden: true },
      make("div", { className: "title" }, this.reason, this.release), this.why);
    this.like = make("div");
    this.title = make("h2", { tabIndex: -1 }, name); // it takes the focus from what is removed
    const about = make("p", { className: "note facts" }, facts.join(" · "));
    this.element = make("article", { className: "card", "aria-label": name },
      this.title, about, this.problem, this.empty, this.list, this.spoke, this.like);
    this.element.dataset.model = name;
  }

  clear() {
    this.guesses = [];
    this.asked = undefined;
    this.list.replaceChildren();
    this.spoke.hidden = true;
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
    this.asked = label ?? guesses[0]?.label;
    this.draw(this.asked);
    if (this.asked === undefined) return;
    this.findLikes(this.asked);
    const reading = await this.explained(text, this.asked, signal);
    this.reason.textContent = `Words that spoke for “${this.asked}”`;
    this.release.hidden = label === null;
    this.why.replaceChildren(...reading);
    this.spoke.hidden = false;
  }

  // The words that spoke for a label, or a note. Another model's label may be none of this one's.
  async explained(text, label, signal) {
    const most = this.limits.explained;
    if (text.length > most) {
      return note(`A text of over ${most.toLocaleString("en")} characters is not explained.`);
    }
    try {
      const { parts } = await ask("api/explain", { model: this.facts.name, text, label }, signal);
      return explanation(parts);
    } catch (error) {
      if (signal.aborted) throw error;
      return note(error.message);
    }
  }

  // The pressed button will be gone when the answer comes.
  choose(label) {
    this.title.focus();
    this.select(label);
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
    if (this.facts.numbers === "scores") return rounded(value);
    const percent = 100 * value;
    return `${percent < 0.1 ? "< 0.1" : percent.toFixed(percent < 9.95 ? 1 : 0)} %`;
  }

  async showLikes(label) {
    if (!this.element.isConnected || this.guesses.length === 0) return;
    const found = await this.likesOf(label);
    if (label !== this.asked) return; // another one was chosen since
    const chips = found.map(({ label: other, likeness }) => {
      const button = make("button", { type: "button" }, other, make("small", {}, signed(likeness)));
      button.addEventListener("click", () => this.choose(other));
      return make("li", {}, button);
    });
    this.like.replaceChildren();
    if (chips.length === 0) return;
    this.like.append(make("h3", {}, `Labels like “${label}”`),
      make("ul", { className: "chips" }, ...chips));
  }

  async likesOf(label) {
    try {
      if (!this.likes.has(label)) {
        const { neighbours } = await ask("api/neighbours", { model: this.facts.name, label, n: 6 });
        this.likes.set(label, neighbours);
      }
      return this.likes.get(label);
    } catch {
      return []; // the answer itself says what is wrong
    }
  }
}

const note = (message) => [make("p", { className: "note" }, message)];

function explanation(parts) {
  const words = parts.filter((part) => part.effect !== null);
  if (words.length === 0) return note("The model knows none of these words.");
  const most = Math.max(...words.map((part) => Math.abs(part.effect)), 1e-9);
  const reading = make("p", { className: "reading" }, ...parts.map((part) => piece(part, most)));
  const effects = new Map(words.map((part) => [part.text.toLowerCase(), part.effect]));
  const strongest = [...effects].sort((a, b) => Math.abs(b[1]) - Math.abs(a[1])).slice(0, STRONGEST);
  const list = make("ul", { className: "chips words", "aria-label": "Strongest words" },
    ...strongest.map(([word, effect]) =>
      make("li", {}, make("span", {}, word, make("small", {}, signed(effect))))));
  return [reading, list];
}

function piece({ text, is_word: isWord, effect }, most) {
  if (!isWord) return text;
  if (effect === null) return make("span", { className: "unknown", title: "not in the vocabulary" }, text);
  const mark = make("mark", { className: effect < 0 ? "against" : "for", title: signed(effect) }, text);
  mark.style.setProperty("--weight", (Math.abs(effect) / most).toFixed(3));
  return mark;
}
