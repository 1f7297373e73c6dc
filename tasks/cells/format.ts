import { parseNotebook } from "../notebook/nbformat.ts";
import { runDeno } from "./run_deno.ts";

/**
 * How `deno fmt` would write each code cell: all in one go, as a notebook of their own. Not with `deno fmt --check` on the
 * files: Deno 2.9.6 calls every notebook unformatted that it has not formatted itself before.
 */
export async function formatCells(sources: readonly string[]): Promise<readonly string[]> {
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
