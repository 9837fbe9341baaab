// Requests to the server. Every failure is an Error whose message a person can act on.

export async function ask(path, body, signal) {
  const options = body === undefined ? { signal } : {
    signal, method: "POST", body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
  };
  return (await send(path, options)).json();
}

export async function send(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not answer. Is it still running?");
  }
  if (!response.ok) throw new Error(await explain(response));
  return response;
}

async function explain(response) {
  try {
    return (await response.json()).error;
  } catch {
    return `The server answered ${response.status} ${response.statusText}. Try again.`;
  }
}

// A function that calls `work(signal, …)` and gives up the call before. `show` gets its problem,
// or null as soon as it succeeds.
export function latest(work, show) {
  let running = null;
  return async (...values) => {
    running?.abort();
    const mine = running = new AbortController();
    try {
      await work(mine.signal, ...values);
      if (!mine.signal.aborted) show(null);
    } catch (error) {
      if (!mine.signal.aborted) show(error.message);
    }
  };
}
