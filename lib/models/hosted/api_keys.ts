import { parse } from "dotenv";
import { shownPath } from "../../files/atomic.ts";

/** A variable of a `.env` file, without quotes and comment, with its line number from 1. */
interface EnvEntry {
  readonly name: string;
  readonly value: string;
  readonly line: number;
}

const NAME_AT_START = /^\s*(?:export\s+)?([\w.-]+)(?:\s*=|:\s)/;

/**
 * Parses the variables of a `.env` file. @throws {SyntaxError} for a duplicate name, without
 * showing values.
 */
export function parseEnvFile(text: string, file: string): readonly EnvEntry[] {
  const whole = text.replace(/^\uFEFF/, "");
  const values = parse(whole);
  const entries = new Map<string, EnvEntry>();
  for (const [index, content] of linesOf(whole).entries()) {
    const name = NAME_AT_START.exec(content)?.[1] ?? "";
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) continue;
    const [line, before] = [index + 1, entries.get(name)];
    if (before) {
      throw new SyntaxError(
        `Cannot read ${file}: ${name} occurs twice, on lines ${before.line} and ${line}; ` +
          "remove one, or give it the next number",
      );
    }
    entries.set(name, { name, value, line });
  }
  return [...entries.values()];
}

const linesOf = (text: string) => text.split(/\r\n?|\n/);

