import { type EnvEntry, parseEnvFile } from "../../files/env_file.ts";

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

/** A key whose secret no printing shows. */
export function apiKey(label: string, secret: string): ApiKey {
  return new HiddenKey(label, secret);
}

const GROQ_NAME = /^GROQ_API_KEY_([1-9]\d*)$/;
/** What was meant to be a Groq key's name, however it is spelled, and what follows it. */
const NEARLY_GROQ_NAME =
  /^\s*(?:export\s+)?(GROQ[\s_-]*API[\s_-]*KEYS?(?:[\s_-]*\d+)?)(?!\w)(.*)$/i;

/** What `.env.example` has in a key's place. */
const PLACEHOLDER = /^(?:your|put|paste|insert|replace)[-_]|^(?:gsk_)?(?:\.{3}|x{3,}|<.*>)$/i;

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

const numberOf = ({ name }: EnvEntry) => Number(GROQ_NAME.exec(name)?.[1]);

/** dotenv would pass over such a line in silence. */
function rejectNearNames(envText: string, file: string): void {
  for (const [index, content] of envText.split(/\r\n?|\n/).entries()) {
    const [, name, rest = ""] = NEARLY_GROQ_NAME.exec(content) ?? [];
    if (name === undefined) continue;
    const where = `Cannot read ${file}, line ${index + 1}: ${name}`;
    if (!GROQ_NAME.test(name)) {
      throw new SyntaxError(
        `${where} is no key's name; write GROQ_API_KEY_1=…, numbered from 1 on, without spaces`,
      );
    }
    if (!/^(?:\s*=|:\s)/.test(rest)) {
      throw new SyntaxError(`${where} has no = behind it; write ${name}=…`);
    }
  }
}

function requireUsable({ name, value, line }: EnvEntry, file: string): void {
  const problem = value === ""
    ? "has no value; put your key after ="
    : PLACEHOLDER.test(value)
    ? "still has the placeholder of .env.example; put your key in its place, or remove the line"
    : /["'`‘’“”]/.test(value)
    ? "has a quotation mark in its value; write the key without quotation marks"
    : /\s/.test(value)
    ? "has a space in its value; write the key without spaces"
    : /[^\x21-\x7e]/.test(value)
    ? "has a character in its value that no key has; copy the key anew"
    : undefined;
  if (problem === undefined) return;
  throw new SyntaxError(`Cannot read ${file}, line ${line}: ${name} ${problem}`);
}

function requireNoGap(entries: readonly EnvEntry[], file: string): void {
  const gap = entries.findIndex((entry, index) => numberOf(entry) !== index + 1);
  const after = entries[gap];
  if (after === undefined) return;
  throw new SyntaxError(
    `Cannot read ${file}, line ${after.line}: ${after.name} stands there without ` +
      `GROQ_API_KEY_${gap + 1}; add a line GROQ_API_KEY_${gap + 1}=…, or number the keys from 1 on`,
  );
}

function requireDistinct(entries: readonly EnvEntry[], file: string): void {
  for (const [index, { name, value, line }] of entries.entries()) {
    const first = entries.slice(0, index).find((entry) => entry.value === value);
    if (first === undefined) continue;
    throw new SyntaxError(
      `Cannot read ${file}, line ${line}: ${name} is the same key as ${first.name} on line ` +
        `${first.line}; remove one of the two lines`,
    );
  }
}

/**
 * As {@link parseGroqKeys}, from a file.
 * @throws {Deno.errors.NotFound} where it is missing, saying how to make it.
 */
export function readGroqKeys(path: string): readonly ApiKey[] {
  return parseGroqKeys(readEnvText(path, "GROQ_API_KEY_1"), path);
}

/**
 * The key of an OpenAI-compatible server by its panel entry's `keyName`.
 *
 * @throws {Deno.errors.NotFound} where the file is missing.
 * @throws {SyntaxError} where the variable is, or its value is none; naming file and line.
 */
export function readServerKey(path: string, name: string): ApiKey {
  const entry = parseEnvFile(readEnvText(path, name), path).find((entry) => entry.name === name);
  if (entry === undefined) {
    throw new SyntaxError(`Cannot read ${path}: it has no ${name}; add a line ${name}=…`);
  }
  requireUsable(entry, path);
  return apiKey(name, entry.value);
}

function readEnvText(path: string, name: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new Deno.errors.NotFound(
      `Cannot read keys: ${path} is missing; run \`cp .env.example .env\` and write your key ` +
        `on the line ${name}=…`,
      { cause },
    );
  }
}
