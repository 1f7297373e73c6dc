import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** Any value that JSON can hold. */
export type Json = z.infer<typeof Json>;
export const Json = z.json();

/** What a kernel shows: one value a MIME type. */
export type MimeBundle = z.infer<typeof MimeBundle>;
export const MimeBundle = z.record(z.string(), Json);
const Source = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(""))]);
const Metadata = z.record(z.string(), Json);

const CodeCell = z.object({
  cell_type: z.literal("code"),
  id: z.string().optional(),
  metadata: Metadata.default({}),
  source: Source,
});

const TextCell = z.object({
  cell_type: z.enum(["markdown", "raw"]),
  id: z.string().optional(),
  metadata: Metadata.default({}),
  source: Source,
  attachments: Metadata.optional(),
});

const NotebookFile = z.object({
  cells: z.array(z.discriminatedUnion("cell_type", [CodeCell, TextCell])),
  metadata: Metadata,
  nbformat: z.literal(4),
});

interface StreamOutput {
  readonly output_type: "stream";
  readonly name: "stdout" | "stderr";
  readonly text: string;
}

interface DisplayOutput {
  readonly output_type: "display_data";
  readonly data: MimeBundle;
  readonly metadata: MimeBundle;
}

interface ResultOutput {
  readonly output_type: "execute_result";
  readonly execution_count: number | null;
  readonly data: MimeBundle;
  readonly metadata: MimeBundle;
}

export interface ErrorOutput {
  readonly output_type: "error";
  readonly ename: string;
  readonly evalue: string;
  readonly traceback: readonly string[];
}

/** One entry of a code cell's outputs, in nbformat's own field names. */
export type Output = StreamOutput | DisplayOutput | ResultOutput | ErrorOutput;

/** What running a cell left in it. */
export interface CellResult {
  /** null where the cell was not run. */
  readonly executionCount: number | null;
  readonly outputs: readonly Output[];
}

type Cell = (z.infer<typeof CodeCell> | z.infer<typeof TextCell>) & { readonly id: string };
type CodeCell = Extract<Cell, { cell_type: "code" }>;

/** A notebook without its outputs: they are what a run gives. */
export interface Notebook {
  readonly cells: readonly Cell[];
  readonly metadata: Readonly<Record<string, Json>>;
}

/**
 * Reads nbformat 4 (any minor version); old outputs and counts are left behind.
 *
 * @throws SyntaxError naming `path` where the text is not a notebook
 */
