/**
 * Experiment on the order of two texts (requirement 14). Texts with 0 to 3 planted errors are
 * compared or scored in both orders; the answers give symmetry, accuracy, rank correlation and
 * repeatability.
 */
import { addressOf } from "../../../files/asking.ts";
import { unorderedPairs } from "../../../stats/agreement.ts";
import { kendallTauB, spearman } from "../../../stats/correlation.ts";
import { type Bounds, mean, type Observed } from "../../../stats/measure.ts";
import { type RandomSource, randomSource } from "../../../stats/random.ts";
import * as pairwise from "../../../factuality/pairwise.ts";
import { FACTUALITY_PATHS } from "../../../factuality/paths.ts";
import { type FactbookField, factbookFields } from "../../../factuality/retrieval/factbook.ts";
import { factContrast, valuesByQuestion } from "../claims/edits.ts";
import { type CountryMaterial, countryMaterial, type Fact } from "../claims/statements.ts";
import { type Passage, SOURCE_TEXT } from "../../../factuality/types.ts";
import { heldOutCountries } from "./cases.ts";
import type { Round, ServerFailure } from "../../../factuality/own/ask_round.ts";
import type { ComponentSettings } from "../../../factuality/own/component_answers.ts";
import { judgeName, type OpenPanel } from "../../../factuality/own/component_groups.ts";
import type { ConsistencyStatistics } from "../../../factuality/own/variants/report.ts";
import * as panel from "./panel.ts";
import { type OrderRow, ORDERS } from "./tables.ts";

/** Seed of the sampling, the same for scoring and comparing. */
const SEED = "robustness/orders";
const SCORED_LADDERS = 12;
/**
 * Number of ladders compared in full. Others are compared with their true text only, since a
 * comparison takes seconds.
 */
const COMPARED_LADDERS = 10;
const WHOLE_LADDERS = 4;
/** Seeds of the repetitions, at a temperature that allows different answers. */
const REPETITIONS = [1, 2];
const REPEATED_ERRORS = 2;
const DRAWING_TEMPERATURE = 0.7;
/** Endings of the names of pairwise components: by generation, by next-word probabilities. */
export const COMPARING = ["(writes which is better)", "(next word, which is better)"] as const;
const [WRITING, READING] = COMPARING;
const TIMEOUT = { timeoutSeconds: panel.WRITING_TIMEOUT };
/** Maximum score difference of a tie in points; fixed in advance. */
const TIE_POINTS = 0.1;

/** Experiment on position bias: two texts in both orders, compared or scored. */
export const PAIRWISE_ORDERS: panel.Experiment<OrderRow> = {
  name: "orders",
  table: ORDERS,
  async *rounds(opened, run) {
    const ladders = await studyLadders();
    const withTruth = ladders.slice(0, COMPARED_LADDERS).flatMap(orderedPairs)
      .filter(({ a }) => a.errors === 0);
    const repeated = withTruth.filter(({ b }) => b.errors === REPEATED_ERRORS);
    const whole = ladders.slice(0, WHOLE_LADDERS).flatMap(orderedPairs);
    const compared = [...withTruth, ...whole];
    yield scoringRound(ladders, opened, panel.panelSettings(opened, run), run.isOfRun);
    yield* readingRounds(compared, opened, run);
    const drawings = [
      { pairs: compared, seed: 0, temperature: 0 },
      ...REPETITIONS.map((seed) => ({ pairs: repeated, seed, temperature: DRAWING_TEMPERATURE })),
    ];
    for (const { pairs, seed, temperature } of drawings) {
      await using model = await panel.openWriter(run, { seed, temperature });
      if (model === undefined) {
        console.log("No model that writes is asked which text is better.");
        return;
      }
      const judge = pairwise.pairwiseJudge(model, opened.prompts, TIMEOUT);
      // Repetition and temperature have columns of their own.
      const { seed: _seed, temperature: _temperature, ...settings } = judge.settings;
      yield comparingRound(pairs, { ...judge, settings }, WRITING, { run: seed, temperature });
    }
  },
  figures: (stored) => ({ orders: orderFigures(stored(ORDERS)) }),
};

