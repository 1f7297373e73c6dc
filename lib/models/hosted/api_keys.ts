import { parseEnvFile } from "../../files/env_file.ts";
import { shownPath } from "../../files/shown_path.ts";
import {
  GROQ_NAME,
  numberOf,
  rejectNearNames,
  requireDistinct,
  requireNoGap,
  requireUsable,
} from "./api_key_checks.ts";

/** A key of a host. Whatever prints it prints its label. */
export interface ApiKey {
  /** The variable it came from, `GROQ_API_KEY_2`: may be shown. */
  readonly label: string;
  /** The secret itself, for the SDK and for nothing else. */
  reveal(): string;
}

class HiddenKey implements ApiKey {
  readonly #secret: string;

  constructor(readonly label: string, secret: string) {
    this.#secret = secret;
  }

  reveal(): string {
    return this.#secret;
  }

  toString(): string {
    return this.label;
  }

  toJSON(): string {
    return this.label;
  }
}

/** The label of what stands in a key's place for a server that asks for none. */
export const KEYLESS = "no key";

/** A key whose secret no printing shows. */
export function apiKey(label: string, secret: string): ApiKey {
  return new HiddenKey(label, secret);
}

/**
 * The keys GROQ_API_KEY_1, _2, … of a `.env` file, in the order of their numbers.
 *
 * @param file Named in errors. No error holds a value.
 * @throws {SyntaxError} naming file and line to add or to mend: no key, a gap in the numbers, a
 * name or a value that stands twice, a name nearly right, an empty value, a placeholder, spaces or
 * quotes inside a value.
 */
export function parseGroqKeys(envText: string, file: string): readonly ApiKey[] {
  rejectNearNames(envText, file);
  const entries = parseEnvFile(envText, file)
    .filter(({ name }) => GROQ_NAME.test(name))
    .toSorted((a, b) => numberOf(a) - numberOf(b));
  if (entries.length === 0) {
    throw new SyntaxError(
      `Cannot read ${file}: it has no Groq key; add a line GROQ_API_KEY_1=… with your key`,
    );
  }
  for (const entry of entries) requireUsable(entry, file);
  requireNoGap(entries, file);
  requireDistinct(entries, file);
  return entries.map(({ name, value }) => apiKey(name, value));
}

/**
 * As {@link parseGroqKeys}, from a file.
 * @throws {Deno.errors.NotFound} where it is missing, saying how to make it.
 */
export function readGroqKeys(path: string): readonly ApiKey[] {
  return parseGroqKeys(readEnvText(path, "GROQ_API_KEY_1"), shownPath(path));
}

/**
 * The key of an OpenAI-compatible server by its panel entry's `keyName`.
 *
 * @throws {Deno.errors.NotFound} where the file is missing.
 * @throws {SyntaxError} where the variable is, or its value is none; naming file and line.
 */
export function readServerKey(path: string, name: string): ApiKey {
  const file = shownPath(path);
  const entry = parseEnvFile(readEnvText(path, name), file).find((entry) => entry.name === name);
  if (entry === undefined) {
    throw new SyntaxError(`Cannot read ${file}: it has no ${name}; add a line ${name}=…`);
  }
  requireUsable(entry, file);
  return apiKey(name, entry.value);
}

function readEnvText(path: string, name: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new Deno.errors.NotFound(
      `Cannot read keys: ${
        shownPath(path)
      } is missing; run \`cp .env.example .env\` and write your key ` +
        `on the line ${name}=…`,
      { cause },
    );
  }
}
