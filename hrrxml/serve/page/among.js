// The labels to choose from: typed with suggestions, shown as chips.

import { ask } from "./ask.js";
import { find, later, make, showProblem } from "./elements.js";

export class Among {
  constructor(labels, modelName, changed) {
    this.labels = labels;
    this.modelName = modelName;
    this.changed = changed;
    this.input = find("among");
    this.input.addEventListener("input", () => showProblem(find("among-problem"), null));
    this.input.addEventListener("input", later(() => this.suggest(), 80));
    this.input.addEventListener("keydown", (event) => { if (event.key === "Enter") this.add(); });
    this.input.addEventListener("change", () => this.add());
    this.draw();
  }

  async suggest() {
    const typed = this.input.value.trim();
    try {
      const { labels } = await this.containing(typed);
      find("known").replaceChildren(...labels.map((value) => make("option", { value })));
    } catch {
      find("known").replaceChildren(); // Enter says what is wrong
    }
  }

  containing(typed) {
    return ask(`api/labels?${new URLSearchParams({ model: this.modelName(), contains: typed, n: 20 })}`);
  }

  async add() {
    const typed = this.input.value.trim();
    if (typed === "") return;
    try {
      const { labels } = await this.containing(typed);
      const label = labels.find((name) => name === typed)
        ?? labels.find((name) => name.toLowerCase() === typed.toLowerCase());
      if (label === undefined) {
        const cure = labels.length ? `Did you mean ${labels.slice(0, 3).join(" or ")}?` : "Type a part of its name.";
        throw new Error(`${this.modelName()} has no label “${typed}”. ${cure}`);
      }
      if (!this.labels.includes(label)) this.labels.push(label);
      if (this.input.value.trim() === typed) this.input.value = ""; // or it has the next label
      showProblem(find("among-problem"), null);
      this.draw();
      this.changed();
    } catch (error) {
      showProblem(find("among-problem"), error.message);
    }
  }

  draw() {
    find("chosen").replaceChildren(...this.labels.map((label) => {
      const button = make("button", { type: "button", "aria-label": `Remove ${label}` }, label, make("small", {}, "×"));
      button.addEventListener("click", () => {
        this.labels.splice(this.labels.indexOf(label), 1);
        this.draw();
        this.input.focus();
        this.changed();
      });
      return make("li", {}, button);
    }));
  }
}