/** Rounds of the judges read by probabilities, without the study's two at chance. */
export function readingRounds(
  pairs: readonly OrderedPair[],
  { readers, prompts }: Pick<OpenPanel, "readers" | "prompts">,
  run: Pick<panel.ExperimentRun, "configuration" | "isOfRun">,
): readonly Round<OrderRow>[] {
  if (run.configuration === FACTUALITY_PATHS.configuration) return [];
  return readers.filter(({ name, settings }) => run.isOfRun(judgeName(name, settings["readout"])))
    .map((model) => {
      const judge = pairwise.readingPairwiseJudge(model, prompts, TIMEOUT);
      // Deterministic: repetitions would give the same answer.
      return comparingRound(pairs, judge, READING, { run: 0, temperature: 0 });
    });
}

/** Ladders of the study. */
export const studyLadders = async () =>
  textLadders(await factbookFields(FACTUALITY_PATHS.cache)).slice(0, SCORED_LADDERS);

/** A text with 0, 1, 2 and 3 planted errors. Each includes the errors of the one before. */
export interface TextLadder {
  readonly country: string;
  /** Texts by number of errors: `texts[k]` has k. */
  readonly texts: readonly LadderText[];
}

export interface LadderText extends panel.ClaimedText {
  readonly errors: number;
}

/** Number of sentences per text, and maximum number of errors. */
const LADDER_SENTENCES = 4;
const MOST_ERRORS = 3;
/**
 * Maximum passage length in characters: a judge in this process reads some hundred tokens per
 * second.
 */
const LONGEST_PASSAGE = 300;

/**
 * Makes ladders of four-sentence texts about held-out countries, one per country, in random order.
 * Errors change a number, unit or capital, as in the verifier's training data. Countries with fewer
 * than four such facts have none.
 */
export function textLadders(fields: readonly FactbookField[]): readonly TextLadder[] {
  const countries = countryMaterial(fields);
  const values = valuesByQuestion(countries.flatMap(({ facts }) => facts));
  const inOrder = heldOutCountries(countries).toSorted((one, other) =>
    one.code < other.code ? -1 : 1
  );
  return randomSource(`${SEED}/ladders`).shuffle(inOrder).flatMap((material) => {
    const random = randomSource(`${SEED}/${material.code}/ladder`);
    const rungs = ladderSentences(material, values, random);
    if (rungs.length < LADDER_SENTENCES) return [];
    const wrongFirst = random.shuffle(rungs);
    const passages = rungs.map(({ passage }) => passage);
    const texts = Array.from({ length: MOST_ERRORS + 1 }, (_, errors): LadderText => {
      const wrong = wrongFirst.slice(0, errors);
      const claims = rungs.map((rung) => wrong.includes(rung) ? rung.wrong : rung.right);
      return { errors, text: claims.join(" "), claims, passages };
    });
    return [{ country: material.country, texts }];
  });
}

/** Draws true sentences at random, with a false value and a passage for each. */
function ladderSentences(
  { facts, passages }: CountryMaterial,
  values: ReadonlyMap<string, readonly string[]>,
  random: RandomSource,
) {
  const rungs: { readonly right: string; readonly wrong: string; readonly passage: Passage }[] = [];
  for (const fact of random.shuffle(facts.filter(hasExclusiveValues))) {
    if (rungs.length === LADDER_SENTENCES) break;
    const passage = passages.find(({ section, text }) =>
      section === fact.field.field && text.includes(fact.value) && text.length <= LONGEST_PASSAGE
    );
    const [right, wrong] = factContrast(fact, values, random)?.versions ?? [];
    if (!passage || !right || !wrong || passage.text.includes(wrong.value)) continue;
    if (rungs.some((rung) => rung.passage.section === passage.section)) continue;
    // A source text has no title, so that its text must name the country.
    const titled = {
      ...passage,
      text: `${passage.title}. ${passage.text}`,
      collection: SOURCE_TEXT,
    };
    rungs.push({ right: right.claim, wrong: wrong.claim, passage: titled });
  }
  return rungs;
}

