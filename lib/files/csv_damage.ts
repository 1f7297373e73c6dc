import { writeBytesAtomic, writeTextAtomic } from "./atomic.ts";
import { type DamagedLine, formatCsv, formatCsvRow } from "./csv.ts";
import { escapeLine, splitLines } from "./lines.ts";
import { readTextIfThere } from "./read_text.ts";

const DAMAGE_COLUMNS = ["line", "reason", "text"] as const;

/** Where the damaged lines of a table are kept: `x.csv` → `x.damaged.csv`. */
export function damagedPath(path: string): string {
  return path.replace(/(\.csv)?$/i, ".damaged.csv");
}

/**
 * Moves damaged lines out of a table into `<name>.damaged.csv` beside it, with line number and
 * reason, and ends the last line. The lines are kept there before they leave the table, both
 * files are replaced atomically, and a second call changes nothing: whenever the process dies,
 * no line is lost and none kept twice.
 */
export function setAsideDamaged(path: string, damaged: readonly DamagedLine[]): void {
  const lines = splitLines(Deno.readFileSync(path));
  const wanted = new Map(damaged.map((entry) => [entry.line, entry]));
  // A line number alone could mean another line by now.
  const leaving = lines.map(({ bytes }, index) => {
    const entry = wanted.get(index + 1);
    return entry !== undefined && entry.text === escapeLine(bytes) ? entry : undefined;
  });
  const entries = leaving.filter((entry) => entry !== undefined);
  if (entries.length === 0 && (lines.at(-1)?.terminated ?? true)) return;
  if (entries.length > 0) keep(damagedPath(path), entries);
  writeBytesAtomic(path, joinLines(lines.filter((_, i) => !leaving[i]).map(({ bytes }) => bytes)));
}

function keep(path: string, entries: readonly DamagedLine[]): void {
  const before = readTextIfThere(path) || formatCsv(DAMAGE_COLUMNS, []);
  const kept = new Set(before.split("\n"));
  const added = entries
    .map(({ line, text, reason }) => formatCsvRow(DAMAGE_COLUMNS, { line, text, reason }))
    .filter((line) => !kept.has(line.trimEnd()));
  if (added.length > 0) writeTextAtomic(path, before + added.join(""));
}

function joinLines(lines: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(lines.reduce((sum, line) => sum + line.length + 1, 0));
  let position = 0;
  for (const line of lines) {
    joined.set(line, position);
    joined[position + line.length] = 0x0a;
    position += line.length + 1;
  }
  return joined;
}
