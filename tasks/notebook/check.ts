/**
 * Checks every notebook: types, lint, format and style of its code, the size of its tables, and
 * whether the files that it reads have changed since its last run. Without this check an import of
 * an unknown name would give `undefined`.
 */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { sha256OfFile } from "../../lib/files/atomic.ts";
import {
  codeCells,
  declarationOf,
  DENO_KERNEL,
  listNotebooks,
  type Notebook,
  notebookPath,
  parseNotebook,
  shownCells,
} from "./nbformat.ts";

/**
 * Formats a finding: `11_norse_acquisition, cell 4, line 2: message`. All cells count from 1, lines
 * within their cell.
 */
function finding(message: string, notebook: string, cell?: number, line?: number): string {
  const places = [notebook, cell && `cell ${cell}`, line && `line ${line}`];
  return `${places.filter(Boolean).join(", ")}: ${message}`;
}

/** A notebook with its code in a temporary file next to it, so that relative imports work. */
interface Checked {
  readonly name: string;
  readonly notebook: Notebook;
  /** Unchanged text of the file, with its outputs. */
  readonly text: string;
  readonly path: string;
  /** Origin of each line of the temporary file: number of the cell, and line in it. */
  readonly places: readonly { readonly cell: number; readonly line: number }[];
}

/** Returns all faults of the notebooks of the project at `root`, one per line. */
export async function checkNotebooks(root: string): Promise<readonly string[]> {
  const folder = join(root, "notebooks");
  const all = listNotebooks(folder).map((name): Checked => {
    const text = Deno.readTextFileSync(notebookPath(folder, name));
    const notebook = parseNotebook(text, `${name}.ipynb`);
    const places = codeCells(notebook).flatMap(({ number, cell }) =>
      cell.source.split("\n").map((_, index) => ({ cell: number, line: index + 1 }))
    );
    return { name, notebook, text, path: join(folder, `${name}.nb.ts`), places };
  });
  if (all.length === 0) return [];
  try {
    for (const { path, notebook } of all) {
      // `export {}` makes it a module, in which await may stand at the top.
      const sources = codeCells(notebook).map(({ cell }) => cell.source);
      Deno.writeTextFileSync(path, [...sources, "export {};", ""].join("\n"));
    }
    const found = all.flatMap((one) => [
      ...styleFindings(one),
      ...tableFindings(one),
      ...staleFindings(one, root),
    ]);
    return [...found, ...(await codeFindings(all))];
  } finally {
    for (const { path } of all) Deno.removeSync(path);
  }
}

/** Maximum number of lines per cell. The aim is ten; cells with figures may need more. */
const MOST_LINES = 15;

/** Finds violations of house style 3 and 4: a declaration, short cells, more text than code. */
function* styleFindings({ name, notebook }: Checked): Iterable<string> {
  try {
    declarationOf(notebook, name);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    yield finding(error.message, name);
  }
  const cells = codeCells(notebook);
  const text = notebook.cells.filter(({ cell_type }) => cell_type === "markdown").length;
  if (text <= cells.length) {
    const counts = `${text} Markdown cells and ${cells.length} code cells`;
    yield finding(`it has ${counts}: text must outnumber code`, name);
  }
  for (const { number, cell } of cells) {
    const full = cell.source.split("\n").filter((line) => line.trim() !== "").length;
    if (full <= MOST_LINES) continue;
    const message = `${full} lines of code, more than ${MOST_LINES}: split it or move it to lib/`;
    yield finding(message, name, number);
  }
}

/** Maximum rows and columns of a table that is read to its end. */
const [MOST_ROWS, MOST_COLUMNS] = [30, 7];

/**
 * Finds tables that are too large for readers on GitHub.
 *
 * Links are checked with those of the documents.
 */
function* tableFindings({ name, text }: Checked): Iterable<string> {
  for (const [index, { source, outputs }] of shownCells(text, `${name}.ipynb`).entries()) {
    const shown = [source, ...outputs.map((output) => output["text/markdown"])].join("\n\n");
    for (const [table] of shown.matchAll(/(?:^\|.*\n?){3,}/gmu)) {
      const [head = "", ...below] = table.trim().split("\n");
      const [rows, columns] = [below.length - 1, head.split(/(?<!\\)\|/).length - 2];
      const problems = [
        rows > MOST_ROWS && `a table of ${rows} rows, more than ${MOST_ROWS}: name its file`,
        columns > MOST_COLUMNS &&
        `a table of ${columns} columns, more than ${MOST_COLUMNS}: split it`,
      ];
      for (const problem of problems) if (problem) yield finding(problem, name, index + 1);
    }
  }
}

/**
 * Finds files that have changed since the notebook's last run, so that its outputs are outdated.
 */
function* staleFindings({ name, notebook }: Checked, root: string): Iterable<string> {
  const { sha256 = {} } = DigestsOfRun.parse(notebook.metadata.touchstone ?? {});
  for (const [file, digest] of Object.entries(sha256)) {
    const path = join(root, file);
    if (existsSync(path) && sha256OfFile(path) === digest) continue;
    yield finding(`its last run read another ${file} than is there now: run it again`, name);
  }
}

const DigestsOfRun = z.object({ sha256: z.record(z.string(), z.string()).optional() });