/**
 * Tests that a fact's values exclude each other: numbers and capitals do, forms of government need
 * not.
 */
function hasExclusiveValues({ value, field: { field } }: Fact): boolean {
  // A coast of 0 km changed to 1 km is no plausible error.
  return /[1-9]/u.test(value) && !/^0[ %]/u.test(value) || field === "Capital";
}

/** Every two texts of a ladder in both orders, twelve tasks; `a` has fewer errors. */
export const orderedPairs = ({ country, texts }: TextLadder) =>
  unorderedPairs(texts).flatMap(([a, b]) =>
    (["a", "b"] as const).map((first) => ({ country, a, b, first }))
  );
type OrderedPair = ReturnType<typeof orderedPairs>[number];

type Drawing = Pick<OrderRow, "run" | "temperature">;

/** Known columns of a pair in one order. Repetition and temperature are 0 without sampling. */
const knownColumns = (
  pair: OrderedPair & { readonly texts?: readonly LadderText[] },
  drawing: Drawing,
) => ({
  country: pair.country,
  errors_a: pair.a.errors,
  errors_b: pair.b.errors,
  first: pair.first,
  ...drawing,
  asked_sha256: addressOf(pair),
});

/** A component's answer about a pair. */
type OrderAnswer =
  & Pick<OrderRow, "component" | "status" | "winner" | "score_a" | "score_b">
  & ServerFailure;

/** Makes the round in which a judge compares two texts with one readout. */
export function comparingRound(
  pairs: readonly OrderedPair[],
  judge: pairwise.PairwiseJudge,
  way: typeof COMPARING[number],
  drawing: Drawing,
): Round<OrderRow> {
  const component = `${judge.name} ${way}`;
  const answerOf = async ({ a, b, first }: OrderedPair, signal: AbortSignal) => {
    const source = a.passages.map(({ text }) => text).join("\n");
    const [one, other] = first === "a" ? [a, b] : [b, a];
    const task = { source, question: "", first: one.text, second: other.text };
    const answer = await judge.compare(task, { signal });
    const lost = panel.serverFailureOf(judge, answer);
    const blank = { component, winner: "", score_a: "", score_b: "", lost } as const;
    if (answer.kind !== "answer") return { ...blank, status: answer.reason };
    const chosen = { ...blank, status: "scored", winner: answer.winner } as const;
    if (answer.first === undefined) return chosen;
    const ofA = first === "a" ? answer.first : 1 - answer.first;
    const [score_a, score_b] = [100 * ofA, 100 * (1 - ofA)].map(panel.shownScore);
    return { ...chosen, score_a: score_a!, score_b: score_b! };
  };
  return {
    label: `comparisons, run ${drawing.run}`,
    items: pairs.map((pair) => ({
      known: knownColumns(pair, drawing),
      ask: async (signal) => [await answerOf(pair, signal)],
    })),
    components: [component],
    settings: judge.settings,
    isOfRun: (name) => name === component,
  };
}

/** Makes the round in which components order texts by their scores, in both orders. */
export function scoringRound(
  ladders: readonly TextLadder[],
  scorers: panel.ScoringPanel,
  settings: ComponentSettings,
  isOfRun: (component: string) => boolean = () => true,
): Round<OrderRow> {
  // Comparisons have rounds of their own.
  const isScored = (name: string) => !COMPARING.some((way) => name.endsWith(way)) && isOfRun(name);
  const inTurn = (texts: readonly LadderText[], signal: AbortSignal) =>
    Array.fromAsync(texts, (text) => panel.panelScores(scorers, text, signal));
  const items = ladders.flatMap((ladder) => {
    const { texts } = ladder;
    const inBothOrders = async (signal: AbortSignal) => ({
      a: await inTurn(texts, signal),
      b: (await inTurn(texts.toReversed(), signal)).toReversed(),
    });
    // Both orders are scored in any case, always in the same sequence.
    let scored: ReturnType<typeof inBothOrders> | undefined;
    return orderedPairs(ladder).map((pair) => ({
      known: knownColumns({ ...pair, texts }, { run: 0, temperature: 0 }),
      async ask(signal: AbortSignal) {
        const scores = (await (scored ??= inBothOrders(signal)))[pair.first];
        const ofB = scores[pair.b.errors]!;
        return scores[pair.a.errors]!.map((ofA, at) => orderAnswer(ofA, ofB[at]!, pair.first));
      },
    }));
  });
  const components = panel.panelNames(scorers);
  return { label: "texts scored", items, components, settings, isOfRun: isScored };
}

