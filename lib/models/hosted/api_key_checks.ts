import type { EnvEntry } from "../../files/env_file.ts";

/** The name of a Groq key, and its number. */
export const GROQ_NAME = /^GROQ_API_KEY_([1-9]\d*)$/;
/** What was meant to be a Groq key's name, however it is spelled, and what follows it. */
const NEARLY_GROQ_NAME =
  /^\s*(?:export\s+)?(GROQ[\s_-]*API[\s_-]*KEYS?(?:[\s_-]*\d+)?)(?!\w)(.*)$/i;

/** What `.env.example` has in a key's place. */
const PLACEHOLDER = /^(?:your|put|paste|insert|replace)[-_]|^(?:gsk_)?(?:\.{3}|x{3,}|<.*>)$/i;

/** 1 of GROQ_API_KEY_1. */
export const numberOf = ({ name }: EnvEntry) => Number(GROQ_NAME.exec(name)?.[1]);

/** @throws {SyntaxError} for a line that dotenv would pass over in silence, or under another name. */
export function rejectNearNames(envText: string, file: string): void {
  for (const [index, content] of envText.split(/\r\n?|\n/).entries()) {
    if (/^\s*gsk_/.test(content)) {
      throw new SyntaxError(
        `Cannot read ${file}, line ${
          index + 1
        }: it is a key without a name; write GROQ_API_KEY_1=… ` +
          "before it",
      );
    }
    const [, name, rest = ""] = NEARLY_GROQ_NAME.exec(content) ?? [];
    if (name === undefined) continue;
    const where = `Cannot read ${file}, line ${index + 1}: ${name}`;
    if (!GROQ_NAME.test(name)) {
      throw new SyntaxError(
        `${where} is no key's name; write GROQ_API_KEY_1=…, in capitals and numbered from 1 on`,
      );
    }
    if (!/^(?:\s*=|:\s)/.test(rest)) {
      throw new SyntaxError(`${where} has no = behind it; write ${name}=…`);
    }
  }
}

/** @throws {SyntaxError} for a value that no key can have. */
export function requireUsable({ name, value, line }: EnvEntry, file: string): void {
  const problem = value === ""
    ? "has no value; put your key after ="
    : PLACEHOLDER.test(value)
    ? "still has the placeholder of .env.example; put your key in its place, or remove the line"
    : /["'`‘’“”]/.test(value)
    ? "has a quotation mark in its value; write the key without quotation marks"
    : /[,;]/.test(value)
    ? "has a comma in its value; write one key a line, each under a number of its own"
    : /\s/.test(value)
    ? "has a space in its value; write the key without spaces"
    : /[^\x21-\x7e]/.test(value)
    ? "has a character in its value that no key has; copy the key anew"
    : undefined;
  if (problem === undefined) return;
  throw new SyntaxError(`Cannot read ${file}, line ${line}: ${name} ${problem}`);
}

/** @throws {SyntaxError} where the numbers, in order, are not 1, 2, 3 … */
export function requireNoGap(entries: readonly EnvEntry[], file: string): void {
  const gap = entries.findIndex((entry, index) => numberOf(entry) !== index + 1);
  const after = entries[gap];
  if (after === undefined) return;
  throw new SyntaxError(
    `Cannot read ${file}, line ${after.line}: ${after.name} stands there without ` +
      `GROQ_API_KEY_${gap + 1}; add a line GROQ_API_KEY_${gap + 1}=…, or number the keys from 1 on`,
  );
}

/** @throws {SyntaxError} where two names have one key. */
export function requireDistinct(entries: readonly EnvEntry[], file: string): void {
  for (const [index, { name, value, line }] of entries.entries()) {
    const first = entries.slice(0, index).find((entry) => entry.value === value);
    if (first === undefined) continue;
    throw new SyntaxError(
      `Cannot read ${file}, line ${line}: ${name} is the same key as ${first.name} on line ` +
        `${first.line}; remove one of the two lines`,
    );
  }
}