/** An API key, which is printed as its label. */
export interface ApiKey {
  /** Name of its variable, for example `GROQ_API_KEY_2`. It is not secret. */
  readonly label: string;
  /** Returns the secret, for the SDK only. */
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

/** Makes a key whose secret cannot be printed by accident. */
export function apiKey(label: string, secret: string): ApiKey {
  return new HiddenKey(label, secret);
}

export const KEYLESS = "no key";

const GROQ_NAME = /^GROQ_API_KEY_([1-9]\d*)$/;

/** Matches lines of .env that resemble a Groq key, which dotenv would silently skip. */
const NEARLY_GROQ_KEY =
  /^\s*(?:export\s+)?(?:GROQ[\s_-]*API[\s_-]*KEYS?(?:[\s_-]*\d+)?(?!\w)|gsk_)/i;
const GROQ_KEY = /^\s*(?:export\s+)?GROQ_API_KEY_[1-9]\d*(?:\s*=|:\s)/;

const UNUSABLE: readonly (readonly [RegExp, string])[] = [
  [/^$/, "has no value; put your key after ="],
  [
    /^(?:your|put|paste|insert|replace)[-_]|^(?:gsk_)?(?:\.{3}|x{3,}|<.*>)$/i,
    "still has the placeholder of .env.example; put your key in its place, or remove the line",
  ],
  [
    /["'`,;]|[^\x21-\x7e]/,
    "has a quotation mark, a comma, a space or another character that no key has; write one key a " +
    "line, as the host shows it",
  ],
];

const unusable = (value: string) => UNUSABLE.find(([pattern]) => pattern.test(value))?.[1];

/**
 * Reads GROQ_API_KEY_1, _2, … of a `.env` file in order. Errors name the line and show no value.
 */
export function readGroqKeys(path: string): readonly ApiKey[] {
  const [text, file] = [readEnvText(path, "GROQ_API_KEY_1"), shownPath(path)];
  const reject = (line: number, problem: string): never => {
    throw new SyntaxError(`Cannot read ${file}, line ${line}: ${problem}`);
  };
  const odd = linesOf(text).findIndex((it) => NEARLY_GROQ_KEY.test(it) && !GROQ_KEY.test(it));
  if (odd >= 0) {
    reject(
      odd + 1,
      "it is no key's line; write GROQ_API_KEY_1=…, in capitals and numbered from 1 on",
    );
  }
  const entries = parseEnvFile(text, file)
    .map((entry) => ({ ...entry, number: Number(GROQ_NAME.exec(entry.name)?.[1] ?? 0) }))
    .filter(({ number }) => number > 0).toSorted((a, b) => a.number - b.number);
  if (entries.length === 0) {
    throw new SyntaxError(
      `Cannot read ${file}: it has no Groq key; add a line GROQ_API_KEY_1=… with your key`,
    );
  }
  return entries.map(({ name, value, line, number }, index) => {
    const problem = unusable(value);
    if (problem) reject(line, `${name} ${problem}`);
    if (number !== index + 1) {
      const expected = `GROQ_API_KEY_${index + 1}`;
      const remedy = `add a line ${expected}=…, or number the keys from 1 on`;
      reject(line, `${name} stands there without ${expected}; ${remedy}`);
    }
    const first = entries.slice(0, index).find((other) => other.value === value);
    if (first) {
      const same = `the same key as ${first.name} on line ${first.line}`;
      reject(line, `${name} is ${same}; remove one of the two lines`);
    }
    return apiKey(name, value);
  });
}

/**
 * Reads the key of a server's entry, named by `keyName`.
 *
 * The key may only be sent to the entry's address. @throws {Deno.errors.NotFound | SyntaxError}
 */
export function readServerKey(path: string, name: string, baseUrl: string): ApiKey {
  assertMayGo(name, new URL(baseUrl));
  const file = shownPath(path);
  const entry = parseEnvFile(readEnvText(path, name), file).find((entry) => entry.name === name);
  if (!entry) throw new SyntaxError(`Cannot read ${file}: it has no ${name}; add a line ${name}=…`);
  const problem = unusable(entry.value);
  if (problem) throw new SyntaxError(`Cannot read ${file}, line ${entry.line}: ${name} ${problem}`);
  return apiKey(name, entry.value);
}

const THIS_MACHINE = /^(?:(?:[\w-]+\.)*localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Checks that a key may be sent to a host.
 * @throws {SyntaxError} for a Groq key and another host, and for unencrypted connections to other
 * machines.
 */
function assertMayGo(name: string, { protocol, hostname, host }: URL): void {
  const refuse = (why: string) =>
    new SyntaxError(`Cannot send ${name} to its server at ${host}: ${why}`);
  if (/^GROQ_API_KEY/.test(name) && !/(?:^|\.)groq\.com$/.test(hostname)) {
    throw refuse(
      "a key of Groq's goes to Groq alone. Write the key of this server into .env under a name of " +
        "its own, and that name as keyName.",
    );
  }
  if (protocol === "http:" && !THIS_MACHINE.test(hostname)) {
    throw refuse(
      "over http anyone on the way can read it. Let baseUrl begin with https, or reach the server " +
        "through a tunnel that begins on this machine.",
    );
  }
}

/** Formats a notice of the host that receives a key. */
export const keyNotice = ({ label }: ApiKey, baseUrl: string) =>
  `The key ${label} of .env goes to its server at ${new URL(baseUrl).host}.`;

function readEnvText(path: string, name: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    const message = `Cannot read keys: ${shownPath(path)} is missing; run ` +
      `\`cp .env.example .env\` and write your key on the line ${name}=…`;
    throw new Deno.errors.NotFound(message, { cause });
  }
}

/** Patterns of secrets, accounts and addresses in messages of servers and SDKs. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\bBearer\s+\S+/gi, "[key]"],
  [/\b(?:gsk|sk|pk|hf)[_-][\w-]{6,}/g, "[key]"],
  [/\borg_\w+/g, "[organisation]"],
  [/\b[a-z][a-z\d+.-]*:\/\/[^\s"'`<>]+/gi, "[address]"],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[[\da-f:]*:[\da-f:]+\](?::\d+)?/gi, "[address]"],
];

/** Replaces keys, organisations and addresses in a text. */
export function withoutSecrets(text: string, keys: readonly ApiKey[]): string {
  // The longest first: of a key that begins with another the rest must not be left.
  const named = keys.toSorted((a, b) => b.reveal().length - a.reveal().length)
    .reduce((rest, key) => rest.replaceAll(key.reveal(), `[${key.label}]`), text);
  return PATTERNS.reduce((rest, [pattern, name]) => rest.replace(pattern, name), named);
}
