import fc from "fast-check";
import type { RunConfig } from "../configuration.ts";
import { type Action, type Now, openSession, reduce, type Session } from "../session/session.ts";
import type { ItemEvaluation, RatingWorkbook } from "../types.ts";
import { configFor, madeEvaluation, workbookOf } from "./evaluations.ts";

/** A configuration with three translations per item. */
export const CONFIG: RunConfig = configFor(3);

/** Returns both clocks at a number of milliseconds after noon. */
export function at(ms: number): Now {
  return { iso: new Date(Date.UTC(2026, 0, 13, 12) + ms).toISOString(), monotonicMs: ms };
}

/** A workbook of unrated items, changed item by item with `more`. */
export function madeWorkbook(
  items: number,
  more: (index: number) => Partial<ItemEvaluation> = () => ({}),
): RatingWorkbook {
  const unrated = Array(3).fill([undefined, undefined]);
  const evaluationOf = (_: unknown, index: number) =>
    madeEvaluation(unrated, { displayMap: [2, 0, 1], ...more(index) });
  return workbookOf(Array.from({ length: items }, evaluationOf));
}

/** Ratings that break no rule. */
export const VALID = [
  { bucket: "best", da: 90 },
  { bucket: "good", da: 70 },
  { bucket: "ok", da: 40 },
] as const;

/** An item confirmed in an earlier session. */
export const DONE: Partial<ItemEvaluation> = {
  ratings: VALID,
  startedAt: at(-60_000).iso,
  committedAt: at(-30_000).iso,
};

/** Actions that rate the item on screen validly. */
export const RATE: readonly Action[] = VALID.flatMap(({ bucket, da }, translation): Action[] => [
  { kind: "bucket", translation, bucket },
  { kind: "score", translation, da },
]);

/** Returns a session opened at 0 ms, after one action per second. */
export function sessionAfter(workbook: RatingWorkbook, actions: readonly Action[]): Session {
  return actions.reduce(
    (session, action, index) => reduce(session, action, at((index + 1) * 1000)),
    openSession(workbook, CONFIG, at(0)),
  );
}

/** Returns the evaluation of the item on screen. */
export function onScreen({ workbook, current }: Session): ItemEvaluation {
  return workbook.items[current]!.evaluation;
}

const translation = fc.integer({ min: -1, max: 3 });
const buckets = fc.constantFrom("best", "good", "ok", "poor", "great", undefined);
const scores = fc.constantFrom<number | string | undefined>(90, 5, 62.5, 300, "8o", "", undefined);
const kind = <K extends string>(kind: K) => fc.constant(kind);

const changes: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: kind("bucket"), translation, bucket: buckets }),
  fc.record({ kind: kind("score"), translation, da: scores }),
  fc.record({ kind: kind("alike"), translation }),
  fc.record({ kind: kind("comment"), text: fc.string({ maxLength: 3 }) }),
);

const moves: fc.Arbitrary<Action> = fc.oneof(
  fc.constantFrom(
    ...(["next", "next", "back", "first-incomplete", "next-invalid", "undo", "undo"] as const),
    ...(["redo", "activity", "pause", "finish"] as const),
  ).map((kind): Action => ({ kind })),
  fc.record({ kind: kind("jump"), index: fc.integer({ min: -1, max: 4 }) }),
  fc.record({ kind: kind("highlight"), on: fc.boolean() }),
);

const CONFIRM: readonly Action[] = [...RATE, { kind: "next" }];
const ALL: readonly Action[] = [0, 1, 2]
  .flatMap((index): Action[] => [{ kind: "jump", index }, ...CONFIRM]);

/** Random sequences of rater actions, each with the milliseconds since the last. */
export const ANY_ACTIONS: fc.Arbitrary<readonly (readonly [readonly Action[], number])[]> = fc
  .array(
    fc.tuple(
      fc.oneof(
        { arbitrary: changes.map((action) => [action]), weight: 8 },
        { arbitrary: moves.map((action) => [action]), weight: 8 },
        // One item or all three, rated validly and confirmed: single random actions hardly achieve this.
        { arbitrary: fc.constant(CONFIRM), weight: 8 },
        { arbitrary: fc.constant<Action[]>([...ALL, { kind: "finish" }]), weight: 1 },
      ),
      fc.integer({ min: -1000, max: 100_000 }),
    ),
    { maxLength: 40 },
  );
