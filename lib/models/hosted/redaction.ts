import type { ApiKey } from "./api_keys.ts";

/** What looks like a secret, an account or an address in a text that a server or an SDK wrote. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\bBearer\s+\S+/gi, "[key]"],
  [/\b(?:gsk|sk|pk|hf)[_-][\w-]{6,}/g, "[key]"],
  [/\borg_\w+/g, "[organisation]"],
  [/\b[a-z][a-z\d+.-]*:\/\/[^\s"'`<>]+/gi, "[address]"],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[[\da-f:]*:[\da-f:]+\](?::\d+)?/gi, "[address]"],
];

/**
 * The text without keys, whole or as anything that looks like one, without the organisation's id
 * and without addresses: fit for a message, a notebook and a file.
 */
export function withoutSecrets(text: string, keys: readonly ApiKey[]): string {
  // The longest first: of a key that begins with another the rest must not be left.
  const secrets = keys.map((key) => ({ label: key.label, secret: key.reveal() }))
    .toSorted((a, b) => b.secret.length - a.secret.length);
  const named = secrets.reduce(
    (rest, { label, secret }) => rest.replaceAll(secret, `[${label}]`),
    text,
  );
  return PATTERNS.reduce((rest, [pattern, name]) => rest.replace(pattern, name), named);
}
