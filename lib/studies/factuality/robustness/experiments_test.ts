/** Every experiment: what is asked of whom, that nothing is asked twice, and figures worked by hand. */
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import fc from "fast-check";
import type { Settings } from "../../../files/asking.ts";
import type { Table } from "../../../files/table.ts";
import { inFolder } from "../../../files/testdata/folder.ts";
import type { NextWordModel } from "../../../models/model.ts";
import { startStandInServer } from "../../../models/hosted/testdata/stand_in/server.ts";
import { swapDemographic } from "../../../factuality/bias/swaps.ts";
import { unscored } from "../../../factuality/decision.ts";
import { judgement } from "../../../factuality/check/testdata/fakes.ts";
import { readPromptTemplates } from "../../../factuality/judges/prompts.ts";
import type { OrderedChoice, PairwiseJudge } from "../../../factuality/pairwise.ts";
import { FACTUALITY_PATHS } from "../../../factuality/paths.ts";
import type { FactbookField } from "../../../factuality/retrieval/factbook.ts";
import { KNOWLEDGE_SEED, splitCountries } from "../claims/knowledge_claims.ts";
import { type Judge, sourcePassage } from "../../../factuality/types.ts";
import * as orders from "./orders.ts";
import { openPanel } from "../../../factuality/own/component_groups.ts";
import { type AnswerDestination, askRound } from "../../../factuality/own/ask_round.ts";
import { askExperiments } from "./experiments.ts";
import { ENSEMBLE_WITH_WRITER, openWriter, panelScores, type ScoringPanel } from "./panel.ts";
import { repeatedTexts, repetitionFigures, repetitionRound, VARIANCE } from "./repetitions.ts";
import * as swaps from "./swaps.ts";
import * as tables from "./tables.ts";
import { estimateOf, fakeJudge, fakePanel } from "./testdata/fake_panel.ts";

/** Keeps everyone's answers in a table of a folder of its own. */
const inTable = <Row, Result>(
  table: Table<Row>,
  work: (keeping: AnswerDestination<Row>) => Result,
): Result =>
  inFolder((folder) => {
    const { signal } = new AbortController();
    return work({ table: table.at(join(folder, basename(table.path))), signal });
  });

Deno.test("panelScores() gives verifier, judges and ensemble in points: worked by hand", async () => {
  const claims = ["One.", "Two wrong."];
  const text = { text: claims.join(" "), claims, passages: [sourcePassage("One. Two.")] };
  const scoresOf = (panel: ReturnType<typeof fakePanel>) =>
    panelScores(panel, text, new AbortController().signal);
  const scores = await scoresOf(fakePanel([() => 40, () => 80]));
  assert.deepEqual(scores.map(({ component, score }) => [component, score]), [
    ["trained verifier (share supported)", 50],
    ["trained verifier (mean probability)", 45],
    ["judge 1 (next word)", 40],
    ["judge 2 (next word)", 80],
    ["ensemble of judges", 60],
  ]);
  const none = await scoresOf(fakePanel([() => undefined]));
  const why = none.slice(2).map(({ status, score }) => [status, score]);
  assert.deepEqual(why, Array(2).fill(["malformed answer", undefined]));
  // Who weighs nothing counts in no ensemble; a writer like that makes no second one.
  const panel = fakePanel([() => 40, () => 80]);
  const [first, second] = panel.judges as [Judge, Judge];
  const togetherOf = async (weights: readonly number[]) => {
    const judges = [first, second].map((judge, at) => ({ ...judge, weight: weights[at]! }));
    const writer = { ...first, weight: 0 };
    const { signal } = new AbortController();
    const found = await panelScores({ ...panel, judges }, text, signal, writer);
    return found.filter(({ component }) => component.startsWith("ensemble"))
      .map(({ status, score }) => [status, score]);
  };
  assert.deepEqual(await togetherOf([0, 1]), [["scored", 80]]);
  assert.deepEqual(await togetherOf([0, 0]), [["not measured", undefined]]);
});

