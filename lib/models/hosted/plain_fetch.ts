import type { ApiKey } from "./api_keys.ts";

/**
 * `fetch` for an SDK, with headers of our own alone. The SDKs add what the variables
 * GROQ_CUSTOM_HEADERS and OPENAI_CUSTOM_HEADERS say, another Authorization too: a run would go out
 * under a key that nobody put in `.env`.
 */
export function plainFetch(key: ApiKey): typeof fetch {
  return (input, init) => {
    const headers = new Headers({
      accept: "application/json, */*;q=0.5",
      authorization: `Bearer ${key.reveal()}`,
    });
    // A form brings its own content type, with the boundary of its parts.
    if (typeof init?.body === "string") headers.set("content-type", "application/json");
    return fetch(input, { ...init, headers });
  };
}
