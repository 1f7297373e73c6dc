import assert from "node:assert/strict";
import fc from "fast-check";
import type { NextWordModel, StructuredModel, StructuredReply } from "../models/model.ts";
import { PROMPTS } from "./judges/testdata/made.ts";
import { compareTexts, majorityOf, type OrderedAnswer, type TextComparison } from "./pairwise.ts";
import {
  type OrderedChoice,
  type PairOutcome,
  type PairwiseJudge,
  pairwiseJudge,
} from "./pairwise.ts";
import { positionBias, rankByVerifier, rankCandidates, rankTexts } from "./pairwise.ts";
import { readingPairwiseJudge } from "./pairwise.ts";
import type { Unscored } from "./types.ts";

const provenance = { producedBy: "made", modelSha256: undefined, promptSha256: undefined };

/** An answer with its winner as the reason. */
const made = (winner: OrderedChoice): OrderedAnswer => {
  return { kind: "answer", winner, reasoning: `because ${winner}`, parse: "complete", provenance };
};

/** Record of a judge that answered with nonsense. */
const NONSENSE: Unscored = {
  kind: "unscored",
  reason: "malformed answer",
  message: "It names no winner.",
  partialText: "well",
  provenance,
};

const both = (aFirst: OrderedChoice, bFirst: OrderedChoice) => {
  return { aFirst: made(aFirst), bFirst: made(bFirst) };
};

type Task = Parameters<PairwiseJudge["compare"]>[0];

/** A judge that chooses by what it is shown. */
function madeJudge(name: string, choose: (task: Task) => OrderedChoice | "malformed") {
  const compare = (task: Task) => {
    const choice = choose(task);
    return Promise.resolve(choice === "malformed" ? NONSENSE : made(choice));
  };
  return { name, settings: {}, compare };
}

/** Prefers the longer text wherever it stands. */
const longer = madeJudge("longer", ({ first, second }) => {
  if (first.length === second.length) return "tie";
  return first.length > second.length ? "first" : "second";
});

/** Answers with position bias. */
const alwaysFirst = madeJudge("first", () => "first");

const SHOWN = { source: "s", question: "q", first: "one text", second: "other text" };
type Reply = (prompt: string, signal?: AbortSignal) => Promise<StructuredReply>;

function judgeOf(reply: Reply, timeoutSeconds = 5) {
  const model: StructuredModel = {
    name: "made",
    settings: { fileSha256: "abc" },
    concurrency: 1,
    ask: (prompt, options) => reply(prompt, options?.signal),
  };
  return pairwiseJudge(model, PROMPTS, { timeoutSeconds });
}

const says = (text: string): Reply => () =>
  Promise.resolve({ kind: "answer", text, ended: "complete" });

Deno.test("pairwiseJudge() shows both texts and reads winner and reasons", async () => {
  const judge = judgeOf((prompt) => {
    assert.match(prompt, /one text[\s\S]*other text/);
    return says('{"reasoning": "It gives the year.", "winner": "second"}')("");
  });
  const answer = await judge.compare(SHOWN);
  assert.ok(answer.kind === "answer");
  assert.deepEqual([answer.winner, answer.reasoning], ["second", "It gives the year."]);
  const { sha256 } = PROMPTS.template("pairwise");
  const from = { producedBy: "made", modelSha256: "abc", promptSha256: sha256 };
  assert.deepEqual(answer.provenance, from);
  const signal = AbortSignal.abort(new Error("stopped"));
  await assert.rejects(judge.compare(SHOWN, { signal }), /^Error: stopped$/);
});

Deno.test("Requirement 4: what names no winner is unscored, never a tie", async () => {
  const winners = ["neither", "first or second"].map((winner) => JSON.stringify({ winner }));
  const answers = [...winners, '{"winner": 1}', "The first.", ""];
  for (const text of answers) {
    const answer = await judgeOf(says(text)).compare(SHOWN);
    assert.equal(answer.kind === "unscored" && answer.reason, "malformed answer", text);
  }
  const loose = await judgeOf(says('Well. {"Winner": "The FIRST text"}')).compare(SHOWN);
  assert.ok(loose.kind === "answer" && loose.winner === "first" && loose.parse === "repaired");
});