/** Returns faults of lint and types. A file that cannot be parsed hides all type errors. */
async function codeFindings(all: readonly Checked[]): Promise<readonly string[]> {
  const paths = all.map(({ path }) => path);
  const config = join(import.meta.dirname!, "lint.json");
  const lint = await runDeno(["lint", "--json", "--config", config, ...paths]);
  if (!lint.stdout.trim().startsWith("{")) {
    throw new Error(`Cannot lint the notebooks: deno lint says ${lint.stderr}`);
  }
  const { diagnostics: faults, errors: unparsed } = Lint.parse(JSON.parse(lint.stdout));
  const inNotebooks = (found: readonly Diagnostic[]) => found.map((one) => inNotebook(one, all));
  if (unparsed.length > 0) return inNotebooks([...faults, ...unparsed]);
  const unformatted = await formatFindings(all);
  const check = await runDeno(["check", ...paths]);
  const types = parseCheck(check.stderr);
  if (!check.success && types.length === 0) {
    throw new Error(`Cannot check the notebooks: deno check says ${check.stderr}`);
  }
  return [...inNotebooks(faults), ...unformatted, ...inNotebooks(types)];
}

/** A tool's finding in a file; lines count from 1. */
interface Diagnostic {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

function inNotebook({ file, line, message }: Diagnostic, all: readonly Checked[]): string {
  const path = file.startsWith("file:") ? fileURLToPath(file) : file;
  const checked = all.find((one) => one.path === path || basename(one.path) === path);
  if (checked === undefined) return finding(message, path, undefined, line);
  const place = checked.places[Math.min(line, checked.places.length) - 1];
  return finding(message, checked.name, place?.cell, place?.line);
}

/**
 * Parses the output of `deno check` without colours: a message, optional indented explanations, an
 * underlined excerpt, and `at FILE:LINE:COLUMN`. Further locations of a message are left out.
 */
function parseCheck(text: string): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  let message: string[] = [];
  const lines = text.split("\n");
  const underline = /^\s*[~^]+$/;
  for (const [index, line] of lines.entries()) {
    const place = line.match(/^\s+at (file:\S+):(\d+):\d+$/);
    // A line of source stands above its underline.
    const isExcerpt = underline.test(line) || underline.test(lines[index + 1] ?? "");
    if (/^(?:TS\d+ \[ERROR\]|error): /.test(line)) {
      message = [line.replace(" [ERROR]", "")];
    } else if (place !== null && message.length > 0) {
      found.push({ file: place[1]!, line: Number(place[2]), message: message.join(" ") });
      message = [];
    } else if (message.length > 0 && /^ {2}\S/.test(line) && !isExcerpt) {
      message.push(line.trim());
    }
  }
  return found;
}

const Fault = z.object({
  filename: z.string(),
  range: z.object({ start: z.object({ line: z.number() }) }),
  message: z.string(),
  code: z.string(),
}).transform(({ filename: file, range, message, code }): Diagnostic => (
  { file, line: range.start.line, message: `${message} (${code})` }
));
const Unparsed = z.object({ file_path: z.string(), message: z.string() })
  .transform(({ file_path: file, message }): Diagnostic => {
    const line = Number(message.match(/:(\d+):\d+\s*$/)?.[1] ?? 1);
    return { file, line, message: message.split("\n")[0]! };
  });

/** Schema of `deno lint --json`: style faults, and files that cannot be parsed. */
const Lint = z.object({ diagnostics: z.array(Fault), errors: z.array(Unparsed) });

/**
 * Finds cells that `deno fmt` would change, all in one notebook.
 *
 * `deno fmt --check` is not used: Deno 2.9.6 reports every notebook that it has not formatted
 * itself.
 */
async function formatFindings(all: readonly Checked[]): Promise<readonly string[]> {
  const cells = all.flatMap(({ name, notebook }) =>
    codeCells(notebook).map(({ number, cell }) => ({ name, number, source: cell.source }))
  );
  const empty = { cell_type: "code", execution_count: null, metadata: {}, outputs: [] };
  const joined = {
    cells: cells.map(({ source }, index) => ({ ...empty, id: `c${index}`, source })),
    metadata: {
      kernelspec: DENO_KERNEL,
      language_info: { file_extension: ".ts", name: "typescript" },
    },
    nbformat: 4,
    nbformat_minor: 5,
  };
  const fmt = await runDeno(["fmt", "--ext", "ipynb", "-"], JSON.stringify(joined));
  if (!fmt.success) throw new Error(`Cannot format the cells: deno fmt says ${fmt.stderr}`);
  const formatted = parseNotebook(fmt.stdout, "the formatted cells").cells;
  return cells.filter(({ source }, index) => formatted[index]?.source !== source)
    .map(({ name, number }) => finding("not formatted: deno fmt notebooks", name, number));
}

/** Runs Deno with arguments and standard input. */
async function runDeno(args: readonly string[], input = "") {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    env: { NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const written = new Blob([input]).stream().pipeTo(child.stdin);
  const { success, stdout, stderr } = await child.output();
  await written;
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { success, stdout: text(stdout), stderr: text(stderr) };
}

if (import.meta.main) {
  const root = join(import.meta.dirname!, "..", "..");
  const findings = await checkNotebooks(root);
  for (const line of findings) console.error(line);
  const count = listNotebooks(join(root, "notebooks")).length;
  console.log(`${count} notebooks checked, ${findings.length} findings`);
  Deno.exit(count > 0 && findings.length === 0 ? 0 : 1);
}
