import { codeCells, type Notebook } from "../notebook/nbformat.ts";
import type { Finding } from "./finding.ts";

/** Ten lines are the aim; a cell that builds a figure may need a few more. */
const MOST_LINES = 15;
const PREFIXED_IMPORT = /["'`](?:npm|jsr|https?):/;

/** House style 3, 4 and 18: short cells, more text than code, no package named in a cell. */
export function rhythmFindings(name: string, notebook: Notebook): readonly Finding[] {
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
