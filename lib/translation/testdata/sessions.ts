import fc from "fast-check";
import type { RunConfig } from "../configuration.ts";
import { type Action, type Now, openSession, reduce, type Session } from "../session/session.ts";
import { type Evaluation, type RatingWorkbook, UNRATED } from "../types.ts";
import { configFor } from "./evaluations.ts";

/** Three translations an item: enough for an order, few enough to fill by hand. */
export const CONFIG: RunConfig = configFor(3);

/** Both clocks so many milliseconds after noon. */
export function at(ms: number): Now {
  return { iso: new Date(Date.UTC(2026, 0, 13, 12) + ms).toISOString(), monotonicMs: ms };
}

/** A workbook nobody has rated, or in which this is so of each item. */
export function madeWorkbook(
  items: number,
  more: (index: number) => Partial<Evaluation> = () => ({}),
): RatingWorkbook {
  return {
    runId: "6f1c0a52-5b0e-4a50-9f7e-0d3f5f0f3a11",
    configSha256: "c",
    keySha256: "k",
    items: Array.from({ length: items }, (_, index) => ({
      input: {
        itemId: index + 1,
        source: `sentence ${index + 1}`,
        translations: ["eins", "zwei", "drei"],
        rowInputHash: "h",
      },
      evaluation: {
        itemId: index + 1,
        displayMap: [2, 0, 1],
        ratings: [UNRATED, UNRATED, UNRATED],
        comment: "",
        startedAt: undefined,
        committedAt: undefined,
        editCount: 0,
        activeSeconds: 0,
        highlightSeconds: 0,
        ...more(index),
      },
    })),
  };
}

/** Ratings that break no rule. */
export const VALID = [
  { bucket: "best", da: 90 },
  { bucket: "good", da: 70 },
  { bucket: "ok", da: 40 },
] as const;

/** An item confirmed in an earlier session. */
export const DONE: Partial<Evaluation> = {
  ratings: VALID,
  startedAt: at(-60_000).iso,
  committedAt: at(-30_000).iso,
};

/** The actions that rate the item on screen without a fault. */
export const RATE: readonly Action[] = VALID.flatMap(({ bucket, da }, translation): Action[] => [
  { kind: "bucket", translation, bucket },
  { kind: "score", translation, da },
]);

/** A session opened at 0 ms after these actions, one each second from the first on. */
export function played(workbook: RatingWorkbook, actions: readonly Action[]): Session {
  return actions.reduce(
    (session, action, index) => reduce(session, action, at((index + 1) * 1000)),
    openSession(workbook, CONFIG, at(0)),
  );
}

/** What is known of the item on screen. */
export function onScreen({ workbook, current }: Session): Evaluation {
  return workbook.items[current]!.evaluation;
}

const translation = fc.integer({ min: -1, max: 3 });

const changes: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    kind: fc.constant("bucket" as const),
    translation,
    bucket: fc.constantFrom("best", "good", "ok", "poor", "great", undefined),
  }),
  fc.record({
    kind: fc.constant("score" as const),
    translation,
    da: fc.constantFrom<number | string | undefined>(90, 70, 40, 5, 62.5, 300, "8o", "", undefined),
  }),
  fc.record({ kind: fc.constant("comment" as const), text: fc.string({ maxLength: 3 }) }),
);

const moves: fc.Arbitrary<Action> = fc.oneof(
  fc.constantFrom<Action>(
    { kind: "next" },
    { kind: "next" },
    { kind: "back" },
    { kind: "first-incomplete" },
    { kind: "next-invalid" },
    { kind: "undo" },
    { kind: "undo" },
    { kind: "redo" },
    { kind: "activity" },
    { kind: "pause" },
    { kind: "finish" },
  ),
  fc.record({ kind: fc.constant("jump" as const), index: fc.integer({ min: -1, max: 4 }) }),
  fc.record({ kind: fc.constant("highlight" as const), on: fc.boolean() }),
);

const CONFIRM: readonly Action[] = [...RATE, { kind: "next" }];
const FINISH: Action = { kind: "finish" };
const confirmAt = (index: number): readonly Action[] => [{ kind: "jump", index }, ...CONFIRM];

/** Actions as a rater may strike them, each so many milliseconds after the last. */
export const ANY_ACTIONS: fc.Arbitrary<readonly (readonly [readonly Action[], number])[]> = fc
  .array(
    fc.tuple(
      fc.oneof(
        { arbitrary: changes.map((action) => [action]), weight: 8 },
        { arbitrary: moves.map((action) => [action]), weight: 8 },
        // An item, or all three, rated without a fault and confirmed: single actions hardly get there.
        { arbitrary: fc.constant(CONFIRM), weight: 8 },
        { arbitrary: fc.constant([...[0, 1, 2].flatMap(confirmAt), FINISH]), weight: 1 },
      ),
      fc.integer({ min: -1000, max: 100_000 }),
    ),
    { maxLength: 40 },
  );