/** Four sentences each, the first k of them wrong. */
const LADDERS = ["A", "B", "C"].map((country) => ({
  country,
  texts: [0, 1, 2, 3].map((errors) => {
    const claims = [0, 1, 2, 3].map((at) => `${country} ${at}${at < errors ? " wrong" : ""}.`);
    return { errors, claims, text: claims.join(" "), passages: [sourcePassage("s")] };
  }),
}));
const errorsIn = (text: string) => text.split("wrong").length - 1;
const better = (first: string, second: string): OrderedChoice =>
  errorsIn(first) < errorsIn(second) ? "first" : "second";

/** Has a judge compare all pairs. */
const compare = (keeping: AnswerDestination<tables.OrderRow>, choose: typeof better, run = 0) => {
  const provenance = { producedBy: "judge", modelSha256: undefined, promptSha256: undefined };
  const said = { kind: "answer", reasoning: "", parse: "complete", provenance } as const;
  const compare: PairwiseJudge["compare"] = ({ first, second }) =>
    Promise.resolve({ ...said, winner: choose(first, second) });
  const judge = { name: "judge", settings: {}, compare };
  const pairs = LADDERS.flatMap(orders.orderedPairs);
  const drawing = { run, temperature: 0 };
  return askRound(orders.comparingRound(pairs, judge, orders.COMPARING[0], drawing), keeping);
};

/** Has a panel score ladders. */
const score = (
  keeping: AnswerDestination<tables.OrderRow>,
  panel: ReturnType<typeof fakePanel>,
  { ladders = LADDERS, settings = "s" } = {},
) => askRound(orders.scoringRound(ladders, panel, { settings }, keeping.isOfRun), keeping);

/** Consistency, fairness, decided, accuracy, τ-b and ρ. */
const estimatesIn = ({ table }: AnswerDestination<tables.OrderRow>) =>
  orders.orderFigures(table.read()).map(({ value }) => estimateOf(value));

Deno.test("comparingRound() keeps both orders; a further run asks nothing again; all is right: τ-b 1", () =>
  inTable(tables.ORDERS, async (keeping) => {
    const { table } = keeping;
    assert.equal(await compare(keeping, better), true);
    const before = Deno.readTextFileSync(table.path);
    const [aFirst, bFirst] = table.read();
    assert.deepEqual([aFirst!.first, aFirst!.winner], ["a", "first"]);
    assert.deepEqual([bFirst!.first, bFirst!.winner], ["b", "second"]);
    assert.equal(await compare(keeping, () => assert.fail("asked again")), true);
    assert.equal(Deno.readTextFileSync(table.path), before);
    assert.deepEqual(estimatesIn(keeping), [1, 0, 1, 1, 1, 1]);
    assert.equal(await compare({ ...keeping, signal: AbortSignal.abort() }, better, 1), false);
    await compare(keeping, better, 1);
    assert.equal(table.read().length, 72);
  }));

Deno.test("Requirement 14.3: a judge that always names the first text is inconsistent on every pair", () =>
  inTable(tables.ORDERS, async (keeping) => {
    await compare(keeping, () => "first");
    const none = "unavailable";
    assert.deepEqual(estimatesIn(keeping), [0, -1, 0, none, none, none]);
  }));

Deno.test("scoringRound() scores a ladder forwards and backwards; the ranks are those of the scores", () =>
  inTable(tables.ORDERS, async (keeping) => {
    const panel = fakePanel([(text) => 80 - 10 * errorsIn(text), (text) => 20 + errorsIn(text)]);
    await score(keeping, panel);
    assert.deepEqual(panel.asked.slice(0, 8).map(errorsIn), [0, 1, 2, 3, 3, 2, 1, 0]);
    const count = panel.asked.length;
    await score(keeping, panel);
    assert.equal(panel.asked.length, count);
    const figures = orders.orderFigures(keeping.table.read())
      .filter(({ component, measure }) => /^judge/.test(component) && measure === orders.KENDALL);
    assert.deepEqual(figures.map(({ value }) => estimateOf(value)), [1, -1]);
  }));

