/**
 * Requirement 14: which of two texts has fewer errors, asked in both orders. Texts with 0 to 3 planted
 * errors are compared or scored; symmetry, accuracy, ranks and repetition are read from the answers.
 */
import { mean } from "simple-statistics";
import { askMissing } from "../../files/ask_missing.ts";
import { sha256Hex } from "../../files/atomic.ts";
import { openAsking } from "../../files/progress.ts";
import { everyTwo, type Unavailable, unavailable } from "../../stats/agreement.ts";
import { type Correlation, kendallTauB, spearman } from "../../stats/correlation.ts";
import { clusterBootstrap, type ClusteredValue } from "../../stats/intervals.ts";
import { type RandomSource, randomSource } from "../../stats/random.ts";
import { readPromptTemplates } from "../judges/prompts.ts";
import {
  type BothOrders,
  type Comparison,
  majorityOf,
  type OrderedAnswer,
  type OrderedChoice,
  type Outcome,
  outcomeOf,
  type PairwiseJudge,
  pairwiseJudge,
  positionBias,
  rankCandidates,
} from "../pairwise.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { type FactbookField, factbookFields } from "../retrieval/factbook.ts";
import { factContrast, valuesByQuestion } from "../training/edits.ts";
import { KNOWLEDGE_SEED } from "../training/knowledge_claims.ts";
import { splitCountries } from "../training/splits.ts";
import { type CountryMaterial, countryMaterial, type Fact } from "../training/statements.ts";
import { type Passage, SOURCE_TEXT, type Unscored } from "../types.ts";
import {
  askPanel,
  type ComponentScore,
  type ConsistencyFigure,
  type ExperimentRun,
  openPanel,
  openWriter,
  panelNames,
  panelScores,
  panelSettings,
  type ScoredText,
  type ScoringPanel,
  shortSha256,
  shownScore,
  WRITING_TIMEOUT,
} from "./panel.ts";
import { type OrderRow, ORDERS } from "./tables.ts";

/** One draw for whoever scores and whoever compares. */
const SEED = "robustness/orders";
const SCORED_LADDERS = 12;
/** A comparison takes seconds: the true text against each other one, and some ladders whole. */
const COMPARED_LADDERS = 10;
const WHOLE_LADDERS = 4;
/** Seeds of the repetitions, at a temperature at which another seed can say something else. */
const REPETITIONS = [1, 2];
const REPEATED_ERRORS = 2;
const REPETITION_TEMPERATURE = 0.7;
const COMPARING = "SmolLM2-135M-Instruct (writes which is better)";
/** Scores nearer than this many points are a tie; fixed beforehand. */
const TIE_POINTS = 0.1;

/** Asks what of this experiment is not answered yet. @returns whether all is answered by now. */
export async function askOrders(run: ExperimentRun): Promise<boolean> {
  const ladders = await studyLadders();
  const texts = sha256Hex(JSON.stringify(ladders)).slice(0, 16);
  const table = ORDERS.at(run.place(ORDERS.path));
  {
    await using opened = await openPanel(run);
    const settings = shortSha256({ ...panelSettings(opened), texts });
    if (!await askScoring(ladders, opened, { table, settings, signal: run.signal })) return false;
  }
  const compared = ladders.slice(0, COMPARED_LADDERS).flatMap(orderedPairs);
  const withTruth = compared.filter(({ a }) => a.errors === 0);
  const repeated = withTruth.filter(({ b }) => b.errors === REPEATED_ERRORS);
  const whole = ladders.slice(0, WHOLE_LADDERS).flatMap(orderedPairs);
  const rounds = [
    { pairs: withTruth, seed: 0, temperature: 0 },
    ...REPETITIONS.map((seed) => ({ pairs: repeated, seed, temperature: REPETITION_TEMPERATURE })),
    { pairs: whole, seed: 0, temperature: 0 },
  ];
  for (const { pairs, seed, temperature } of rounds) {
    const prompts = await readPromptTemplates(FACTUALITY_PATHS.prompts);
    await using model = await openWriter({ seed, temperature, threads: run.threads });
    const judge = pairwiseJudge(model, prompts, { timeoutSeconds: WRITING_TIMEOUT });
    const { seed: _seed, temperature: _temperature, ...own } = judge.settings;
    const settings = shortSha256({ ...own, texts });
    const asked = { judge, component: COMPARING, run: seed, temperature };
    if (!await askComparing(pairs, asked, { table, settings, signal: run.signal })) return false;
  }
  return true;
}

