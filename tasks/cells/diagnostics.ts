import { z } from "zod";

/** What a tool found in a file; lines count from 1. */
export interface Diagnostic {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/**
 * Reads what `deno check` prints without colours: a message, perhaps indented lines that explain
 * it, an underlined excerpt, and `at FILE:LINE:COLUMN`. Further places of one message are left out.
 */
export function parseCheck(text: string): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  let message: string[] = [];
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const place = line.match(/^\s+at (file:\S+):(\d+):\d+$/);
    if (/^(?:TS\d+ \[ERROR\]|error): /.test(line)) {
      message = [line.replace(" [ERROR]", "")];
    } else if (place !== null && message.length > 0) {
      found.push({ file: place[1]!, line: Number(place[2]), message: message.join(" ") });
      message = [];
    } else if (message.length > 0 && /^ {2}\S/.test(line) && !isExcerpt(line, lines[index + 1])) {
      message.push(line.trim());
    }
  }
  return found;
}

/** A line of source stands above its underline. */
function isExcerpt(line: string, next: string | undefined): boolean {
  const underline = /^\s*[~^]+$/;
  return underline.test(line) || (next !== undefined && underline.test(next));
}

const Lint = z.object({
  diagnostics: z.array(z.object({
    filename: z.string(),
    range: z.object({ start: z.object({ line: z.number() }) }),
    message: z.string(),
    code: z.string(),
    hint: z.string().nullish(),
  })),
  errors: z.array(z.object({ file_path: z.string(), message: z.string() })),
});

/** Reads what `deno lint --json` prints: `faults` of style, `unparsed` files. */
export function parseLint(text: string) {
  const { diagnostics, errors } = Lint.parse(JSON.parse(text));
  const faults = diagnostics.map(({ filename, range, message, code }): Diagnostic => ({
    file: filename,
    line: range.start.line,
    message: `${message} (${code})`,
  }));
  const unparsed = errors.map(({ file_path, message }): Diagnostic => ({
    file: file_path,
    line: Number(message.match(/:(\d+):\d+\s*$/)?.[1] ?? 1),
    message: message.split("\n")[0]!,
  }));
  return { faults, unparsed };
}
