/** An experiment: a table of answers, the rounds in which they are asked for, and the figures made of them. */
import type { Table } from "../../../files/table.ts";
import type { AskedRow, Round } from "../../../factuality/own/ask_round.ts";
import type { OpenPanel } from "../../../factuality/own/component_groups.ts";
import type { KindFigure } from "../../../factuality/own/variants/detection.ts";
import type { ConsistencyFigure } from "../../../factuality/own/variants/report.ts";

/** What every experiment is run with. */
export interface ExperimentRun {
  /** Path of the configuration that names verifier and judges. */
  readonly configuration: string;
  /** Where a file of the study is kept: itself, or elsewhere for a user's configuration. */
  readonly place: (path: string) => string;
  /** Whose rows this run asks for, and drops where they are out of date; others stay as they are. */
  readonly isOwn: (component: string) => boolean;
  readonly threads: number;
  readonly signal: AbortSignal;
  /** Shows one line of progress. */
  readonly tell: (words: string) => void;
}

/** Reads the rows of a table that are kept so far; none without a file. */
export type ReadKept = <Row>(table: Table<Row>) => readonly Row[];

/** One experiment of requirement 14. */
export interface Experiment<Row extends AskedRow = AskedRow> {
  readonly name: string;
  readonly table: Table<Row>;
  /** Rounds in the order in which they are asked; what a round opens is closed after it. */
  rounds(panel: OpenPanel, run: ExperimentRun): AsyncIterable<Round<Row>>;
  /** The figures of each section of the report. */
  figures(kept: ReadKept): Readonly<Record<string, readonly (KindFigure | ConsistencyFigure)[]>>;
}
