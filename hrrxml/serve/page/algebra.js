// The second tab: statements about symbols, and what one vector answers to a question.

import { ask, latest } from "./ask.js";
import { find, later, make, rounded, showProblem } from "./elements.js";
import * as link from "./link.js";

const EXAMPLES = {
  "A dog": {
    statement: "l * legs + t * tail + h * (e * eyes + n * nose + m * mouth)",
    questions: ["l", "h e", "e"],
  },
  "Jane and Joe": {
    statement: "first * (name * Jane + age * 30) + second * (name * Joe + age * 33)",
    questions: ["first name", "second age", "name"],
  },
  "Red cat, blue dog": {
    statement: "red * cat + blue * dog",
    questions: ["red", "blue", "cat"],
  },
};
const WAYS = {
  "projected": ["Projection", "Every Fourier coefficient has length 1. So the pseudo-inverse is exact."],
  "naive, pseudo-inverse": ["Pseudo-inverse", "Vectors as drawn. The inverse only reorders their numbers."],
  "naive, exact inverse": ["Exact inverse", "Vectors as drawn. The inverse divides by coefficients, and some are small."],
};
const LOWEST = -0.75, HIGHEST = 1.75; // of the drawings

export class Algebra {
  constructor(limits, changed) {
    const given = link.read();
    this.changed = changed;
    find("dimension").max = Math.log2(limits.dimensions);
    find("more").max = limits.more_pairs;
    find("statement").value = given.get("statement") ?? EXAMPLES["A dog"].statement;
    find("question").value = given.get("ask") ?? (given.get("statement") === null ? "h e" : "");
    find("dimension").value = Math.log2(given.get("d") ?? 256);
    find("more").value = given.get("more") ?? 0;
    this.refresh = latest((signal) => this.answer(signal), (problem) => this.say(problem));
    const soon = later(() => this.refresh(), 30);
    for (const id of ["statement", "question", "dimension", "more"]) find(id).addEventListener("input", soon);
    find("examples").append(...Object.entries(EXAMPLES).map(([name, example]) =>
      chip(name, () => this.set(example.statement, example.questions[0]))));
  }

  set(statement, question) {
    find("statement").value = statement;
    find("question").value = question;
    this.refresh();
  }

  state() {
    return {
      tab: "algebra", statement: find("statement").value, ask: find("question").value,
      d: 2 ** Number(find("dimension").value), more: Number(find("more").value),
    };
  }

  async answer(signal) {
    const { statement, ask: question, d, more } = this.state();
    find("dimension-shown").value = d;
    find("more-shown").value = more;
    this.showExample(statement, question);
    this.changed();
    const answers = await ask("api/algebra", { statement, ask: question, d, more }, signal);
    this.showFormula(answers.statement, question, more);
    find("draws").textContent = answers.draws;
    find("ways").replaceChildren(...answers.ways.map((way) => card(way, answers.yes)));
  }

  say(problem) {
    showProblem(find("algebra-problem"), problem);
    find("ways").classList.toggle("stale", problem !== null);
  }

  showExample(statement, question) {
    const example = Object.values(EXAMPLES).find((one) => one.statement === statement);
    for (const button of find("examples").querySelectorAll("button")) {
      button.setAttribute("aria-pressed", EXAMPLES[button.textContent] === example);
    }
    const asked = example?.questions ?? [];
    const buttons = [...find("questions").querySelectorAll("button")];
    if (buttons.map((button) => button.textContent).join() !== asked.join()) {
      find("questions").replaceChildren(...asked.map((one) => chip(one, () => this.set(statement, one))));
    }
    for (const button of find("questions").querySelectorAll("button")) {
      button.setAttribute("aria-pressed", button.textContent === question);
    }
  }

  showFormula(statement, question, more) {
    const pairs = more === 0 ? "" : more === 1 ? " + 1 more pair" : ` + ${more} more pairs`;
    const keys = question.split(/[^\p{L}\p{N}_]+/u).filter(Boolean);
    const asked = keys.length ? `Asked: ${[...keys].reverse().map((key) => `${key}⁻¹`).join(" ⊗ ")} ⊗ S` : "Asked: S itself";
    find("understood").replaceChildren(make("strong", {}, "S"), ` = ${statement}${pairs}`, make("br"), asked);
  }
}

function chip(text, pressed) {
  const button = make("button", { type: "button", "aria-pressed": false }, text);
  button.addEventListener("click", pressed);
  return make("li", {}, button);
}

function card({ name, right, responses }, yes) {
  const [title, note] = WAYS[name] ?? [name, ""];
  const share = `${Math.round(100 * right)} %`;
  const verdict = make("p", { className: "verdict" }, make("strong", {}, share),
    " of draws are right about every symbol");
  const scale = make("div", { className: "scale", "aria-hidden": true },
    make("div", {}, ...["0", "0.5", "1"].map((text) => make("span", {}, text))));
  const rows = make("ul", { className: "responses" }, ...responses.map((response) => row(response, yes)));
  const element = make("article", { className: "card", "aria-label": title },
    make("h2", {}, title), verdict, make("p", { className: "note" }, note), rows, scale);
  element.dataset.way = name;
  return element;
}

function row({ symbol, low, middle, high, is_right: isRight }, yes) {
  const kind = (middle > yes) === isRight ? "" : " wrong";
  const range = make("span", { className: "range" });
  const dot = make("span", { className: "middle" });
  range.style.left = at(low);
  range.style.width = `calc(${at(high)} - ${at(low)})`;
  dot.style.left = at(middle);
  const spread = `four fifths of the draws: ${rounded(low)} to ${rounded(high)}`;
  return make("li", { className: `response${isRight ? " right" : ""}${kind}`, title: spread },
    make("span", { className: "name", title: symbol }, isRight ? `✓ ${symbol}` : symbol),
    make("span", { className: "plot", "aria-hidden": true }, range, dot),
    make("span", { className: "number" }, rounded(middle)));
}

function at(value) {
  const share = (Math.min(HIGHEST, Math.max(LOWEST, value)) - LOWEST) / (HIGHEST - LOWEST);
  return `${(100 * share).toFixed(2)}%`;
}