export function parseNotebook(text: string, path: string): Notebook {
  let file: z.infer<typeof NotebookFile>;
  try {
    file = NotebookFile.parse(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new SyntaxError(`Cannot read notebook ${path}: it is not nbformat 4: ${reason}`);
  }
  return { cells: withIds(file.cells), metadata: file.metadata };
}

/** Keeps every id that is there once; the rest get `cell-NN` by position, never one in use. */
function withIds<T extends { readonly id?: string | undefined }>(cells: readonly T[]) {
  const taken = new Set(cells.map((cell) => cell.id));
  const seen = new Set<string>();
  return cells.map((cell, index) => {
    let id = cell.id;
    if (id === undefined || seen.has(id)) {
      id = `cell-${String(index + 1).padStart(2, "0")}`;
      while (taken.has(id)) id += "x";
      taken.add(id);
    }
    seen.add(id);
    return { ...cell, id };
  });
}

/** The code cells with their 1-based number among all cells, as a reader counts them. */
export function codeCells(notebook: Notebook): readonly { number: number; cell: CodeCell }[] {
  return notebook.cells.flatMap((cell, index) =>
    cell.cell_type === "code" ? [{ number: index + 1, cell }] : []
  );
}

const DENO_KERNEL = { display_name: "Deno", language: "typescript", name: "deno" };

/** Metadata in which front ends note when a cell ran: a diff in every run, and nothing else. */
const TIMING = ["execution", "ExecuteTime"];

/**
 * nbformat 4.5 as nbformat's own writer gives it: keys sorted, one space of indent, texts as
 * arrays of lines, no timing. The same notebook and results give the same bytes.
 *
 * @param results by cell id; a code cell without one is written as never run
 */
export function serialiseNotebook(
  notebook: Notebook,
  results: ReadonlyMap<string, CellResult>,
): string {
  const file = {
    cells: notebook.cells.map((cell) => cellJson(cell, results.get(cell.id))),
    metadata: { kernelspec: DENO_KERNEL, ...notebook.metadata },
    nbformat: 4,
    nbformat_minor: 5,
  };
  return JSON.stringify(sorted(file), null, 1) + "\n";
}

function cellJson(cell: Cell, result: CellResult | undefined) {
  const metadata = Object.fromEntries(
    Object.entries(cell.metadata).filter(([key]) => !TIMING.includes(key)),
  );
  const common = { ...cell, metadata, source: lines(cell.source) };
  if (cell.cell_type !== "code") return common;
  return {
    ...common,
    execution_count: result?.executionCount ?? null,
    outputs: (result?.outputs ?? []).map(outputJson),
  };
}

function outputJson(output: Output) {
  switch (output.output_type) {
    case "stream":
      return { ...output, text: lines(output.text) };
    case "display_data":
    case "execute_result":
      return { ...output, data: bundleJson(output.data) };
    case "error":
      return output;
  }
}

/** Texts become arrays of lines; an image's base64 stays one string. */
function bundleJson(data: MimeBundle): MimeBundle {
  return Object.fromEntries(
    Object.entries(data).map(([mime, value]) => {
      const isText = mime.startsWith("text/") || mime === "image/svg+xml" ||
        mime === "application/javascript";
      return [mime, typeof value === "string" && isText ? lines(value) : value];
    }),
  );
}

/** "a\nb" → ["a\n", "b"]; "" → []. */
function lines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function sorted(value: unknown): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value as Json;
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
});

/**
 * What a notebook promises in its metadata under `touchstone`: files it reads and writes, from the
 * project's folder, and whether it needs model files.
 */
export type Declaration = z.infer<typeof Declaration>;

/** @throws SyntaxError naming the notebook where the declaration is missing or malformed */
export function declarationOf(notebook: Notebook, name: string): Declaration {
  const parsed = Declaration.safeParse(notebook.metadata.touchstone);
  if (parsed.success) return parsed.data;
  throw new SyntaxError(
    `Cannot run ${name}: its metadata lacks a valid "touchstone": ` +
      `{ "reads": [...], "writes": [...] }: ${z.prettifyError(parsed.error)}`,
  );
}

/** The paths under `root` where no file with content stands. */
export function missingFiles(root: string, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => {
    try {
      const { isFile, size } = Deno.statSync(join(root, path));
      return !isFile || size === 0;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return true;
      throw error;
    }
  });
}

/**
 * Names (without `.ipynb`) of the notebooks in a folder, in the order in which they are run; none
 * where the folder is not there.
 */
export function listNotebooks(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return [...Deno.readDirSync(folder)]
    .filter((entry) => entry.isFile && entry.name.endsWith(".ipynb"))
    .map((entry) => entry.name.replace(/\.ipynb$/, ""))
    .sort();
}

/**
 * The names that any of `wanted` selects; all where nothing is wanted. `11`, `11_norse`, `norse`
 * and `notebooks/11_norse_acquisition.ipynb` all select `11_norse_acquisition`.
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
  for (const beginning of beginnings) {
    if (names.some((name) => matches(name, beginning))) continue;
    throw new RangeError(
      `Cannot select a notebook: "${beginning}" begins none of ${names.join(", ") || "(none)"}`,
    );
  }
  if (beginnings.length === 0) return names;
  return names.filter((name) => beginnings.some((beginning) => matches(name, beginning)));
}

/** Where a notebook of that name stands. */
export function notebookPath(folder: string, name: string): string {
  return join(folder, `${name}.ipynb`);
}
