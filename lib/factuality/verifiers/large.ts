import { z } from "zod";
import { askedSettings } from "../../files/asking.ts";
import { shownPath } from "../../files/atomic.ts";
import { parseJson } from "../../files/json.ts";
import { eachGroupInFlight } from "../../models/in_flight.ts";
import { QWEN_CODER } from "../../models/llama/local_models.ts";
import type { AnswerModel } from "../../models/model.ts";
import { logistic } from "../../stats/uncertainty.ts";
import { CLAIM_TIMEOUT, verifierKind, WORDS } from "../component.ts";
import { failedHow, nestedProbabilities, scoredVerdict, type Unread, unread } from "../decision.ts";
import { PLATT_SCALING, type PlattScaling, refused } from "../judges/ensemble.ts";
import { openAnswers } from "../judges/gguf.ts";
import { fillTemplate, readPromptTemplates } from "../judges/prompts.ts";
import type { PromptTemplate, PromptTemplates } from "../judges/prompts.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { termsOf } from "../retrieval/index.ts";
import { MEASURED, SHA256, SHARE, VERDICT_LABELS } from "../types.ts";
import type { Passage, Provenance, Stoppable, Verdict, VerdictProbabilities } from "../types.ts";
import type { Verifier } from "../types.ts";
import { chunksOf, claimTerms, combineAnswers, type SourceChunk, verdictOf } from "./chunks.ts";
import { openTrainedVerifier } from "./head.ts";

/** Most tokens of a prompt: instructions, a window and a claim of 220 each. */
const CONTEXT_TOKENS = 1024;

/** The packaged chat model as a verifier, as it ships: other weights would need other scaling. */
export const large = verifierKind(
  z.strictObject({
    kind: z.literal("large"),
    /** Qwen2.5-Coder-1.5B-Instruct, fetched once, or the same file where it lies already. */
    path: WORDS.optional(),
    calibration: WORDS.default(FACTUALITY_PATHS.largeVerifier),
    ...CLAIM_TIMEOUT,
  }),
  async ({ path, calibration: file }, opening) => {
    const calibration = readLargeCalibration(file);
    const template = await largeTemplate(calibration, opening.prompts);
    const { id, licence, package: packageName, sha256 } = QWEN_CODER;
    const place = path === undefined ? { package: packageName } : { path };
    const common = { id, licence, sha256, quantisation: "none" } as const;
    const entry = { ...common, ...place, contextTokens: CONTEXT_TOKENS };
    const { model } = await openAnswers(entry, opening);
    const { windowTokens, windows, besideSha256 } = calibration;
    const { cacheDirectory, threads, resources } = opening;
    const beside = resources.use(await openTrainedVerifier({ cacheDirectory, threads }));
    if (beside.settings["headSha256"] !== besideSha256) {
      throw new Error(
        `Cannot scale what the large verifier says: ${shownPath(file)} was fitted beside another ` +
          'trained verifier. Restore it, or run "deno task study judges --large".',
      );
    }
    const reading = { windowTokens, windows };
    return largeVerifier(model, template, { calibration, modelSha256: sha256, reading, beside });
  },
  { keepsPrecision: true, isSlow: true },
);

/** How much of a source is read, and what makes probabilities of what was read. */
export interface LargeVerifierOptions {
  /** Without one the probabilities are the shares of the three answers. */
  readonly calibration: VerdictCalibration | undefined;
  /** Of the file as it was published; undefined for a server. */
  readonly modelSha256: string | undefined;
  readonly reading: Reading;
  /** Another verifier, whose log-odds are added to the model's before they are scaled. */
  readonly beside?: Verifier | undefined;
}

/** How sources are cut. */
interface Reading {
  /** Most tokens of a window, ≥ 1; of a claim, too. */
  readonly windowTokens: number;
  /** Windows that a claim is read against, those with most of its terms, ≥ 1. */
  readonly windows: number;
}

/**
 * A chat model, of a billion weights or more as a rule, as a verifier: it reads a window of the source,
 * then the claim, and the three probabilities are those of the words that it would answer with. Window by
 * window, the claims after one another, so that a model which keeps what it has read reads a window
 * once. A claim is held against the windows with most of its terms; the strongest decides.
 * @throws {RangeError} for a prompt that is not of the kind `verdict`.
 */