Deno.test("what a server that is down did not answer is no row, nor is an ensemble without it: all is asked again", () =>
  inTable(tables.ORDERS, async (keeping) => {
    const { table } = keeping;
    let isDown = true;
    const local = fakePanel([() => 40]);
    const served: Judge = {
      ...fakeJudge("served", () => 60, { host: "openai-compatible" }),
      judge: () => Promise.resolve(isDown ? unscored("served", "failure", "down") : judgement(60)),
    };
    const panel = { ...local, judges: [...local.judges, served] };
    const ask = () => score(keeping, panel, { ladders: LADDERS.slice(0, 1) });
    const asked = () => [...new Set(table.read().map(({ component }) => component))].slice(2);
    assert.equal(await ask(), false);
    assert.deepEqual(asked(), ["judge 1 (next word)"]);
    isDown = false;
    assert.equal(await ask(), true);
    const names = ["judge 1 (next word)", "served (next word)", "ensemble of judges"];
    assert.deepEqual(asked().toSorted(), names.toSorted());
    assert.equal(table.read().find(({ component }) => component === names[2])!.score_a, 50);
    // A failure in a table of an earlier version is no answer either.
    const lost = { status: "failure", winner: "", score_a: "", score_b: "" } as const;
    table.write(table.read().map((row) => row.component === names[1] ? { ...row, ...lost } : row));
    assert.equal(await ask(), true);
    assert.ok(table.read().every(({ status }) => status === "scored"));
  }));

Deno.test("readingRounds() has a judge that is read compare both orders, in a run that asks it, with all other rows", () =>
  inTable(tables.ORDERS, async (everyone) => {
    const prompts = await readPromptTemplates(FACTUALITY_PATHS.prompts);
    const prompted: string[] = [];
    const reader: NextWordModel = {
      name: "larger",
      settings: { readout: "next-token" },
      concurrency: 1,
      nextWord: (prompt) => {
        prompted.push(prompt);
        const [_, first, second] = prompt.split("A 0") as [string, string, string];
        const yes = better(first, second) === "first" ? 0.9 : 0.1;
        return Promise.resolve({ kind: "mass", yes, no: 1 - yes, other: 0 });
      },
    };
    const isLarger = (component: string): boolean => component === "larger (next word)";
    const pairs = orders.orderedPairs(LADDERS[0]!);
    const { configuration, largerJudge } = FACTUALITY_PATHS;
    const roundsOf = (more: Partial<Parameters<typeof orders.readingRounds>[2]>) => {
      const run = { configuration: largerJudge, isOfRun: isLarger, ...more };
      return orders.readingRounds(pairs, { readers: [reader], prompts }, run);
    };
    assert.deepEqual(roundsOf({ configuration }), []);
    assert.deepEqual(roundsOf({ isOfRun: (component) => !isLarger(component) }), []);
    const [round] = roundsOf({});
    const keeping = { ...everyone, isOfRun: isLarger };
    assert.equal(await askRound(round!, keeping), true);
    const { table } = everyone;
    const rows = table.read();
    assert.equal(rows.length, 12);
    assert.ok(rows.every(({ first, winner }) => winner === (first === "a" ? "first" : "second")));
    // Neither the study's usual run nor this judge's scoring of texts drops what it compared.
    await score(everyone, fakePanel([]), { ladders: LADDERS.slice(0, 1) });
    assert.deepEqual(table.read().slice(0, 12), rows);
    await askRound(round!, keeping);
    assert.equal(prompted.length, 12);
  }));

Deno.test("askRound() leaves rows of components that are not the run's own as they are", () =>
  inTable(tables.ORDERS, async (keeping) => {
    const { table } = keeping;
    const panel = fakePanel([() => 1, (text) => errorsIn(text)]);
    const isLarger = (component: string) => component === "judge 2 (next word)";
    const usual = { ...keeping, isOfRun: (name: string) => !isLarger(name) };
    await score(usual, panel);
    const before = table.read();
    assert.equal(before.length, 4 * 36);
    const larger = { ...keeping, isOfRun: isLarger };
    await score(larger, panel, { settings: "larger" });
    const both = Deno.readTextFileSync(table.path);
    assert.deepEqual(table.read().slice(0, before.length), before);
    const added = table.read().slice(before.length).map(({ component }) => component);
    assert.deepEqual(added, Array(36).fill("judge 2 (next word)"));
    const { length: asked } = panel.asked;
    await score(usual, panel);
    await score(larger, panel, { settings: "larger" });
    assert.equal(panel.asked.length, asked);
    assert.equal(Deno.readTextFileSync(table.path), both);
  }));

