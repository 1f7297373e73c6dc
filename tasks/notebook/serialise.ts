import type { Cell, CellResult, Json, MimeBundle, Notebook, Output } from "./nbformat.ts";

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