/** Answers with the position of the higher score. */
function orderAnswer(
  { component, status, score, ...ofA }: panel.ComponentScore,
  ofB: panel.ComponentScore,
  first: "a" | "b",
): OrderAnswer {
  const lost = ofA.lost ?? ofB.lost;
  if (score === undefined || ofB.score === undefined) {
    const why = score === undefined ? status : ofB.status;
    return { component, status: why, winner: "", score_a: "", score_b: "", lost };
  }
  const difference = first === "a" ? score - ofB.score : ofB.score - score;
  const higher = difference > 0 ? "first" : "second";
  const winner = Math.abs(difference) < TIE_POINTS ? "tie" : higher;
  const [score_a, score_b] = [panel.shownScore(score), panel.shownScore(ofB.score)];
  return { component, status: "scored", winner, score_a, score_b, lost };
}

const knownPair = ({ country, errors_a, errors_b }: OrderRow) =>
  `${country} ${errors_a} ${errors_b}`;

/** A pair answered in both orders, with the planted errors of `a` and `b`. */
type AnsweredPair = ReturnType<typeof pairsOf>[number];

function pairsOf(rows: readonly OrderRow[]) {
  const groups = Map.groupBy(rows, knownPair);
  return [...groups.values()].flatMap((group) => {
    const [aFirst, bFirst] = ["a", "b"].map((first) => group.find((row) => row.first === first));
    if (!aFirst?.winner || !bFirst?.winner) return [];
    const { country, component, errors_a: a, errors_b: b, score_a, score_b } = aFirst;
    const leaning = pairwise.positionBias(aFirst.winner, bFirst.winner);
    const pair = { cluster: country, a, b, leaning };
    const named = (choice: pairwise.OrderedChoice) =>
      ({ first: "a", second: "b", tie: undefined } as const)[choice];
    // Rows of an older version have only the words of a judge that is read.
    if (component.endsWith(READING) && score_a !== "" && bFirst.score_a !== "") {
      const mean = (score_a + bFirst.score_a) / 200;
      return [{ ...pair, winner: named(pairwise.choiceOf(mean)), scores: undefined }];
    }
    // Components that compare by generation have none.
    const scores = score_a === "" || score_b === "" ? undefined : [score_a, score_b] as const;
    // A tie, declared or caused by the order, has no winner.
    return [{ ...pair, winner: leaning === 0 ? named(aFirst.winner) : undefined, scores }];
  });
}

/**
 * Report rows on orders, components in row order: position consistency and accuracy in the first
 * run (judges read by probabilities use the mean of both orders), rank correlation with the ladder,
 * and repeatability of sampled answers.
 */