export function largeVerifier(
  model: AnswerModel,
  template: PromptTemplate,
  { calibration, modelSha256, reading, beside }: LargeVerifierOptions,
): Verifier {
  const { name, settings } = model;
  const provenance = { producedBy: name, modelSha256, promptSha256: template.sha256 };
  verdictWordsOf(template);
  return {
    name,
    settings: {
      ...settings,
      ...reading,
      prompt: template.name,
      ...calibration ? scalingSettings(calibration) : { calibrated: false },
      ...beside
        ? { beside: beside.name, besideSettings: JSON.stringify(askedSettings(beside.settings)) }
        : {},
    },
    async verify(claims, passages, options = {}) {
      const answers = await readClaims(claims, passages, { model, template, reading, ...options });
      const others = await beside?.verify(claims, passages, options);
      return answers.map((read, at) =>
        verdictOf(
          read,
          provenance,
          (windows) =>
            calibratedVerdict(windows, calibration ?? UNSCALED, provenance, others?.[at]),
        )
      );
    },
  };
}

const scalingSettings = ({ supported, refuted }: VerdictCalibration) => ({
  supportedSlope: supported.slope,
  supportedIntercept: supported.intercept,
  refutedSlope: refuted.slope,
  refutedIntercept: refuted.intercept,
});

/** Odds as they are. */
const UNSCALED = { supported: { slope: 1, intercept: 0 }, refuted: { slope: 1, intercept: 0 } };

/** The words that a model chooses among, in the order of the labels. */
function verdictWordsOf({ name, verdictWords }: PromptTemplate): readonly string[] {
  if (verdictWords) return VERDICT_LABELS.map((label) => verdictWords[label]);
  throw new RangeError(`Cannot verify by the prompt ${name}: it must be a verdict prompt`);
}

function calibratedVerdict(
  read: readonly WindowReading[],
  calibration: VerdictCalibration,
  provenance: Provenance,
  beside: Verdict | undefined,
): Verdict {
  const { deciding, ...combined } = combineAnswers(
    read.map((one) => {
      const odds = addedOdds(one.odds, beside);
      return { ...one, probabilities: verdictProbabilities(odds, calibration) };
    }),
  );
  const verdict = scoredVerdict({ ...combined, provenance });
  const own = { feature: "next word", words: deciding.words, speaksFor: verdict.label };
  return { ...verdict, findings: [own, ...beside?.kind === "scored" ? beside.findings : []] };
}

/** The odds and those of another verdict on the same claim; one that was not scored adds nothing. */
export function addedOdds(odds: VerdictOdds, beside: Verdict | undefined): VerdictOdds {
  if (beside?.kind !== "scored") return odds;
  const other = verdictOdds(VERDICT_LABELS.map((label) => beside.probabilities[label]));
  return { supported: odds.supported + other.supported, refuted: odds.refuted + other.refuted };
}

/** What the model says of a claim beside one window. */
interface WindowReading {
  /** The stretch of the window that has most of the claim's terms. */
  readonly chunk: SourceChunk;
  readonly odds: VerdictOdds;
  /** Probability of all words that are no answer, 0–1. */
  readonly other: number;
  /** `P(Yes) 0.912, P(No) 0.051, P(Unknown) 0.033, other words 0.004`. */
  readonly words: string;
}

/** Of every window that a claim was read against; undefined without a source. */
export type ClaimReading = readonly WindowReading[] | Unread | undefined;