/** The ladders of the study. */
export async function studyLadders(): Promise<readonly TextLadder[]> {
  const fields = await factbookFields(FACTUALITY_PATHS.cache);
  return textLadders(fields, { count: SCORED_LADDERS, seed: SEED });
}

/** The same text with 0, 1, 2 and 3 planted errors; each has the errors of the one before it. */
export interface TextLadder {
  readonly country: string;
  /** `texts[k]` has k errors. */
  readonly texts: readonly LadderText[];
}

export interface LadderText extends ScoredText {
  readonly errors: number;
}

/** Sentences a text has, and the most of them that are wrong. */
const LADDER_SENTENCES = 4;
const MOST_ERRORS = 3;
/** In characters: a judge in this process reads some hundred tokens a second. */
const LONGEST_PASSAGE = 300;

/**
 * Texts of four sentences about countries that nothing was trained on, one ladder a country, in an
 * order drawn by lot: of each the first k errors are planted, so that the truth orders them 0 < 1 < 2
 * < 3. An error is another number, unit or capital, as the verifier met them in training about other
 * countries; its sentences come of the same templates. Countries with fewer than four such facts have
 * none.
 *
 * @param count At most so many.
 */
export function textLadders(
  fields: readonly FactbookField[],
  { count, seed }: { readonly count: number; readonly seed: number | string },
): readonly TextLadder[] {
  const countries = countryMaterial(fields);
  const splits = splitCountries(countries.map(({ code }) => code), KNOWLEDGE_SEED);
  const values = valuesByQuestion(countries.flatMap(({ facts }) => facts));
  const heldOut = countries.filter(({ code }) => splits.get(code) === "test")
    .toSorted((one, other) => one.code < other.code ? -1 : 1);
  return randomSource(`${seed}/ladders`).shuffle(heldOut).flatMap((material) => {
    const random = randomSource(`${seed}/${material.code}/ladder`);
    const rungs = rungsOf(material, values, random);
    return rungs.length < LADDER_SENTENCES ? [] : [ladder(material.country, rungs, random)];
  }).slice(0, count);
}

/** A true sentence, the same with another value, and the passage that tells them apart. */
interface Rung {
  readonly right: string;
  readonly wrong: string;
  readonly passage: Passage;
}

function ladder(country: string, rungs: readonly Rung[], random: RandomSource): TextLadder {
  const wrongFirst = random.shuffle(rungs);
  const passages = rungs.map(({ passage }) => passage);
  const texts = Array.from({ length: MOST_ERRORS + 1 }, (_, errors): LadderText => {
    const wrong = wrongFirst.slice(0, errors);
    const claims = rungs.map((rung) => wrong.includes(rung) ? rung.wrong : rung.right);
    return { errors, text: claims.join(" "), claims, passages };
  });
  return { country, texts };
}

/** So many sentences by lot, each on a passage of its own. */
function rungsOf(
  material: CountryMaterial,
  values: ReadonlyMap<string, readonly string[]>,
  random: RandomSource,
): readonly Rung[] {
  const rungs: Rung[] = [];
  for (const fact of random.shuffle(material.facts.filter(tellsApart))) {
    const rung = rungOf(fact, material, values, random);
    if (rung === undefined) continue;
    if (rungs.some(({ passage }) => passage.section === rung.passage.section)) continue;
    rungs.push(rung);
    if (rungs.length === LADDER_SENTENCES) break;
  }
  return rungs;
}

/** Numbers and capitals exclude one another; a government can be a republic and a presidential one. */
function tellsApart({ value, field: { field } }: Fact): boolean {
  // A coast of 0 km made one of 1 km is no error that anybody would make.
  return /[1-9]/u.test(value) && !/^0[ %]/u.test(value) || field === "Capital";
}