Deno.test("Requirement 4.2: P(first) is read in both orders and averaged; near a half it is a tie", async () => {
  /** A model that says `first` of the two with these masses, whichever stands there. */
  const reader = (masses: (prompt: string) => readonly [number, number]): NextWordModel => ({
    name: "reader",
    settings: { fileSha256: "abc" },
    concurrency: 1,
    nextWord(prompt, { yes: [first], no: [second] }) {
      assert.match(prompt, /<first>\n[\s\S]*<second>\n[\s\S]*first or second\? Answer:$/);
      assert.deepEqual([first, second], ["first", "second"]);
      const [yes, no] = masses(prompt);
      return Promise.resolve({ kind: "mass", yes, no, other: 1 - yes - no });
    },
  });
  const comparedBy = async (masses: Parameters<typeof reader>[0]) => {
    const judge = readingPairwiseJudge(reader(masses), PROMPTS, { timeoutSeconds: 5 });
    const { judges: [one] } = await compareTexts([judge], TASK);
    return one!;
  };
  const isAFirst = (prompt: string) => prompt.indexOf(TASK.a.text) < prompt.indexOf(TASK.b.text);
  // P(first) 0.8 with a first and 0.6 with b first: the place is preferred, and a more than b.
  const both = await comparedBy((prompt) => isAFirst(prompt) ? [0.4, 0.1] : [0.3, 0.2]);
  assert.ok(Math.abs(both.aBetter! - 0.6) < 1e-12);
  const swayed = await comparedBy(() => [0.375, 0.125]);
  assert.deepEqual([swayed.aBetter, swayed.outcome.kind], [0.5, "order-inconsistent tie"]);
  const undecided = await comparedBy((prompt) => isAFirst(prompt) ? [0.27, 0.23] : [0.24, 0.26]);
  assert.deepEqual([undecided.outcome.kind], ["declared tie"]);
  const sure = await comparedBy((prompt) => isAFirst(prompt) ? [0.45, 0.05] : [0.1, 0.4]);
  assert.deepEqual(sure.outcome, { kind: "winner", winner: "x" });
  const mute = await comparedBy(() => [0, 0]);
  assert.deepEqual([mute.aBetter, mute.outcome.kind], [undefined, "unscored"]);
  const late = readingPairwiseJudge(
    { ...reader(() => [1, 0]), nextWord: () => new Promise(() => {}) },
    PROMPTS,
    { timeoutSeconds: 0.01 },
  );
  const answer = await late.compare(SHOWN);
  assert.equal(answer.kind === "unscored" && answer.reason, "time-out");
});

Deno.test("rankTexts() compares every two and ranks them", async () => {
  const candidates = ["aa", "aaaa", "a"].map((text) => ({ id: `m${text.length}`, text }));
  const about = { source: "s", question: "" };
  const { standings, comparisons } = await rankTexts([longer], candidates, about);
  assert.deepEqual(standings.map(({ candidate }) => candidate), ["m4", "m2", "m1"]);
  assert.equal(comparisons.length, 3);
  const fair = await rankTexts([alwaysFirst], candidates, about);
  assert.deepEqual(fair.standings.map(({ score }) => score), [0.5, 0.5, 0.5]);
  // Wilson, 1 of 2: (0.5 + z²/4) / (1 + z²/2) ± …, z = 1.96.
  const { interval } = fair.standings[0]!;
  assert.ok(interval.kind === "interval" && Math.abs(interval.low - 0.0945) < 1e-4);
  await assert.rejects(rankTexts([longer], candidates.slice(0, 1), about), /1 is fewer than 2/);
  const twice = [candidates[0]!, candidates[0]!];
  await assert.rejects(rankTexts([longer], twice, about), /the id m2 occurs twice/);
});

const TASK = {
  source: "Paris is the capital of France.",
  question: "",
  a: { id: "x", text: "Paris is in France, of which it is the capital." },
  b: { id: "y", text: "Paris." },
};

Deno.test("majorityOf() wants more than half of the judges that gave an outcome", () => {
  const [x, y] = ["x", "y"].map((winner) => ({ kind: "winner", winner })) as [
    PairOutcome,
    PairOutcome,
  ];
  const nothing: PairOutcome = { kind: "unscored", reason: "time-out", message: "60 s" };
  const tie: PairOutcome = { kind: "declared tie" };
  const none = { kind: "no majority" } as const;
  const table: readonly (readonly [readonly PairOutcome[], TextComparison["outcome"]])[] = [
    [[x, x, y], x],
    [[x, y], none],
    [[x, nothing, nothing], x],
    [[x, tie], none],
    [[tie, tie, y], tie],
    [[nothing], nothing],
  ];
  for (const [outcomes, expected] of table) {
    assert.deepEqual(majorityOf(outcomes), expected);
  }
  assert.equal(majorityOf([]).kind, "unscored");
});

Deno.test("compareTexts() asks each judge in both orders and keeps all reasons", async () => {
  const { outcome, judges } = await compareTexts([longer, alwaysFirst], TASK);
  assert.deepEqual(outcome, { kind: "no majority" });
  assert.deepEqual(judges.map(({ outcome }) => outcome.kind), ["winner", "order-inconsistent tie"]);
  assert.deepEqual(judges[0]!.answers, both("first", "second"));
  assert.deepEqual(judges.map(({ aBetter }) => aBetter), [1, 0.5]);
  const signal = AbortSignal.abort(new Error("stopped"));
  await assert.rejects(compareTexts([longer], TASK, { signal }), /^Error: stopped$/);
});