/** Reads each claim against its windows. @throws {RangeError} as {@link largeVerifier} does. */
export async function readClaims(
  claims: readonly string[],
  passages: readonly Passage[],
  { model, template, reading: { windowTokens, windows: most }, signal }: Stoppable & {
    readonly model: AnswerModel;
    readonly template: PromptTemplate;
    readonly reading: Reading;
  },
): Promise<readonly ClaimReading[]> {
  const words = verdictWordsOf(template);
  const windows = sourceWindows(passages, windowTokens, (text) => model.countTokens(text));
  if (windows.length === 0) return claims.map(() => undefined);
  const tooLong = claims.map((claim) => {
    const tokens = model.countTokens(claim);
    const read = `${model.name} reads at most ${windowTokens}`;
    const words = `The claim has ${tokens} tokens; ${read}.`;
    return tokens > windowTokens ? unread("too long", words) : undefined;
  });
  const held = windows.map(withTerms);
  const chosen = claims.map((claim) => windowsFor(claim, held).slice(0, most));
  const asked = windows.map(({ premise }, index) =>
    claims.flatMap((claim, i) => {
      const place = chosen[i]!.find((one) => one.index === index);
      const isAsked = place !== undefined && tooLong[i] === undefined;
      return isAsked ? [{ premise, claim, i, index, chunk: place.chunk }] : [];
    })
  ).filter((ofWindow) => ofWindow.length > 0);
  const answers: (WindowReading | Unread)[][] = claims.map(() => []);
  const atOnce = model.concurrency ?? 1;
  await eachGroupInFlight(asked, atOnce, async ({ premise, claim, i, index, chunk }) => {
    signal?.throwIfAborted();
    const prompt = fillTemplate(template, { passages: premise, claim });
    const reply = await model.answer(prompt, words, signal && { signal });
    answers[i]![index] = windowReading(reply, words, chunk);
  });
  return claims.map((_, i) => {
    const ofClaim = answers[i]!.filter((answer) => answer !== undefined);
    // What was not read may have been what bears the claim out.
    const unread = tooLong[i] ?? ofClaim.find((answer) => "kind" in answer);
    return unread ?? ofClaim.filter((answer) => "odds" in answer);
  });
}

function windowReading(
  reply: Awaited<ReturnType<AnswerModel["answer"]>>,
  words: readonly string[],
  chunk: SourceChunk,
): WindowReading | Unread {
  if (reply.kind === "failure") return unread(failedHow(reply), reply.message);
  if (reply.kind === "refusal") return refused(reply.text);
  const { answers, other } = reply;
  const said = answers.map((mass, i) => `P(${words[i]}) ${mass.toFixed(3)}`).join(", ") +
    `, other words ${other.toFixed(3)}`;
  if (answers.every((mass) => mass === 0)) {
    return unread("malformed answer", `None of the answers has any probability: ${said}.`);
  }
  return { chunk, odds: verdictOdds(answers), other, words: said };
}

/** Neighbouring stretches of the sources that are read at once. */
interface SourceWindow {
  readonly chunks: readonly SourceChunk[];
  readonly premise: string;
}

/** A window with the terms of it and of its stretches, read once for all claims. */
type ReadWindow = ReturnType<typeof withTerms>;

const setOf = ({ premise }: { readonly premise: string }) => new Set(termsOf(premise));
const withTerms = (window: SourceWindow) => ({
  terms: setOf(window),
  chunks: window.chunks.map((chunk) => ({ chunk, terms: setOf(chunk) })),
});

/** The passages in windows of at most `limit` tokens, each as many stretches as fit; none blank. */
export function sourceWindows(
  passages: readonly Passage[],
  limit: number,
  countTokens: (text: string) => number,
): readonly SourceWindow[] {
  const windows: SourceWindow[] = [];
  const chunks = passages.filter(({ text }) => /\S/.test(text))
    .flatMap((passage) => chunksOf(passage, limit, countTokens));
  for (const chunk of chunks) {
    const last = windows.at(-1);
    const premise = last ? `${last.premise}\n${chunk.premise}` : "";
    if (last && countTokens(premise) <= limit) {
      windows[windows.length - 1] = { chunks: [...last.chunks, chunk], premise };
    } else windows.push({ chunks: [chunk], premise: chunk.premise });
  }
  return windows;
}

/** The windows by how much of a claim's terms they hold, the most first; see {@link claimTerms}. */
function windowsFor(claim: string, windows: readonly ReadWindow[]) {
  const holding = (term: string) => windows.filter(({ terms }) => terms.has(term)).length;
  const { weightIn } = claimTerms(claim, windows.length, holding);
  return windows.map(({ chunks, terms }, index) => {
    const { chunk } = chunks.reduce((best, one) =>
      weightIn(one.terms) > weightIn(best.terms) ? one : best
    );
    return { index, chunk, weight: weightIn(terms) };
  }).toSorted((a, b) => b.weight - a.weight || a.index - b.index);
}