function rungOf(
  fact: Fact,
  { passages }: CountryMaterial,
  values: ReadonlyMap<string, readonly string[]>,
  random: RandomSource,
): Rung | undefined {
  const passage = passages.find(({ section, text }) =>
    section === fact.field.field && text.includes(fact.value) && text.length <= LONGEST_PASSAGE
  );
  const contrast = factContrast(fact, values, random);
  if (passage === undefined || contrast === undefined) return undefined;
  const [right, wrong] = contrast.versions.map(({ claim }) => claim) as [string, string];
  if (passage.text.includes(contrast.versions[1].value)) return undefined;
  // A source text has no title: without its country in the text no claim about it is borne out.
  const text = `${passage.title}. ${passage.text}`;
  return { right, wrong, passage: { ...passage, text, collection: SOURCE_TEXT } };
}

/** Two texts of a ladder in one order; `a` has fewer errors. */
interface OrderedPair {
  readonly country: string;
  readonly a: LadderText;
  readonly b: LadderText;
  readonly first: "a" | "b";
}

/** Every two texts of a ladder, each in both orders: twelve. */
export function orderedPairs({ country, texts }: TextLadder): readonly OrderedPair[] {
  return everyTwo(texts).flatMap(([a, b]) =>
    (["a", "b"] as const).map((first) => ({ country, a, b, first }))
  );
}

/** Where the answers go. */
interface OrdersAsking {
  readonly table: typeof ORDERS;
  /** Hash of whatever could change an answer. */
  readonly settings: string;
  readonly signal: AbortSignal;
}

/** Who answers, and how it draws its words: with 0, 0 there is no chance in it. */
interface Answering {
  readonly component: string;
  readonly run: number;
  readonly temperature: number;
}

/** What of a row is known before the answer. */
function frame({ country, a, b, first }: OrderedPair, { component, run, temperature }: Answering) {
  return { country, errors_a: a.errors, errors_b: b.errors, first, component, run, temperature };
}

const keyOf = (pair: OrderedPair, answering: Answering) =>
  JSON.stringify(Object.values(frame(pair, answering)));

/** Asks a judge which of two texts is more accurate. @returns whether all are answered. */
export async function askComparing(
  pairs: readonly OrderedPair[],
  asked: Answering & { readonly judge: PairwiseJudge },
  { table, settings, signal }: OrdersAsking,
): Promise<boolean> {
  using open = table.open();
  using progress = openAsking(`comparisons, run ${asked.run}`);
  const { missing } = await askMissing({
    questions: pairs,
    keyOf: (pair) => keyOf(pair, asked),
    table: open,
    isCurrent: (row) => row.settings_sha256 === settings && row.status !== "time-out",
    async ask(pair, signal): Promise<OrderRow> {
      const { a, b, first } = pair;
      const source = a.passages.map(({ text }) => text).join("\n");
      const [one, other] = first === "a" ? [a, b] : [b, a];
      const task = { source, question: "", first: one.text, second: other.text };
      const answer = await asked.judge.compare(task, { signal });
      return {
        ...frame(pair, asked),
        status: answer.kind === "answer" ? "scored" : answer.reason,
        winner: answer.kind === "answer" ? answer.winner : "",
        score_a: "",
        score_b: "",
        settings_sha256: settings,
      };
    },
    signal,
    onProgress: progress.show,
  });
  if (missing > 0) return false;
  open.finish((row) => row.component !== asked.component || row.settings_sha256 === settings);
  return true;
}

/**
 * Lets components that score one text at a time order the texts of ladders. They are asked twice, from
 * the text without errors on and the other way round: what one of them holds in its cache must not
 * change what it says.
 */
