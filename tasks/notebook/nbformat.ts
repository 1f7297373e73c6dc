/** Reads and writes notebooks (nbformat 4.5), their declarations, and selects them by name. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** Any value that JSON can hold. */
export type Json = z.infer<typeof Json>;
export const Json = z.json();

/** Output of a kernel: one value per MIME type. */
export type MimeBundle = z.infer<typeof MimeBundle>;
export const MimeBundle = z.record(z.string(), Json);

const Text = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(""))]);

const CommonCell = z.object({
  id: z.string().optional(),
  metadata: MimeBundle.default({}),
  source: Text,
});
const CodeCell = CommonCell.extend({ cell_type: z.literal("code") });
const TextCell = CommonCell.extend({
  cell_type: z.enum(["markdown", "raw"]),
  attachments: MimeBundle.optional(),
});

const NotebookFile = z.object({
  cells: z.array(z.discriminatedUnion("cell_type", [CodeCell, TextCell])),
  metadata: MimeBundle,
  nbformat: z.literal(4),
});

type Shows = { readonly data: MimeBundle; readonly metadata: MimeBundle };

/** One entry of a code cell's outputs, in nbformat's own field names. */
export type Output =
  | { readonly output_type: "stream"; readonly name: "stdout" | "stderr"; readonly text: string }
  | { readonly output_type: "display_data" } & Shows
  | { readonly output_type: "execute_result"; readonly execution_count: number | null } & Shows
  | {
    readonly output_type: "error";
    readonly ename: string;
    readonly evalue: string;
    readonly traceback: readonly string[];
  };

/** Execution count and outputs of a cell that was run. */
export interface CellResult {
  /** Number of the execution; null if the cell was not run. */
  readonly executionCount: number | null;
  readonly outputs: readonly Output[];
}

type NotebookCell = (z.infer<typeof CodeCell> | z.infer<typeof TextCell>) & { readonly id: string };
type CodeCell = Extract<NotebookCell, { cell_type: "code" }>;

/** A notebook without outputs. */
export interface Notebook {
  readonly cells: readonly NotebookCell[];
  readonly metadata: Readonly<Record<string, Json>>;
}

/**
 * Parses a notebook of nbformat 4 (any minor version), without outputs and counts. Unique ids are
 * kept. Other cells get an unused id `cell-NN` by position.
 *
 * @throws SyntaxError naming `path` where the text is not a notebook
 */
export function parseNotebook(text: string, path: string): Notebook {
  const file = parsed(NotebookFile, text, path);
  const taken = new Set(file.cells.map((cell) => cell.id));
  const seen = new Set<string>();
  const cells = file.cells.map((cell, index) => {
    let id = cell.id;
    if (id === undefined || seen.has(id)) {
      id = `cell-${String(index + 1).padStart(2, "0")}`;
      while (taken.has(id)) id += "x";
      taken.add(id);
    }
    seen.add(id);
    return { ...cell, id };
  });
  return { cells, metadata: file.metadata };
}

function parsed<Type>(schema: z.ZodType<Type>, text: string, path: string): Type {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new SyntaxError(`Cannot read notebook ${path}: it is not nbformat 4: ${reason}`);
  }
}

const ShownOutput = z.union([
  z.object({ data: z.record(z.string(), Text) }),
  z.object({ text: Text }).transform(({ text }) => ({ data: { "text/plain": text } })),
]).transform(({ data }): Readonly<Record<string, string>> => data);

const ShownCell = z.object({
  cell_type: z.string(),
  source: Text,
  outputs: z.array(ShownOutput).default([]),
});

/** A cell for display, with outputs as text by MIME type. */
type ShownCell = z.infer<typeof ShownCell>;

/**
 * Parses the cells of a notebook with the outputs of its last run.
 *
 * @throws SyntaxError naming `path` where the text is not a notebook or a cell failed
 */
export const shownCells = (text: string, path: string): readonly ShownCell[] =>
  parsed(z.object({ cells: z.array(ShownCell) }), text, path).cells;

/** Returns the code cells, each with its number (from 1) among all cells. */
export function codeCells(notebook: Notebook): readonly { number: number; cell: CodeCell }[] {
  return notebook.cells.flatMap((cell, index) =>
    cell.cell_type === "code" ? [{ number: index + 1, cell }] : []
  );
}

export const DENO_KERNEL = { display_name: "Deno", language: "typescript", name: "deno" };

/** Metadata keys in which front ends record execution times. They would change in every run. */
const TIMING = ["execution", "ExecuteTime"];