/** Log-odds in nats: supported against the rest, and refuted against not enough info. */
export type VerdictOdds = Readonly<Record<"supported" | "refuted", number>>;

/** Below the probability of any word that is told: keeps odds finite, within ±21 nats. */
const LEAST = 1e-9;

/** The odds of three probabilities, which need not sum to 1. */
export function verdictOdds(answers: readonly number[]): VerdictOdds {
  const [supported, refuted, silent] = answers as [number, number, number];
  const odds = (one: number, other: number) => Math.log((one + LEAST) / (other + LEAST));
  return { supported: odds(supported, refuted + silent), refuted: odds(refuted, silent) };
}

/** Platt's scaling of both odds; the second is fitted to claims that are not supported alone. */
export interface VerdictCalibration {
  readonly supported: PlattScaling;
  readonly refuted: PlattScaling;
}

/** The calibrated probabilities at these odds. */
export function verdictProbabilities(
  odds: VerdictOdds,
  calibration: VerdictCalibration,
): VerdictProbabilities {
  const share = (side: keyof VerdictOdds) => {
    const { slope, intercept } = calibration[side];
    return logistic(slope * odds[side] + intercept);
  };
  return nestedProbabilities(share("supported"), share("refuted"));
}

/** The prompt that a calibration was fitted with. @throws {Error} where it reads otherwise now. */
export async function largeTemplate(
  { prompt, promptSha256 }: LargeCalibration,
  configured: PromptTemplates,
): Promise<PromptTemplate> {
  const own = configured.templates.find(({ name }) => name === prompt);
  const template = own ?? (await readPromptTemplates(FACTUALITY_PATHS.prompts)).template(prompt);
  if (template.sha256 === promptSha256) return template;
  const remedy = 'Restore it, or run "deno task study judges --large" and name what it writes';
  throw new Error(
    `Cannot verify by the prompt ${prompt}: its calibration is of others. ${remedy}.`,
  );
}

const CALIBRATION = z.strictObject({
  schemaVersion: z.literal(2),
  id: z.string().min(1),
  /** Of the model's file as it was published. */
  modelSha256: SHA256,
  /** The prompt that was chosen, and its hash then. */
  prompt: z.string().min(1),
  promptSha256: SHA256,
  windowTokens: z.int().min(1),
  windows: z.int().min(1),
  /** Of the head of the trained verifier, whose log-odds are added before scaling. */
  besideSha256: SHA256,
  supported: PLATT_SCALING,
  refuted: PLATT_SCALING,
  /** Every prompt that was tried, on pairs that nothing was fitted to. */
  tried: z.array(z.strictObject({
    prompt: z.string().min(1),
    areaUnderCurve: SHARE,
    n: z.int().min(1),
    /** Mean probability of words that are no answer. */
    otherWords: SHARE,
  })),
  /** The pairs that it was fitted to, each by a fit without its fold; then sets nothing was chosen by. */
  measured: z.array(z.strictObject({
    ...MEASURED.shape,
    areaUnderCurve: SHARE,
    calibrationError: SHARE,
    /** Balanced accuracy of three labels; null for a set that knows two. */
    threeWay: SHARE.nullable(),
    unscored: z.int().min(0),
    otherWords: SHARE,
    /** Median of a claim with a new passage, and of one whose passage was read before. */
    millisecondsFirst: z.number().min(0),
    millisecondsFurther: z.number().min(0).nullable(),
  })),
  /** That the times were taken with. */
  threads: z.int().min(1),
});

/** What was fitted and measured of one model, by `deno task study judges --large`. */
export type LargeCalibration = Readonly<z.infer<typeof CALIBRATION>>;

/** What a file says of it. @throws {SyntaxError} naming the file, where it is no calibration. */
export function readLargeCalibration(
  path: string = FACTUALITY_PATHS.largeVerifier,
): LargeCalibration {
  const remedy = 'Restore it, or run "deno task study judges --large".';
  const why = `${shownPath(path)} is no file of one. ${remedy}`;
  const refuse = () => `Cannot read the large verifier's calibration: ${why}`;
  return parseJson(Deno.readTextFileSync(path), CALIBRATION, refuse);
}
