// A file of texts goes up; a file with the labels of each comes down.

import { send } from "./ask.js";
import { find, make, showProblem } from "./elements.js";

export function start(models, limits, among) {
  find("upload-model").append(...models.map(({ name }) => make("option", {}, name)));
  find("upload").addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = find("upload").querySelector("button");
    const said = find("upload-done");
    button.disabled = true;
    said.textContent = "Predicting …";
    showProblem(find("upload-problem"), null);
    try {
      said.replaceChildren(await predict(find("file").files[0], limits, among()));
    } catch (error) {
      said.replaceChildren();
      showProblem(find("upload-problem"), error.message);
    }
    button.disabled = false;
  });
}

async function predict(file, limits, among) {
  if (file === undefined) throw new Error("Choose a file first.");
  if (file.size > limits.file) {
    throw new Error(`${file.name} has over ${limits.file / 1e6} MB. Give it in parts.`);
  }
  const format = find("format").value;
  const query = new URLSearchParams({ model: find("upload-model").value, format });
  for (const label of among) query.append("among", label);
  const headers = { "Content-Type": "text/plain" };
  const response = await send(`api/file?${query}`, { method: "POST", body: file, headers });
  const name = `${file.name.replace(/\.[^.]*$/, "")}-labels.${format}`;
  return link(name, await whole(response));
}

async function whole(response) {
  try {
    return await response.blob();
  } catch {
    throw new Error("The answer broke off. Try again.");
  }
}

function link(name, blob) {
  const made = make("a", { download: name, href: URL.createObjectURL(blob) }, `Download ${name}`);
  made.id = "download";
  return made;
}