Deno.test("Requirement 10.2: the outcome is the same whichever text is called a", async () => {
  const choice = fc.constantFrom("first", "second", "tie", "malformed" as const);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(choice, choice), { maxLength: 3 }), async (answers) => {
      const judges = answers.map(([one, other], at) =>
        madeJudge(`j${at}`, ({ first }) => first === TASK.a.text ? one : other)
      );
      const one = await compareTexts(judges, TASK);
      const other = await compareTexts(judges, { ...TASK, a: TASK.b, b: TASK.a });
      // The order for which an unscored one is reported depends on which was asked first.
      if (one.outcome.kind === "unscored") assert.equal(other.outcome.kind, "unscored");
      else assert.deepEqual(one.outcome, other.outcome);
    }),
    { numRuns: 200 },
  );
});

Deno.test("Requirement 14.3: answers lean to a place where they differ, and turn with the places", () => {
  const choices = ["first", "second", "tie"] as const;
  const leanings = choices.map((one) => choices.map((other) => positionBias(one, other)));
  assert.deepEqual(leanings, [[-1, 0, -1], [0, 1, 1], [-1, 1, 0]]);
});

function compared(a: string, b: string, result: string): TextComparison {
  const kinds = ["declared tie", "order-inconsistent tie", "no majority"] as const;
  const kind = kinds.find((one) => one === result);
  const outcome = kind ? { kind } : { kind: "winner" as const, winner: result };
  return { candidates: [a, b], judges: [], outcome };
}

Deno.test("rankCandidates() counts wins and half of every tie, and nothing that was not scored", () => {
  const ties = [compared("x", "z", "declared tie"), compared("y", "z", "order-inconsistent tie")];
  const standings = rankCandidates([compared("x", "y", "x"), ...ties])
    .map(({ candidate, score, rank }) => [candidate, score, rank]);
  assert.deepEqual(standings, [["x", 0.75, 1], ["z", 0.5, 2], ["y", 0.25, 3]]);
  const unscored = { ...compared("x", "y", "x"), outcome: { ...NONSENSE } };
  assert.deepEqual(rankCandidates([unscored]).map(({ rank }) => rank), [undefined, undefined]);
});

Deno.test("Requirement 4.1: rankByVerifier() puts the better supported first, and calls a tie what chance may have made", () => {
  const failed: readonly string[] = [];
  const of = (id: string, ...supported: number[]) => (
    { id, claims: supported.map((one, at) => ({ text: `${id} ${at}.`, supported: one })), failed }
  );
  const good = of("good", 0.9, 0.8, 0.95, 0.9);
  const bad = of("bad", 0.1, 0.2, 0.05, 0.3);
  const near = of("near", 0.85, 0.9, 0.8, 0.95);
  const { standings, differences } = rankByVerifier([bad, of("empty"), near, good]);
  assert.deepEqual(standings.map(({ id }) => id), ["good", "near", "bad", "empty"]);
  assert.ok(Math.abs(standings[0]!.mean! - 0.8875) < 1e-12 && standings[3]!.mean === undefined);
  const between = (a: string, b: string) =>
    differences.find(({ candidates }) => candidates.join() === `${a},${b}`)!;
  assert.equal(between("good", "near").winner, undefined);
  assert.equal(between("good", "bad").winner, "good");
  const { difference } = between("good", "bad");
  assert.ok(difference.kind === "interval" && Math.abs(difference.estimate - 0.725) < 1e-12);
  assert.equal(between("good", "empty").difference.kind, "unavailable");
  // Each text keeps its number of claims in every resample: two suffice.
  const [shorter] = rankByVerifier([good, of("two", 0.1, 0.2)]).differences;
  assert.equal(shorter!.winner, "good");
  const [single] = rankByVerifier([good, of("one", 0.1)]).differences;
  assert.deepEqual([single!.difference.kind, single!.winner], ["value", undefined]);
  // What is known of it is reported, and nothing decided.
  const [lost] = rankByVerifier([good, { ...bad, failed: ["It is down."] }]).differences;
  assert.deepEqual([lost!.difference.kind, lost!.isWhole, lost!.winner], [
    "interval",
    false,
    undefined,
  ]);
});

Deno.test("Requirement 4.4: rankByVerifier() holds against a text what the others do not say, and the weakest claim of one that is behind", () => {
  const of = (id: string, supported: Readonly<Record<string, number>>) => {
    const claims = Object.entries(supported).map(([text, supported]) => ({ text, supported }));
    return { id, claims, failed: [] };
  };
  const against = (...texts: ReturnType<typeof of>[]) =>
    rankByVerifier(texts).standings.map(({ id, against }) =>
      [id, ...against.map(({ text }) => text)].join(" ")
    );
  const wrong = of("wrong", { both: 0.1, ski: 0.4, fly: 0.2, swim: 0.9 });
  const right = of("right", { both: 0.1, eat: 0.9, run: 0.8 });
  assert.deepEqual(against(wrong, right), ["right", "wrong fly ski"]);
  const weaker = of("weaker", { both: 0.1, ski: 0.7, swim: 0.6 });
  assert.deepEqual(against(weaker, right), ["right", "weaker swim"]);
  // Of three texts, two of which say it.
  const third = of("third", { sit: 0.9 });
  assert.deepEqual(against(weaker, right, third), ["third", "right both", "weaker both"]);
  assert.deepEqual(against(right, { ...right, id: "same" }), ["right", "same"]);
});
