import { parse } from "dotenv";

/** One variable of a `.env` file. */
export interface EnvEntry {
  readonly name: string;
  /** Without quotes, comment and the spaces around it. */
  readonly value: string;
  /** 1-based line on which the variable stands. */
  readonly line: number;
}

const NAME_AT_START = /^\s*(?:export\s+)?([\w.-]+)(?:\s*=|:\s)/;

/**
 * The variables of a `.env` file, in its order, with their lines. Values are dotenv's; no message
 * holds one, for they are secrets.
 *
 * @param file Named in errors.
 * @throws {SyntaxError} where a name stands twice, naming both lines.
 */
export function parseEnvFile(text: string, file: string): readonly EnvEntry[] {
  const whole = text.replace(/^\uFEFF/, "");
  const values = new Map(Object.entries(parse(whole)));
  const entries = new Map<string, EnvEntry>();
  for (const [index, content] of whole.split(/\r\n?|\n/).entries()) {
    const name = NAME_AT_START.exec(content)?.[1];
    const value = name === undefined ? undefined : values.get(name);
    if (name === undefined || value === undefined) continue;
    const [line, before] = [index + 1, entries.get(name)];
    if (before) {
      throw new SyntaxError(
        `Cannot read ${file}: ${name} stands twice, on lines ${before.line} and ${line}; ` +
          "remove one, or give it the next number",
      );
    }
    entries.set(name, { name, value, line });
  }
  return [...entries.values()];
}
