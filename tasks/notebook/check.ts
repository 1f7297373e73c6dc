/**
 * Checks the code of every notebook: types, lint, format, and the rhythm of the house style.
 * Cells are type-checked nowhere else: importing a name that does not exist gives `undefined`.
 *
 *     deno run … tasks/notebook/check.ts [--root DIR]
 */

import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import {
  codeCells,
  declarationOf,
  listNotebooks,
  type Notebook,
  notebookPath,
  parseNotebook,
} from "./nbformat.ts";

/** What a tool found in a file; lines count from 1. */
interface Diagnostic {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/**
 * Reads what `deno check` prints without colours: a message, perhaps indented lines that explain
 * it, an underlined excerpt, and `at FILE:LINE:COLUMN`. Further places of one message are left out.
 */
function parseCheck(text: string): readonly Diagnostic[] {
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
function parseLint(text: string) {
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

/** Ten lines are the aim; a cell that builds a figure may need a few more. */
const MOST_LINES = 15;
const PREFIXED_IMPORT = /["'`](?:npm|jsr|https?):/;

/** House style 3, 4 and 18: short cells, more text than code, no package named in a cell. */
function rhythmFindings(name: string, notebook: Notebook): readonly Finding[] {
  return [...proportion(name, notebook), ...longCells(name, notebook), ...imports(name, notebook)];
}

function proportion(name: string, notebook: Notebook): Finding[] {
  const code = codeCells(notebook).length;
  const text = notebook.cells.filter(({ cell_type }) => cell_type === "markdown").length;
  if (text > code) return [];
  const message = `it has ${text} Markdown cells and ${code} code cells: text must outnumber code`;
  return [{ notebook: name, message }];
}

function longCells(name: string, notebook: Notebook): Finding[] {
  return codeCells(notebook).flatMap(({ number, cell }) => {
    const lines = cell.source.split("\n").filter((line) => line.trim() !== "").length;
    if (lines <= MOST_LINES) return [];
    const message = `${lines} lines of code, more than ${MOST_LINES}: split it or move it to lib/`;
    return [{ notebook: name, cell: number, message }];
  });
}

function imports(name: string, notebook: Notebook): Finding[] {
  return codeCells(notebook).flatMap(({ number, cell }) =>
    cell.source.split("\n").flatMap((text, index) =>
      /\b(?:import|from)\b/.test(text) && PREFIXED_IMPORT.test(text)
        ? [{
          notebook: name,
          cell: number,
          line: index + 1,
          message: "a package is named with its registry: use its name in deno.json's import map",
        }]
        : []
    )
  );
}

interface Checked {
  readonly name: string;
  readonly notebook: Notebook;
  readonly module: CellsModule;
  /** Temporary file beside the notebook, where its relative imports hold; git ignores it. */
  readonly path: string;
}

/** Everything that must be mended in the notebooks of the project at `root`. */
export async function checkNotebooks(root: string): Promise<readonly Finding[]> {
  const folder = join(root, "notebooks");
  const all = listNotebooks(folder).map((name): Checked => {
    const text = Deno.readTextFileSync(notebookPath(folder, name));
    const notebook = parseNotebook(text, `${name}.ipynb`);
    const path = join(folder, `${name}.nb.ts`);
    return { name, notebook, module: cellsAsModule(notebook), path };
  });
  if (all.length === 0) return [];
  const style = all.flatMap(({ name, notebook }) => [
    ...undeclared(name, notebook),
    ...rhythmFindings(name, notebook),
  ]);
  try {
    for (const { path, module } of all) Deno.writeTextFileSync(path, module.text);
    return [...style, ...(await codeFindings(all))];
  } finally {
    for (const { path } of all) Deno.removeSync(path);
  }
}

function undeclared(name: string, notebook: Notebook): Finding[] {
  try {
    declarationOf(notebook, name);
    return [];
  } catch (error) {
    if (error instanceof SyntaxError) return [{ notebook: name, message: error.message }];
    throw error;
  }
}

/** A file that cannot be parsed hides every other error of types, so lint goes first. */
async function codeFindings(all: readonly Checked[]): Promise<readonly Finding[]> {
  const paths = all.map(({ path }) => path);
  const config = join(import.meta.dirname!, "lint.json");
  const lint = await runDeno(["lint", "--json", "--config", config, ...paths]);
  if (!lint.stdout.trim().startsWith("{")) {
    throw new Error(`Cannot lint the notebooks: deno lint says ${lint.stderr}`);
  }
  const { faults, unparsed } = parseLint(lint.stdout);
  const faultsFound = faults.map((fault) => inNotebook(fault, all));
  if (unparsed.length > 0) return [...faultsFound, ...unparsed.map((it) => inNotebook(it, all))];
  const unformatted = await formatFindings(all);
  const check = await runDeno(["check", ...paths]);
  const types = parseCheck(check.stderr).map((diagnostic) => inNotebook(diagnostic, all));
  if (!check.success && types.length === 0) {
    throw new Error(`Cannot check the notebooks: deno check says ${check.stderr}`);
  }
  return [...faultsFound, ...unformatted, ...types];
}

async function formatFindings(all: readonly Checked[]): Promise<readonly Finding[]> {
  const cells = all.flatMap(({ name, notebook }) =>
    codeCells(notebook).map(({ number, cell }) => ({ name, number, source: cell.source }))
  );
  const formatted = await formatCells(cells.map(({ source }) => source));
  return cells.flatMap(({ name, number, source }, index) =>
    formatted[index] === source ? [] : [{
      notebook: name,
      cell: number,
      message: "not formatted: deno fmt notebooks",
    }]
  );
}

function inNotebook({ file, line, message }: Diagnostic, all: readonly Checked[]): Finding {
  const path = file.startsWith("file:") ? fileURLToPath(file) : file;
  const checked = all.find((one) => one.path === path || basename(one.path) === path);
  if (checked === undefined) return { notebook: path, line, message };
  return { notebook: checked.name, ...checked.module.locate(line), message };
}

/** Something in a notebook that must be mended. */
interface Finding {
  /** Name without `.ipynb`; a path from the project's folder where it is no notebook. */
  readonly notebook: string;
  /** 1-based among all cells; undefined where it concerns the whole notebook. */
  readonly cell?: number | undefined;
  /** 1-based within the cell. */
  readonly line?: number | undefined;
  readonly message: string;
}

/** `11_norse_acquisition, cell 4, line 2: message` */
export function inWords({ notebook, cell, line, message }: Finding): string {
  const place = [
    notebook,
    ...(cell === undefined ? [] : [`cell ${cell}`]),
    ...(line === undefined ? [] : [`line ${line}`]),
  ];
  return `${place.join(", ")}: ${message}`;
}

/**
 * How `deno fmt` would write each code cell: all in one go, as a notebook of their own. Not with `deno fmt --check` on the
 * files: Deno 2.9.6 calls every notebook unformatted that it has not formatted itself before.
 */
async function formatCells(sources: readonly string[]): Promise<readonly string[]> {
  const notebook = {
    cells: sources.map((source, index) => ({
      cell_type: "code",
      execution_count: null,
      id: `c${index}`,
      metadata: {},
      outputs: [],
      source,
    })),
    metadata: {
      kernelspec: { display_name: "Deno", language: "typescript", name: "deno" },
      language_info: { file_extension: ".ts", name: "typescript" },
    },
    nbformat: 4,
    nbformat_minor: 5,
  };
  const { success, stdout, stderr } = await runDeno(
    ["fmt", "--ext", "ipynb", "-"],
    JSON.stringify(notebook),
  );
  if (!success) throw new Error(`Cannot format the cells: deno fmt says ${stderr}`);
  const { cells } = parseNotebook(stdout, "the formatted cells");
  return cells.map(({ source }) => source);
}

/** A notebook's code as one module, so that the type checker reads all cells together. */
interface CellsModule {
  readonly text: string;
  /** The cell (1-based among all) and its line (1-based) that stand at a line of the module. */
  locate(line: number): { readonly cell: number; readonly line: number } | undefined;
}

/** Joins the code cells; `export {}` makes it a module, in which await may stand at the top. */
function cellsAsModule(notebook: Notebook): CellsModule {
  const lines: string[] = [];
  const places: { cell: number; line: number }[] = [];
  for (const { number, cell } of codeCells(notebook)) {
    for (const [index, line] of cell.source.split("\n").entries()) {
      lines.push(line);
      places.push({ cell: number, line: index + 1 });
    }
  }
  return {
    text: [...lines, "export {};", ""].join("\n"),
    locate: (line) => places[Math.min(line, places.length) - 1],
  };
}

/** What a run of this very Deno gave. */
interface DenoResult {
  readonly success: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `deno` with arguments, and a text as its input. */
async function runDeno(args: readonly string[], input = ""): Promise<DenoResult> {
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
  const { values } = parseArgs({
    options: { root: { type: "string", default: join(import.meta.dirname!, "..", "..") } },
  });
  const findings = await checkNotebooks(values.root);
  for (const finding of findings) console.error(inWords(finding));
  const count = listNotebooks(join(values.root, "notebooks")).length;
  console.log(`${count} notebooks checked, ${findings.length} findings`);
  Deno.exit(count > 0 && findings.length === 0 ? 0 : 1);
}