Deno.test("orderFigures() tells the mean share of the most frequent choice: worked by hand", () => {
  const rows = (country: string, winners: readonly OrderedChoice[]) =>
    winners.map((winner, at): tables.OrderRow => {
      const pair = { country, errors_a: 0, errors_b: 2, first: "a", component: "judge" } as const;
      const answer = { status: "scored", winner, score_a: "", score_b: "" } as const;
      return {
        ...pair,
        run: at + 1,
        temperature: 0.7,
        ...answer,
        asked_sha256: "a",
        settings_sha256: "s",
      };
    });
  const [stability] = orders.orderFigures([
    ...rows("A", ["first", "first", "tie"]),
    ...rows("B", ["second", "second", "second"]),
  ]);
  assert.deepEqual([stability!.n, stability!.group], [2, "3 seeds"]);
  assert.equal(estimateOf(stability!.value), Number((5 / 6).toFixed(9)));
});

Deno.test("orderFigures() takes the mean of both orders where the next word was read: worked by hand", () => {
  const component = `judge ${orders.COMPARING[1]}`;
  const pair = (country: string, aFirst: number, bFirst: number) =>
    ([["a", "first", aFirst], ["b", "first", bFirst]] as const).map((row): tables.OrderRow => {
      const [first, winner, score_a] = row;
      const known = { country, errors_a: 0, errors_b: 1, component, run: 0, temperature: 0 };
      const answer = { status: "scored", winner, score_a, score_b: 100 - score_a } as const;
      return { ...known, first, ...answer, asked_sha256: "a", settings_sha256: "s" };
    });
  // The first place is named each time: means of 0.65, 0.55 and 0.35 say a, a tie, b.
  const rows = [...pair("A", 95, 35), ...pair("B", 75, 35), ...pair("C", 65, 5)];
  const values = new Map(
    orders.orderFigures(rows).map(({ measure, value }) => [measure, estimateOf(value)]),
  );
  assert.deepEqual([...values.values()].slice(0, 4), [0, -1, Number((2 / 3).toFixed(9)), 0.5]);
  // Rows without probabilities are no zeros: the place decides, and b does not win.
  const bare = rows.map((row): tables.OrderRow => ({ ...row, score_a: "", score_b: "" }));
  const decided = orders.orderFigures(bare).find(({ measure }) => /with a winner/.test(measure));
  assert.equal(estimateOf(decided!.value), 0);
});

/** Countries that do not exist: five numbers, a capital and a coast of none each. */
const FIELDS = Array.from({ length: 16 }, (_, index) =>
  [
    ["Population", "total", `${index + 1},512,806 (2025 est.)`],
    ["Capital", "name", `Town ${"ABCDEFGHIJKLMNOP"[index]}burg`],
    ["Birth rate", "", `${10 + index}.88 births/1,000 population (2025 est.)`],
    ["Death rate", "", `${5 + index}.31 deaths/1,000 population (2025 est.)`],
    ["Coastline", "", "0 km"],
    ["Airports", "", `${20 + index} (2025)`],
  ].map(([field, subfield, text]) => {
    const [country, code] = [`Land ${index}`, `c${index}`];
    return { country, code, region: "europe", section: "People", field, subfield, text };
  })).flat() as FactbookField[];

Deno.test("Requirement 14.3: a ladder plants one error more with each text, about held-out countries", () => {
  const ladders = orders.textLadders(FIELDS);
  const splits = splitCountries(FIELDS.map(({ code }) => code), KNOWLEDGE_SEED);
  assert.ok(ladders.length > 1);
  for (const { country, texts } of ladders) {
    const [truth, ...others] = texts.map(({ claims }) => claims);
    assert.equal(truth!.length, 4);
    const wrong = others.map((claims) => claims.filter((claim, at) => claim !== truth![at]));
    assert.deepEqual(wrong.map(({ length }) => length), [1, 2, 3]);
    assert.ok(wrong.slice(1).every((more, k) => wrong[k]!.every((claim) => more.includes(claim))));
    assert.equal(splits.get(country.replace("Land ", "c")), "test");
    // A coast of 0 km made one of 1 km is no error that anybody would make.
    assert.doesNotMatch(texts[0]!.text, /coast/i);
  }
});

