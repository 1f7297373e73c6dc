/**
 * Checks the code of every notebook: types, lint, format, and the rhythm of the house style.
 * Cells are type-checked nowhere else: importing a name that does not exist gives `undefined`.
 *
 *     deno run … tasks/check_notebooks.ts [--root DIR]
 */
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Diagnostic, parseCheck, parseLint } from "./cells/diagnostics.ts";
import { type Finding, inWords } from "./cells/finding.ts";
import { formatCells } from "./cells/format.ts";
import { cellsAsModule, type CellsModule } from "./cells/module.ts";
import { rhythmFindings } from "./cells/rhythm.ts";
import { runDeno } from "./cells/run_deno.ts";
import { declarationOf } from "./notebook/declaration.ts";
import { codeCells, type Notebook, parseNotebook } from "./notebook/nbformat.ts";
import { listNotebooks, notebookPath } from "./notebook/select.ts";

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
  const config = join(import.meta.dirname!, "cells", "lint.json");
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

if (import.meta.main) {
  const { values } = parseArgs({
    options: { root: { type: "string", default: join(import.meta.dirname!, "..") } },
  });
  const findings = await checkNotebooks(values.root);
  for (const finding of findings) console.error(inWords(finding));
  const count = listNotebooks(join(values.root, "notebooks")).length;
  console.log(`${count} notebooks checked, ${findings.length} findings`);
  Deno.exit(findings.length === 0 ? 0 : 1);
}