export function orderFigures(rows: readonly OrderRow[]): readonly ConsistencyStatistics[] {
  const drawnFirst = rows.filter(({ run }) => run === 0);
  const ofFirst = panel.byComponent(drawnFirst).flatMap(([component, ofComponent]) => {
    const pairs = pairsOf(ofComponent);
    const ladders = [...Map.groupBy(pairs, ({ cluster }) => cluster)];
    const figure = (measure: string, bounds: Bounds, items: readonly Observed<number>[]) => (
      { component, group: "all pairs", measure, n: ladders.length, value: mean(items, bounds) }
    );
    const ofPairs = (pairs: readonly AnsweredPair[], valueOf: (pair: AnsweredPair) => number) =>
      pairs.map((pair) => ({ cluster: pair.cluster, value: valueOf(pair) }));
    const correlated = (correlation: typeof kendallTauB) =>
      ladders.flatMap(([cluster, ladder]) => {
        const value = ladderCorrelation(ladder, correlation);
        return value === undefined ? [] : [{ cluster, value }];
      });
    const won = pairs.filter(({ winner }) => winner !== undefined);
    return [
      figure(CONSISTENCY, [0, 1], ofPairs(pairs, ({ leaning }) => Number(leaning === 0))),
      figure(FAIRNESS, [-1, 1], ofPairs(pairs, ({ leaning }) => leaning)),
      figure(DECIDED, [0, 1], ofPairs(pairs, ({ winner }) => Number(!!winner))),
      figure(ACCURACY, [0, 1], ofPairs(won, ({ winner }) => Number(winner === "a"))),
      figure(KENDALL, [-1, 1], correlated(kendallTauB)),
      figure(SPEARMAN, [-1, 1], correlated(spearman)),
    ];
  });
  return [...ofFirst, ...stabilityFigures(rows)];
}

/** Share of pairs whose winner, or declared tie, is the same in both orders. */
export const CONSISTENCY = "position consistency (share of pairs)";
const FAIRNESS = "preference fairness (−1 first … 1 second)";
const DECIDED = "pairs with a winner (share)";
/** Share of winners with fewer errors. */
const ACCURACY = "accuracy where there is a winner (share)";
/** Mean rank correlation over ladders. */
export const KENDALL = "Kendall’s τ-b with the true order";
const SPEARMAN = "Spearman’s ρ with the true order";

/**
 * Rank correlation between a component's order of a ladder and the true order. Fewer errors are
 * better. Texts are ordered by score or, if compared, by wins plus half of the ties (Copeland
 * 1951). Undefined where a pair has no answer or all texts are equal.
 */
function ladderCorrelation(pairs: readonly AnsweredPair[], correlation: typeof kendallTauB) {
  const goodness = new Map<number, number>();
  const add = (errors: number, points: number) =>
    goodness.set(errors, (goodness.get(errors) ?? 0) + points);
  const byScore = pairs.every(({ scores }) => scores !== undefined);
  for (const { a, b, scores, winner } of pairs) {
    if (byScore) goodness.set(a, scores![0]).set(b, scores![1]);
    else {
      const points = winner === undefined ? 0.5 : Number(winner === "a");
      add(a, points);
      add(b, 1 - points);
    }
  }
  const errors = [...goodness.keys()].sort();
  if (pairs.length < errors.length * (errors.length - 1) / 2) return undefined;
  const correlated = correlation(errors.map((k) => -k), errors.map((k) => goodness.get(k)!));
  return correlated.kind === "correlation" ? correlated.coefficient : undefined;
}

/**
 * Repeatability of sampled answers about the same texts in the same order: the mean share of the
 * most frequent choice, after Shi et al. 2024; its minimum with three choices is 1/3.
 */
function stabilityFigures(rows: readonly OrderRow[]) {
  const drawn = rows.filter(({ temperature, winner }) => temperature > 0 && winner !== "");
  return panel.byComponent(drawn).map(([component, ofComponent]) => {
    const byPair = Map.groupBy(ofComponent, (row) => [knownPair(row), row.first].join(" "));
    const queries = [...byPair.values()].filter(({ length }) => length > 1);
    const items = queries.map((query) => {
      const counts = [...Map.groupBy(query, ({ winner }) => winner).values()];
      const most = Math.max(...counts.map(({ length }) => length));
      return { cluster: query[0]!.country, value: most / query.length };
    });
    return {
      component,
      group: `${new Set(ofComponent.map(({ run }) => run)).size} seeds`,
      measure: "repetition stability (share of the most frequent choice)",
      n: queries.length,
      value: mean(items, [0, 1]),
    };
  });
}