/**
 * Serialises a notebook as nbformat 4.5, formatted like nbformat's Python writer. Keys are sorted,
 * the indent is one space, texts are arrays of lines, and timing is removed. The same notebook and
 * results give the same bytes.
 *
 * @param results Results by cell id; a code cell without one is written as never run
 */
export function serialiseNotebook(
  notebook: Notebook,
  results: ReadonlyMap<string, CellResult>,
): string {
  const cells = notebook.cells.map((cell) => {
    const timeless = Object.entries(cell.metadata).filter(([key]) => !TIMING.includes(key));
    const { executionCount = null, outputs = [] } = results.get(cell.id) ?? {};
    return {
      ...cell,
      metadata: Object.fromEntries(timeless),
      source: lines(cell.source),
      ...(cell.cell_type === "code" &&
        { execution_count: executionCount, outputs: outputs.map(outputJson) }),
    };
  });
  const metadata = { kernelspec: DENO_KERNEL, ...notebook.metadata };
  return JSON.stringify(sorted({ cells, metadata, nbformat: 4, nbformat_minor: 5 }), null, 1) +
    "\n";
}

/** Splits texts of an output into lines; an image's base64 stays one string. */
function outputJson(output: Output) {
  if (output.output_type === "stream") return { ...output, text: lines(output.text) };
  if (output.output_type === "error") return output;
  const data = Object.entries(output.data).map(([mime, value]) => {
    const isText = mime.startsWith("text/") || mime === "image/svg+xml" ||
      mime === "application/javascript";
    return [mime, typeof value === "string" && isText ? lines(value) : value];
  });
  return { ...output, data: Object.fromEntries(data) };
}

/** Splits a text into lines with their ends: "a\nb" → ["a\n", "b"]; "" → []. */
const lines = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

const ProjectPath = z.string().regex(
  /^(?!\/)(?!.*\.\.)(?!.*\\).+[^/]$/,
  "must be a file's path from the project's folder, with / between its parts",
);

const Declaration = z.strictObject({
  reads: z.array(ProjectPath).default([]),
  writes: z.array(ProjectPath).default([]),
  needs: z.literal("models").optional(),
  /** SHA-256 of each file in `reads` when the outputs were made, written by the runner. */
  sha256: z.record(ProjectPath, z.string().regex(/^[0-9a-f]{64}$/)).optional(),
});

/**
 * Returns a notebook's declaration, its metadata under `touchstone`. It has the files that it reads
 * and writes (paths relative to the project), whether it needs model files, and the hashes of the
 * files that its last run read.
 *
 * @throws SyntaxError naming the notebook where the declaration is missing or malformed
 */
export function declarationOf(notebook: Notebook, name: string): z.infer<typeof Declaration> {
  const parsed = Declaration.safeParse(notebook.metadata.touchstone);
  if (parsed.success) return parsed.data;
  throw new SyntaxError(
    `Cannot run ${name}: its metadata lacks a valid "touchstone": ` +
      `{ "reads": [...], "writes": [...] }: ${z.prettifyError(parsed.error)}`,
  );
}

/** Lists a folder's notebooks in running order, without `.ipynb`. Empty without the folder. */
export function listNotebooks(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return [...Deno.readDirSync(folder)]
    .filter((entry) => entry.isFile && entry.name.endsWith(".ipynb"))
    .map((entry) => entry.name.replace(/\.ipynb$/, ""))
    .sort();
}

/**
 * Returns the names that `wanted` selects; all names if it is empty. `11`, `11_norse`, `norse` and
 * `notebooks/11_norse_acquisition.ipynb` all select `11_norse_acquisition`.
 *
 * @throws RangeError where one of `wanted` selects nothing
 */
export function selectNotebooks(
  names: readonly string[],
  wanted: readonly string[],
): readonly string[] {
  const beginnings = wanted.map((want) => want.replace(/^.*\//, "").replace(/\.ipynb$/, ""));
  const matches = (name: string, beginning: string) =>
    name.startsWith(beginning) || name.includes(`_${beginning}`);
  const lost = beginnings.find((beginning) => !names.some((name) => matches(name, beginning)));
  if (lost === undefined) {
    return wanted.length === 0 ? names : names.filter((n) => beginnings.some((b) => matches(n, b)));
  }
  const all = names.join(", ") || "(none)";
  throw new RangeError(`Cannot select a notebook: "${lost}" begins none of ${all}`);
}

/** Returns the path of a notebook by its name. */
export const notebookPath = (folder: string, name: string) => join(folder, `${name}.ipynb`);