Deno.test("repetitionFigures() gives variances in points² and shares under the bar: by hand", () => {
  const repeated = (country: string, ...scores: readonly (number | "")[]) =>
    scores.map((score, at): tables.RepetitionRow => {
      const status = score === "" ? "malformed answer" : "scored";
      const known = { country, errors: 0, repetition: at + 1, component: "judge" };
      return { ...known, status, score, asked_sha256: "a", settings_sha256: "s" };
    });
  const figures = repetitionFigures(
    [repeated("A", 50, 52, 54), repeated("B", 50, 60, ""), repeated("C", 50, "")].flat(),
  );
  // 4 and 50 points²; the third text has one score.
  assert.deepEqual(figures.map(({ n, value }) => [n, estimateOf(value)]), [[2, 27], [2, 0.5]]);
});

Deno.test("Requirement 10.1: components without chance have variance 0, in whatever order they are asked", () =>
  inTable(tables.REPETITIONS, async (keeping) => {
    const texts = repeatedTexts(
      [...LADDERS, ...LADDERS].slice(0, 5).map((ladder, at) => {
        return { ...ladder, country: `${ladder.country}${at}` };
      }),
    );
    assert.deepEqual(texts.map(({ text }) => text.errors), [0, 1, 2, 3, 0]);
    const panel = fakePanel([(text) => text.length, () => 30]);
    for (const [index, score] of [10, 40, 70].entries()) {
      const writer = fakeJudge("writer", () => score, { readout: "generation" });
      const round = repetitionRound(texts, panel, writer, index + 1, {});
      assert.equal(await askRound(round, keeping), true);
      assert.equal(await askRound(round, keeping), true);
    }
    // Each text once a repetition, and not in the same order each time.
    assert.equal(panel.asked.length, 15);
    const inOrder = [0, 1, 2].map((round) => panel.asked.slice(5 * round, 5 * round + 5).join());
    assert.ok(new Set(inOrder).size > 1);
    const figures = repetitionFigures(keeping.table.read())
      .filter(({ measure }) => measure === VARIANCE);
    const variance = new Map(figures.map((one) => [one.component, estimateOf(one.value)]));
    const named = ["judge 1 (next word)", "ensemble of judges", "writer (written score)"];
    // Of three judges with the same weight, one varies: 900 / 9.
    const all = [...named, ENSEMBLE_WITH_WRITER].map((name) => variance.get(name));
    assert.deepEqual(all, [0, 0, 900, 100]);
  }));

const FRAMES = new Map(tables.PORTRAITS.read().map((frame) => [frame.id, frame]));

Deno.test("swapPortraits() fills 48 frames; swapDemographic() tells each of the other gender", () => {
  const names = { givenName: 0, familyName: 1, origin: "Arabic" } as const;
  const rest = { nationality: "Indian", religion: "Jewish", age: 31 };
  const frame = "{N}, {A}, is {aNation} tailor. {S} lit {p} [lamp|stove] in the {worship}.";
  const expected = "Fatima Khalil, 31, is an Indian tailor. She lit her lamp in the synagogue.";
  const somebody = { gender: "female", ...names, ...rest } as const;
  assert.equal(swaps.filled(frame, somebody), expected);
  assert.throws(() => swaps.filled("{X}", somebody), /\{X\} is no place/);
  const portraits = swaps.swapPortraits(2);
  assert.equal(new Set(portraits.map(({ source }) => source)).size, 48);
  assert.equal(portraits.filter(({ person }) => person.gender === "female").length, 24);
  for (const { id, source, right, wrong, person } of portraits) {
    assert.notEqual(right, wrong);
    assert.doesNotMatch(source + right + wrong, /[{}[\]|]/);
    const gender = person.gender === "female" ? "male" : "female";
    const exchange = { demographic: "gender", from: person.gender, to: gender } as const;
    const [frame, other] = [FRAMES.get(id)!, { ...person, gender } as const];
    assert.equal(swapDemographic(source, exchange).text, swaps.filled(frame.source, other));
    assert.equal(swapDemographic(right, exchange).text, swaps.filled(frame.right, other));
  }
});

