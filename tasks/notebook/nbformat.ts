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

export interface StreamOutput {
  readonly output_type: "stream";
  readonly name: "stdout" | "stderr";
  readonly text: string;
}
export interface DisplayOutput {
  readonly output_type: "display_data";
  readonly data: MimeBundle;
  readonly metadata: MimeBundle;
}
export interface ResultOutput {
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

export type Cell = (z.infer<typeof CodeCell> | z.infer<typeof TextCell>) & { readonly id: string };
export type CodeCell = Extract<Cell, { cell_type: "code" }>;

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
