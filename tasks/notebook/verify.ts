import { type CellResult, codeCells, type Notebook } from "./nbformat.ts";
import { type Declaration, missingFiles } from "./declaration.ts";

/** GitHub shows no notebook much bigger than this (bytes). */
const LARGEST = 1_000_000;

export interface Run {
  readonly notebook: Notebook;
  readonly declaration: Declaration;
  readonly results: ReadonlyMap<string, CellResult>;
  /** The notebook as it would be written. */
  readonly text: string;
  /** The project's folder. */
  readonly root: string;
}

/** Why a run whose cells all succeeded still does not count; empty where it does. */
export function complaints(run: Run): readonly string[] {
  return [...missingOutputs(run), ...missingArtefacts(run), ...machinePaths(run), ...tooBig(run)];
}

/** A cell marked `touchstone.expects: "output"` shows something, and so does every notebook. */
function missingOutputs({ notebook, results }: Run): string[] {
  const silent = (id: string) => (results.get(id)?.outputs.length ?? 0) === 0;
  const cells = codeCells(notebook);
  if (cells.length > 0 && cells.every(({ cell }) => silent(cell.id))) {
    return ["no cell shows any output"];
  }
  return cells
    .filter(({ cell }) => expectsOutput(cell.metadata.touchstone) && silent(cell.id))
    .map(({ number }) => `cell ${number} should show output and shows none`);
}

function expectsOutput(mark: unknown): boolean {
  return typeof mark === "object" && mark !== null && "expects" in mark &&
    mark.expects === "output";
}

function missingArtefacts({ root, declaration }: Run): string[] {
  return missingFiles(root, declaration.writes)
    .map((path) => `declared artefact ${path} is missing or empty`);
}

/** An output that names this machine's folder can never be the same on another machine. */
function machinePaths({ notebook, results, root }: Run): string[] {
  return codeCells(notebook)
    .filter(({ cell }) => JSON.stringify(results.get(cell.id)?.outputs ?? []).includes(root))
    .map(({ number }) => `cell ${number} shows this machine's folder ${root}`);
}

function tooBig({ text }: Run): string[] {
  const bytes = new TextEncoder().encode(text).length;
  return bytes > LARGEST ? [`it has ${bytes} bytes, more than ${LARGEST}`] : [];
}