Deno.test("Requirement 10.6: every variant changes the source, and of the trait alone what is its own", () => {
  const changed = { "origin of name": "origin", nationality: "nationality", religion: "religion" };
  fc.assert(
    fc.property(fc.integer(), fc.nat(47), (seed, index) => {
      const portrait = swaps.swapPortraits(seed)[index]!;
      const frame = FRAMES.get(portrait.id)!.source;
      const variants = swaps.portraitVariants(portrait, seed);
      const changes = variants.map(({ change }) => change);
      for (const one of ["gender", "other name", "other age", "other word"] as const) {
        assert.ok(changes.includes(one));
      }
      for (const { change, to, source } of variants) {
        assert.notEqual(source, portrait.source);
        if (change in changed) {
          const key = changed[change as keyof typeof changed];
          assert.equal(source, swaps.filled(frame, { ...portrait.person, [key]: to }));
        }
      }
    }),
    { numRuns: 100 },
  );
});

const row = (
  portrait: string,
  change: tables.SwapRow["change"],
  score: number | "",
  more: Partial<tables.SwapRow> = {},
): tables.SwapRow => ({
  portrait,
  claim: "right",
  change,
  from: "",
  to: "",
  component: "judge",
  score,
  status: score === "" ? "time-out" : "scored",
  asked_sha256: "a",
  settings_sha256: "s",
  ...more,
});
const gender = { from: "female", to: "male" };

const ROWS: readonly tables.SwapRow[] = [
  row("p01", "none", 60),
  row("p01", "gender", 66, gender),
  row("p01", "other name", 61),
  row("p02", "none", 48),
  row("p02", "gender", 52, gender),
  row("p02", "other name", 47),
  row("p03", "none", 70),
  row("p03", "gender", "", gender),
  row("p03", "other name", 70),
];

Deno.test("swapFigures() and truthGaps() measure the distance of scores: by hand", () => {
  const figures = swaps.swapFigures(ROWS).filter(({ group }) => group === "gender");
  // Of 60 → 66 and 48 → 52; the control moves by one point each.
  assert.deepEqual(figures.map(({ n, value }) => [n, estimateOf(value)]), [[2, 5], [2, 0.5], [
    2,
    4,
  ]]);
  assert.match(figures[2]!.measure, /control “other name”/);
  const wrong = { claim: "wrong" } as const;
  const [gap] = swaps.truthGaps(
    [...ROWS, row("p01", "none", 20, wrong), row("p02", "none", 18, wrong)],
  );
  assert.equal(estimateOf(gap!.gap), 35);
});

Deno.test("Requirement 10.6: a judge that favours men is found out, and one that does not is not", () => {
  const shiftsOf = (differences: readonly number[]) =>
    swaps.groupShifts(differences.flatMap((points, at) => [
      row(`p${at}`, "none", 60),
      row(`p${at}`, "gender", 60 + points, gender),
    ])).map(({ group, shift }) => [group, estimateOf(shift)]);
  assert.deepEqual(shiftsOf([6, 4, 6, 4, 6, 4, 6, 4]), [["female", -2.5], ["male", 2.5]]);
  assert.deepEqual(shiftsOf([6, -6, 4, -4, 2, -2, 1, -1])[0], ["female", 0]);
  // Of one portrait nothing is known of others.
  const [alone] = swaps.groupShifts(ROWS.filter(({ portrait }) => portrait === ROWS[0]!.portrait));
  assert.equal(alone!.shift.kind, "value");
});

Deno.test("swapRound() asks each claim of each variant once, the verifier and then the judges", () =>
  inTable(tables.SWAPS, async (keeping) => {
    const { table } = keeping;
    const tasks = swaps.swapTasks(swaps.swapPortraits(1).slice(0, 2), 1);
    const panel = fakePanel([() => 50]);
    const roundOf = (count: number, scorers: ScoringPanel = panel, settings: Settings = {}) =>
      swaps.swapRound(tasks.slice(0, count), scorers, settings);
    const { length: all } = tasks;
    assert.equal(await askRound(roundOf(all, { ...panel, judges: [] }), keeping), true);
    assert.equal(table.read().length, 2 * all);
    for (const _ of [1, 2]) await askRound(roundOf(16), keeping);
    assert.equal(table.read().length, 2 * all + 2 * 16);
    assert.equal(panel.asked.length, 16);
    assert.equal(await askRound(roundOf(all), { ...keeping, signal: AbortSignal.abort() }), false);
    // With other settings everything is asked again, and no row of the old ones stays.
    const before = new Set(table.read().map((row) => row.settings_sha256));
    await askRound(roundOf(all, panel, { temperature: 1 }), keeping);
    assert.ok(table.read().every((row) => !before.has(row.settings_sha256)));
  }));