export async function askScoring(
  ladders: readonly TextLadder[],
  panel: ScoringPanel,
  { table, settings, signal }: OrdersAsking,
): Promise<boolean> {
  const names = panelNames(panel);
  const rounds = new Map<LadderText, Promise<ReadonlyMap<LadderText, readonly ComponentScore[]>>>();
  /** Scores of a ladder's texts, the given one asked first. */
  const scored = (texts: readonly LadderText[], signal: AbortSignal) => {
    const round = rounds.get(texts[0]!) ?? (async () => {
      const scores = new Map<LadderText, readonly ComponentScore[]>();
      for (const text of texts) scores.set(text, await panelScores(panel, text, signal));
      return scores;
    })();
    rounds.set(texts[0]!, round);
    return round;
  };
  const textsOf = new Map(ladders.map(({ country, texts }) => [country, texts]));
  const answering = (component: string) => ({ component, run: 0, temperature: 0 });
  return await askPanel({
    items: ladders.flatMap(orderedPairs),
    componentsOf: () => names,
    keyOf: (pair, component) => keyOf(pair, answering(component)),
    async ask(pair, signal) {
      const texts = textsOf.get(pair.country)!;
      // Both rounds, whichever is wanted: the second stands after the first in every run.
      const forward = await scored(texts, signal);
      const backward = await scored(texts.toReversed(), signal);
      const scores = pair.first === "a" ? forward : backward;
      return scoredRows(pair, scores.get(pair.a)!, scores.get(pair.b)!, settings);
    },
    table,
    settings,
    isOwn: ({ component }) => component !== COMPARING,
    label: "texts scored",
    signal,
  });
}

function scoredRows(
  pair: OrderedPair,
  ofA: readonly ComponentScore[],
  ofB: readonly ComponentScore[],
  settings: string,
): readonly OrderRow[] {
  return ofA.map(({ component, status, score }, at): OrderRow => {
    const other = ofB[at]!;
    const known = frame(pair, { component, run: 0, temperature: 0 });
    const settings_sha256 = settings;
    if (score === undefined || other.score === undefined) {
      const why = score === undefined ? status : other.status;
      return { ...known, status: why, winner: "", score_a: "", score_b: "", settings_sha256 };
    }
    return {
      ...known,
      status: "scored",
      winner: winnerOf(score, other.score, pair.first),
      score_a: shownScore(score),
      score_b: shownScore(other.score),
      settings_sha256,
    };
  });
}

/** The place of the higher score. */
export function winnerOf(scoreA: number, scoreB: number, first: "a" | "b"): OrderedChoice {
  const difference = first === "a" ? scoreA - scoreB : scoreB - scoreA;
  if (Math.abs(difference) < TIE_POINTS) return "tie";
  return difference > 0 ? "first" : "second";
}

/** A pair with the answers in both orders. */
interface AnsweredPair {
  readonly country: string;
  readonly a: number;
  readonly b: number;
  readonly answers: BothOrders;
  readonly outcome: Outcome;
  /** Undefined for components that compare. */
  readonly scores: readonly [number, number] | undefined;
}

/** A text of a ladder, as outcomes name it. */
const PREFIX = "k = ";
const textId = (errors: number) => `${PREFIX}${errors}`;

/** The pairs that stand in both orders; one that was broken off in between is not there yet. */
function pairsOf(rows: readonly OrderRow[]): readonly AnsweredPair[] {
  const groups = Map.groupBy(
    rows,
    ({ country, errors_a, errors_b }) => JSON.stringify([country, errors_a, errors_b]),
  );
  return [...groups.values()].flatMap((group) => {
    const [aFirst, bFirst] = ["a", "b"].map((first) => group.find((row) => row.first === first));
    if (aFirst === undefined || bFirst === undefined) return [];
    const { country, errors_a: a, errors_b: b, score_a, score_b } = aFirst;
    const answers = { aFirst: answerOf(aFirst), bFirst: answerOf(bFirst) };
    const scores = score_a === "" || score_b === "" ? undefined : [score_a, score_b] as const;
    const outcome = outcomeOf(answers, textId(a), textId(b));
    return [{ country, a, b, answers, outcome, scores }];
  });
}

/** Enough of an answer to tell the outcome; the reasoning is not kept. */
function answerOf({ status, winner, component }: OrderRow): OrderedAnswer | Unscored {
  const provenance = { producedBy: component, modelSha256: undefined, promptSha256: undefined };
  if (status === "scored" && winner !== "") {
    return { kind: "answer", winner, reasoning: "", parse: "complete", provenance };
  }
  const reason = status === "scored" ? "failure" : status;
  return { kind: "unscored", reason, message: reason, partialText: undefined, provenance };
}

/** A share or mean with its interval by country. */
type Estimate = ReturnType<typeof clusterBootstrap>;

