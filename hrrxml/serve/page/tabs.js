// The two tabs: arrow keys move between them, as in every list of tabs.

import { find } from "./elements.js";

const NAMES = ["texts", "algebra"];

export function open(name) {
  for (const other of NAMES) {
    const tab = find(`tab-${other}`);
    tab.setAttribute("aria-selected", other === name);
    tab.tabIndex = other === name ? 0 : -1;
    find(other).hidden = other !== name;
  }
}

export function start(opened) {
  const show = (name) => { open(name); opened(name); };
  for (const name of NAMES) {
    const tab = find(`tab-${name}`);
    tab.addEventListener("click", () => show(name));
    tab.addEventListener("keydown", (event) => {
      if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
      const other = NAMES[1 - NAMES.indexOf(name)];
      show(other);
      find(`tab-${other}`).focus();
    });
  }
}