/** A model behind a server, as a configuration names it. */
const served = (id: string, baseUrl: string, more = "") =>
  `{ id: ${id}, kind: openai-compatible, readout: next-token, licence: MIT, baseUrl: "${baseUrl}", ${more} }`;

/** A configuration as YAML. */
const configured = (
  { verifier = "{ kind: overlap }", models = [], judges = [] }: {
    readonly verifier?: string;
    readonly models?: readonly string[];
    readonly judges?: readonly string[];
  },
) => `name: own\nverifier: ${verifier}\nmodels: [${models}]\njudges: [${judges}]\n`;

Deno.test("a run of the larger judge alone asks it of the swaps, once, and lets no settings of others count", () =>
  inFolder(async (folder) => {
    await using server = startStandInServer({ answer: () => "Yes" });
    const { signal } = new AbortController();
    const place = (path: string) => join(folder, basename(path));
    const isLarger = (component: string) => component === "larger (next word)";
    const ask = (verifier: string) => {
      const configuration = join(folder, "larger.yaml");
      const judges = [served("larger", server.openAiBaseUrl, "weight: 1, prompt: support")];
      Deno.writeTextFileSync(configuration, configured({ verifier, judges }));
      const run = { configuration, place, isOfRun: isLarger, threads: 1, signal, tell: () => {} };
      return askExperiments([swaps.SWAPPED_PEOPLE], run);
    };
    const kept = tables.SWAPS.at(place(tables.SWAPS.path));
    kept.write([row("p01", "none", 60)]);
    assert.equal(await ask("{ kind: overlap }"), true);
    const [first, ...added] = kept.read();
    assert.deepEqual(first, row("p01", "none", 60));
    assert.equal(added.length, 480);
    assert.ok(added.every(({ component, status }) => isLarger(component) && status === "scored"));
    const text = Deno.readTextFileSync(kept.path);
    const { length: asked } = server.calls;
    // Another verifier bears on nothing that this judge says: it answers the opening's question alone.
    await ask("{ kind: overlap, timeoutSeconds: 9 }");
    assert.ok(server.calls.length <= asked + 1);
    assert.equal(Deno.readTextFileSync(kept.path), text);
  }));

Deno.test("with a configuration of one's own its model writes, and none where it has none; a judge of unknown worth weighs nothing", () =>
  inFolder(async (folder) => {
    await using server = startStandInServer({
      answer: ({ prompt }) => prompt.startsWith("Which") ? "Both." : "True",
    });
    const configuration = join(folder, "own.yaml");
    const { signal } = new AbortController();
    const place = (path: string) => join(folder, basename(path));
    const everybody = { isOfRun: () => true, threads: 1, signal, tell: () => {} };
    const run = { configuration, place, ...everybody };
    const drawing = { seed: 1, temperature: 0.7 };
    const configure = (parts: Parameters<typeof configured>[0]) =>
      Deno.writeTextFileSync(configuration, configured(parts));
    configure({});
    assert.equal(await openWriter(run, drawing), undefined);
    configure({ models: [served("served", server.openAiBaseUrl)] });
    const readAlone = {
      ...run,
      isOfRun: (component: string) => component === "served (next word)",
    };
    assert.equal(await openWriter(readAlone, drawing), undefined);
    await using writer = await openWriter(run, drawing);
    const reply = await writer!.ask("Which is better?");
    assert.deepEqual([writer!.name, reply.kind === "answer" && reply.text], ["served", "Both."]);
    assert.equal((server.calls[0]!.body as { temperature: number }).temperature, 0.7);
    // An unmeasured judge weighs nothing, unless a weight is given.
    for (const [more, weight] of [["", 0], ["weight: 0.5", 0.5]] as const) {
      configure({ judges: [served("served", server.openAiBaseUrl, more)] });
      await using panel = await openPanel(run);
      assert.deepEqual(panel.judges.map((judge) => judge.weight), [weight]);
    }
  }));
