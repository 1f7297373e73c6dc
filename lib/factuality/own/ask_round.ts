/** Rounds of asking: items answered by the same components, one table row per answer. */
import { addressOf } from "../../files/asking.ts";
import { askWithProgress } from "../../files/progress.ts";
import type { Table } from "../../files/table.ts";
import { isTransient, type UnscoredReason } from "../types.ts";
import type { ComponentSettings } from "./component_answers.ts";

/** Columns common to all tables of answers. */
export interface AskedRow {
  readonly component: string;
  /** `scored`, or the reason for a missing score. */
  readonly status: "scored" | UnscoredReason;
  /** SHA-256 of the round's settings. */
  readonly settings_sha256: string;
}

/** Items for the same components; each item and component make one row. */
export interface Round<Row extends AskedRow> {
  /** Label on the progress line. */
  readonly label: string;
  readonly items: readonly RoundItem<Row>[];
  readonly components: readonly string[];
  /** Settings that could change an answer, without those of the item. */
  readonly settings: ComponentSettings;
  /**
   * Selects the components whose rows this round asks for and drops. By default as {@link
   * AnswerDestination}.
   */
  readonly isOfRun?: (component: string) => boolean;
  /** Tests whether a current row stays after the round. All do by default. */
  keeps?(row: Row): boolean;
}

/** A question for all components of a round together. */
export interface RoundItem<Row> {
  /** Known columns: the row's key without the component, and the item's address. */
  readonly known: Partial<Row>;
  /** Columns updated in rows that stay. */
  readonly noted?: Partial<Row>;
  /** Returns the other columns for each component. @throws the signal's reason when it aborts. */
  ask(signal: AbortSignal): Promise<readonly (Partial<Row> & Named & ServerFailure)[]>;
}

type Named = Pick<AskedRow, "component">;

/** A server's failure. It makes no row, since it says nothing about the model. */
export interface ServerFailure {
  readonly lost: string | undefined;
}

/** Destination of the answers. */
export interface AnswerDestination<Row> {
  readonly table: Table<Row>;
  /** Selects the components whose rows are asked for and, if outdated, dropped. All by default. */
  readonly isOfRun?: (component: string) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Asks for missing answers. An item is asked of all components again where one of them may succeed
 * next time, for example after a time-out. Servers' failures are printed. @returns true where
 * everything is answered.
 */
export async function askRound<Row extends AskedRow>(
  { label, items, components, settings, keeps = () => true, ...round }: Round<Row>,
  { table, signal, ...keeping }: AnswerDestination<Row>,
): Promise<boolean> {
  const isOfRun = round.isOfRun ?? keeping.isOfRun ?? (() => true);
  const asked = components.filter(isOfRun);
  if (asked.length === 0) return true;
  using open = table.open();
  const settings_sha256 = addressOf(settings);
  const keyOf = (item: RoundItem<Row>, component: string) =>
    table.keyOf({ ...item.known, component } as Row);
  const late = new Set<RoundItem<Row>>();
  for (const item of items) {
    const storedRows = asked.flatMap((name) => open.rows.get(keyOf(item, name)) ?? []);
    if (storedRows.some(({ status }) => isTransient(status))) late.add(item);
    if (item.noted) { for (const row of storedRows) open.put({ ...row, ...item.noted }); }
  }
  const losses = new Map<string, string>();
  const answers = new Map<RoundItem<Row>, ReturnType<RoundItem<Row>["ask"]>>();
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
    !isOfRun(row.component) || row.settings_sha256 === settings_sha256 && keeps(row)
  );
  return true;
}
