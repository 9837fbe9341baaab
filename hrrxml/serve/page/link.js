// The address carries what the page shows, after the `#`: a browser never sends that to a server.

export function read() {
  const values = new URLSearchParams(location.hash.slice(1));
  return { get: (name) => values.get(name), all: (name) => values.getAll(name) };
}

// Every value of `state` as a parameter; lists have one for each entry, and empty ones have none.
export function write(state) {
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    for (const one of [value].flat()) if (one !== null && one !== "") values.append(name, one);
  }
  history.replaceState(null, "", `#${values}`);
}
