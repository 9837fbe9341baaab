// Elements of the page. Texts become text nodes: no markup is ever made of them.

export const find = (id) => document.getElementById(id);

export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

export function showProblem(element, message) {
  element.hidden = message === null;
  if (element.textContent !== (message ?? "")) element.textContent = message ?? "";
}

// With the minus sign of print, which is as wide as a plus.
export function rounded(value) {
  const text = Math.abs(value).toFixed(2);
  return value < 0 && Number(text) > 0 ? `−${text}` : text;
}

export const signed = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(2);

// `work` after no call for a while.
export function later(work, milliseconds) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), milliseconds);
  };
}
