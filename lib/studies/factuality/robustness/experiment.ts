/** An experiment: a table of answers, the rounds in which they are asked for, and the figures made of them. */
import { addressOf } from "../../../files/asking.ts";
import { askedRows } from "../../../files/progress.ts";
import type { Table } from "../../../files/table.ts";
import { tellLosses } from "../../../factuality/own/ask_components.ts";
import type { ComponentSettings } from "../../../factuality/own/component_answers.ts";
import type { OpenPanel } from "../../../factuality/own/component_groups.ts";
import type { KindFigure } from "../../../factuality/own/variants/detection.ts";
import type { ConsistencyFigure } from "../../../factuality/own/variants/report.ts";
import { mayPass, type UnscoredReason } from "../../../factuality/types.ts";

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
export interface Experiment {
  readonly name: string;
  /** Rounds in the order in which they are asked; what a round opens is closed after it. */
  rounds(panel: OpenPanel, run: ExperimentRun): AsyncIterable<Round>;
  /** The figures of each section of the report. */
  figures(kept: ReadKept): Readonly<Record<string, readonly (KindFigure | ConsistencyFigure)[]>>;
}

/** The columns that every table of answers has. */
interface AskedRow {
  readonly component: string;
  /** `scored`, or why there is no score. */
  readonly status: "scored" | UnscoredReason;
  /** Address of the round's settings. */
  readonly settings_sha256: string;
}

/** Items that the same components answer, a row for each item and component. */
export interface Round<Row extends AskedRow = AskedRow> {
  readonly table: Table<Row>;
  /** On the progress line. */
  readonly label: string;
  readonly items: readonly Item<Row>[];
  readonly components: readonly string[];
  /** Whatever could change an answer besides the item. */
  readonly settings: ComponentSettings;
  /** Whose rows this round asks for and drops; as of the run by default. */
  readonly isOwn?: (component: string) => boolean;
  /** Whether a current row stays after the round; each does by default. */
  keeps?(row: Row): boolean;
}

/** What is asked of all components of a round together. */
export interface Item<Row> {
  /** Columns known beforehand: the row's key without the component, and the address of the item. */
  readonly known: Partial<Row>;
  /** Returns the other columns for each component. @throws the signal's reason when it aborts. */
  ask(signal: AbortSignal): Promise<readonly (Partial<Row> & Named & Lost)[]>;
}

type Named = Pick<AskedRow, "component">;

/** What kept a server from answering: no row is kept, for it says nothing of the model. */
export interface Lost {
  readonly lost: string | undefined;
}

/**
 * Asks what the table lacks. An item is asked anew of all components if the answer of one may come
 * another time, after a time-out for example. What kept servers from answering is printed.
 * @returns whether all is answered.
 */
export async function askRound<Row extends AskedRow>(
  { table, label, items, components, settings, keeps = () => true, ...round }: Round<Row>,
  { place, isOwn: isOfRun, signal }: Pick<ExperimentRun, "place" | "isOwn" | "signal">,
): Promise<boolean> {
  const { isOwn = isOfRun } = round;
  const asked = components.filter(isOwn);
  if (asked.length === 0) return true;
  using open = table.at(place(table.path)).open();
  const settings_sha256 = addressOf(settings);
  const keyOf = (item: Item<Row>, component: string) =>
    table.keyOf({ ...item.known, component } as Row);
  const late = new Set(
    items.filter((item) => asked.some((name) => mayPass(open.rows.get(keyOf(item, name))?.status))),
  );
  const losses = new Map<string, string>();
  const answers = new Map<Item<Row>, ReturnType<Item<Row>["ask"]>>();
  const rows = await askedRows(label, {
    questions: items.flatMap((item) => asked.map((component) => ({ item, component }))),
    keyOf: ({ item, component }) => keyOf(item, component),
    table: open,
    isCurrent: (row, { item }) =>
      row.settings_sha256 === settings_sha256 && !late.has(item) &&
      Object.entries(item.known).every(([column, value]) => row[column as keyof Row] === value),
    async ask({ item, component }, signal) {
      const all = await answers.getOrInsertComputed(item, () => item.ask(signal));
      const { lost, ...answer } = all.find((one) => one.component === component)!;
      if (lost === undefined) {
        return { ...item.known, ...answer, settings_sha256 } as unknown as Row;
      }
      losses.getOrInsert(lost, component);
      return undefined;
    },
    signal,
  });
  tellLosses(losses);
  if (rows === undefined) return false;
  open.finish((row) =>
    !isOwn(row.component) || row.settings_sha256 === settings_sha256 && keeps(row)
  );
  return true;
}
