import { readCsv } from "../../files/csv.ts";
import { shownPath } from "../../files/shown_path.ts";
import type { KnownText } from "./quality.ts";

const COLUMNS = ["document", "segment", "system", "degradation", "source", "translation"] as const;

/** One translation of the demo, with the way in which it is spoilt. */
export interface DemoText extends KnownText {
  readonly system: string;
}

/** Reads the demo's outputs. Throws SyntaxError naming the file and the line that is damaged. */
export function readDemoTexts(path: string): readonly DemoText[] {
  const { rows, damaged: [first] } = readCsv(
    path,
    COLUMNS,
    ({ system, degradation, source, translation }): DemoText => ({
      ...{ system, degradation, source, translation },
    }),
  );
  if (first === undefined) return rows;
  throw new SyntaxError(`Cannot read ${shownPath(path)}: line ${first.line}: ${first.reason}`);
}

/** Every system's degradation: in the demo it is the same throughout. */
export function degradations(texts: readonly DemoText[]): ReadonlyMap<string, string> {
  return new Map(texts.map(({ system, degradation }) => [system, degradation]));
}
