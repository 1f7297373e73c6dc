import { codeCells, type Notebook } from "../notebook/nbformat.ts";

/** A notebook's code as one module, so that the type checker reads all cells together. */
export interface CellsModule {
  readonly text: string;
  /** The cell (1-based among all) and its line (1-based) that stand at a line of the module. */
  locate(line: number): { readonly cell: number; readonly line: number } | undefined;
}

/** Joins the code cells; `export {}` makes it a module, in which await may stand at the top. */
export function cellsAsModule(notebook: Notebook): CellsModule {
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
