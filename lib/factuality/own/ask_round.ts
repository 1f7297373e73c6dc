/** Rounds of asking: items that the same components answer, a row of a table for each answer. */
import { addressOf } from "../../files/asking.ts";
import { askWithProgress } from "../../files/progress.ts";
import type { Table } from "../../files/table.ts";
import { mayPass, type UnscoredReason } from "../types.ts";
import type { ComponentSettings } from "./component_answers.ts";

/** The columns that every table of answers has. */
export interface AskedRow {
  readonly component: string;
  /** `scored`, or why there is no score. */
  readonly status: "scored" | UnscoredReason;
  /** Address of the round's settings. */
  readonly settings_sha256: string;
}

/** Items that the same components answer, a row for each item and component. */
export interface Round<Row extends AskedRow> {
  /** On the progress line. */
  readonly label: string;
  readonly items: readonly Item<Row>[];
  readonly components: readonly string[];
  /** Whatever could change an answer besides the item. */
  readonly settings: ComponentSettings;
  /** Whose rows this round asks for and drops; as {@link Keeping} has it by default. */
  readonly isOwn?: (component: string) => boolean;
  /** Whether a current row stays after the round; each does by default. */
  keeps?(row: Row): boolean;
}

/** What is asked of all components of a round together. */
export interface Item<Row> {
  /** Columns known beforehand: the row's key without the component, and the address of the item. */
  readonly known: Partial<Row>;
  /** Columns that are written anew beside an answer that stays. */
  readonly noted?: Partial<Row>;
  /** Returns the other columns for each component. @throws the signal's reason when it aborts. */
  ask(signal: AbortSignal): Promise<readonly (Partial<Row> & Named & Lost)[]>;
}

type Named = Pick<AskedRow, "component">;

/** What kept a server from answering: no row is kept, for it says nothing of the model. */
export interface Lost {
  readonly lost: string | undefined;
}

/** Where answers go. */
export interface Keeping<Row> {
  readonly table: Table<Row>;
  /** Whose rows are asked for, and dropped where they are out of date; everyone's by default. */
  readonly isOwn?: (component: string) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Asks what the table lacks. An item is asked anew of all components if the answer of one may come
 * another time, after a time-out for example. What kept servers from answering is printed.
 * @returns whether all is answered.
 */
export async function askRound<Row extends AskedRow>(
  { label, items, components, settings, keeps = () => true, ...round }: Round<Row>,
  { table, signal, ...keeping }: Keeping<Row>,
): Promise<boolean> {
  const isOwn = round.isOwn ?? keeping.isOwn ?? (() => true);
  const asked = components.filter(isOwn);
  if (asked.length === 0) return true;
  using open = table.open();
  const settings_sha256 = addressOf(settings);
  const keyOf = (item: Item<Row>, component: string) =>
    table.keyOf({ ...item.known, component } as Row);
  const late = new Set<Item<Row>>();
  for (const item of items) {
    const kept = asked.flatMap((name) => open.rows.get(keyOf(item, name)) ?? []);
    if (kept.some(({ status }) => mayPass(status))) late.add(item);
    if (item.noted) { for (const row of kept) open.put({ ...row, ...item.noted }); }
  }
  const losses = new Map<string, string>();
  const answers = new Map<Item<Row>, ReturnType<Item<Row>["ask"]>>();
  const rows = await askWithProgress(label, {
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
        return { ...item.known, ...item.noted, ...answer, settings_sha256 } as unknown as Row;
      }
      losses.getOrInsert(lost, component);
      return undefined;
    },
    signal,
  });
  for (const [reason, component] of losses) {
    console.log(`${component} did not answer; the same command asks it again. ${reason}`);
  }
  if (rows === undefined) return false;
  open.finish((row) =>
    !isOwn(row.component) || row.settings_sha256 === settings_sha256 && keeps(row)
  );
  return true;
}