/** A figure of one component with its interval; the same rows give the same one. */
function estimated<T>(
  component: string,
  figure: string,
  items: readonly ClusteredValue<T>[],
  statistic: (values: readonly T[]) => number | undefined,
): Estimate {
  const random = randomSource(`orders/${component}/${figure}`);
  return clusterBootstrap({ items, statistic, resamples: 2_000, confidence: 0.95, random });
}

/** How far a component's choices bear the exchange of two texts, and how often they are right. */
export interface OrderSummary {
  readonly component: string;
  /** Pairs answered in both orders, those without an answer in one, and countries. */
  readonly pairs: number;
  readonly unscored: number;
  readonly countries: number;
  /** Share of pairs with the same outcome in both orders; the others are order-inconsistent ties. */
  readonly consistency: Estimate;
  /** −1 always the first, 0 fair, 1 always the second. */
  readonly preferenceFairness: Estimate;
  /** Share of all pairs with a winner. */
  readonly decided: Estimate;
  /** Pairs with a winner, and those of them where it is the text with fewer errors. */
  readonly won: number;
  readonly right: number;
  /** Of the pairs with a winner, those where it is the text with fewer errors. */
  readonly accuracy: Estimate;
  /** The mean over ladders of the correlation of the component's order with the true one. */
  readonly kendall: Estimate;
  readonly spearman: Estimate;
  /** Ladders without a correlation: a pair has no answer, or all texts are alike to the component. */
  readonly unordered: number;
}

/** Every component in the order of the rows, of the first run: no repetitions. */
export function orderSummaries(rows: readonly OrderRow[]): readonly OrderSummary[] {
  const first = rows.filter(({ run }) => run === 0);
  return [...Map.groupBy(first, ({ component }) => component)]
    .map(([component, own]) => summaryOf(component, pairsOf(own)));
}

function summaryOf(component: string, pairs: readonly AnsweredPair[]): OrderSummary {
  const scored = pairs.filter(({ outcome }) => outcome.kind !== "unscored");
  const items = <T>(own: readonly AnsweredPair[], value: (pair: AnsweredPair) => T) =>
    own.map((pair): ClusteredValue<T> => ({ cluster: pair.country, value: value(pair) }));
  const share = (values: readonly boolean[]) =>
    values.length === 0 ? undefined : mean(values.map(Number));
  const bias = (name: string, figure: "consistency" | "preferenceFairness") =>
    estimated(component, name, items(scored, ({ answers }) => answers), (all) => {
      const found = positionBias(all);
      return found.kind === "unavailable" ? undefined : found[figure];
    });
  const won = scored.filter(({ outcome }) => outcome.kind === "winner");
  const right = items(
    won,
    ({ outcome, a }) => outcome.kind === "winner" && outcome.winner === textId(a),
  );
  const decided = items(scored, ({ outcome }) => outcome.kind === "winner");
  return {
    component,
    pairs: scored.length,
    unscored: pairs.length - scored.length,
    countries: new Set(scored.map(({ country }) => country)).size,
    consistency: bias("consistency", "consistency"),
    preferenceFairness: bias("fairness", "preferenceFairness"),
    decided: estimated(component, "decided", decided, share),
    won: won.length,
    right: right.filter(({ value }) => value).length,
    accuracy: estimated(component, "accuracy", right, share),
    ...rankings(component, scored),
  };
}

function rankings(component: string, pairs: readonly AnsweredPair[]) {
  const ladders = [...Map.groupBy(pairs, ({ country }) => country)];
  const correlated = (of: typeof kendallTauB) =>
    ladders.map(([cluster, own]) => ({ cluster, value: ladderCorrelation(own, of) }));
  const meanOf = (name: string, of: typeof kendallTauB) => {
    const items = correlated(of).flatMap(({ cluster, value }) =>
      value.kind === "correlation" ? [{ cluster, value: value.coefficient }] : []
    );
    return estimated(component, name, items, (values) => mean([...values]));
  };
  return {
    kendall: meanOf("tau", kendallTauB),
    spearman: meanOf("rho", spearman),
    unordered: correlated(kendallTauB).filter(({ value }) => value.kind === "unavailable").length,
  };
}

/**
 * How far a component's order of a ladder's texts is the true one, fewer errors being better. Texts are
 * ordered by their scores, or, where they were compared, by wins and half of the ties.
 */
function ladderCorrelation(
  pairs: readonly AnsweredPair[],
  correlation: typeof kendallTauB,
): Correlation | Unavailable {
  const goodness = scoresOf(pairs) ?? winsOf(pairs);
  const errors = [...goodness.keys()].sort();
  if (pairs.length < errors.length * (errors.length - 1) / 2) {
    return unavailable("a pair has no answer");
  }
  return correlation(errors.map((k) => -k), errors.map((k) => goodness.get(k)!));
}

function scoresOf(pairs: readonly AnsweredPair[]): ReadonlyMap<number, number> | undefined {
  const found = new Map<number, number>();
  for (const { a, b, scores } of pairs) {
    if (scores === undefined) return undefined;
    found.set(a, scores[0]).set(b, scores[1]);
  }
  return found;
}

function winsOf(pairs: readonly AnsweredPair[]): ReadonlyMap<number, number> {
  const comparisons = pairs.map(({ a, b, answers, outcome }): Comparison => {
    const candidates = [textId(a), textId(b)] as const;
    return {
      candidates,
      votes: { a: 0, b: 0, declaredTie: 0, orderInconsistentTie: 0, unscored: 0 },
      judges: [{ judge: "", answers, outcome }],
      outcome: majorityOf([outcome], ...candidates),
    };
  });
  return new Map(
    rankCandidates(comparisons).standings.map(({ candidate, score }) =>
      [Number(candidate.slice(PREFIX.length)), score ?? 0] as const
    ),
  );
}

/** How often a component says the same of the same two texts in the same order. */
interface StabilitySummary {
  readonly component: string;
  /** Ordered pairs that were answered at least twice at a temperature over 0. */
  readonly queries: number;
  readonly repetitions: number;
  /** Mean share of the most frequent choice, after Shi et al. 2024; 1/3 is the least of three. */
  readonly stability: Estimate;
}

/** Repetition stability of the runs that draw their words, those without chance left out. */
export function orderStability(rows: readonly OrderRow[]): readonly StabilitySummary[] {
  const drawn = rows.filter(({ temperature, winner }) => temperature > 0 && winner !== "");
  return [...Map.groupBy(drawn, ({ component }) => component)].map(([component, own]) => {
    const byQuery = Map.groupBy(
      own,
      ({ country, errors_a, errors_b, first }) =>
        JSON.stringify([country, errors_a, errors_b, first]),
    );
    const queries = [...byQuery.values()].filter(({ length }) => length > 1);
    const items = queries.map((query) => ({
      cluster: query[0]!.country,
      value: mostFrequent(query.map(({ winner }) => winner)),
    }));
    return {
      component,
      queries: queries.length,
      repetitions: new Set(own.map(({ run }) => run)).size,
      stability: estimated(component, "stability", items, (values) => mean([...values])),
    };
  });
}

/** Share of the most frequent of the choices, 0–1. */
function mostFrequent(choices: readonly string[]): number {
  const counts = [...Map.groupBy(choices, (choice) => choice).values()];
  return Math.max(...counts.map(({ length }) => length)) / choices.length;
}

const MEASURES = [
  ["position consistency (share of pairs)", "consistency"],
  ["preference fairness (−1 first … 1 second)", "preferenceFairness"],
  ["pairs with a winner (share)", "decided"],
  ["accuracy where there is a winner (share)", "accuracy"],
  ["Kendall’s τ-b with the true order", "kendall"],
  ["Spearman’s ρ with the true order", "spearman"],
] as const;

/** The report's rows on orders: symmetry, accuracy and ranks by component, and repetition stability. */
export function orderFigures(rows: readonly OrderRow[]): readonly ConsistencyFigure[] {
  const ofSummary = orderSummaries(rows).flatMap((summary) =>
    MEASURES.map(([measure, name]): ConsistencyFigure => ({
      component: summary.component,
      group: "all pairs",
      measure,
      n: summary.countries,
      value: summary[name],
    }))
  );
  const ofRepetition = orderStability(rows).map((one): ConsistencyFigure => ({
    component: one.component,
    group: `${one.repetitions} seeds`,
    measure: "repetition stability (share of the most frequent choice)",
    n: one.queries,
    value: one.stability,
  }));
  return [...ofSummary, ...ofRepetition];
}
