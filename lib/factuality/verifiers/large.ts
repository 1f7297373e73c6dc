import { z } from "zod";
import { askedSettings } from "../../files/asking.ts";
import { shownPath } from "../../files/atomic.ts";
import { parseJson } from "../../files/json.ts";
import { eachGroupInFlight } from "../../models/in_flight.ts";
import { QWEN_CODER } from "../../models/llama/local_models.ts";
import type { AnswerModel } from "../../models/model.ts";
import { logistic } from "../../stats/uncertainty.ts";
import { CLAIM_TIMEOUT, NON_BLANK, type OpeningContext, verifierKind } from "../component.ts";
import {
  failureReason,
  nestedProbabilities,
  scoredVerdict,
  type UnreadAnswer,
  unreadAnswer,
} from "../decision.ts";
import { PLATT_SCALING, type PlattScaling, refusal } from "../judges/ensemble.ts";
import { openAnswers } from "../judges/gguf.ts";
import { fillTemplate, readPromptTemplates } from "../judges/prompts.ts";
import type { PromptTemplate, PromptTemplates } from "../judges/prompts.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { termsOf } from "../retrieval/index.ts";
import { MEASURED, SHA256, SHARE, SOURCE_TEXT, TRUST_BANDS, VERDICT_LABELS } from "../types.ts";
import type { AbortOptions, Passage, Provenance, Verdict, VerdictProbabilities } from "../types.ts";
import type { Verifier } from "../types.ts";
import { chunksOf, claimTerms, combineAnswers, type SourceChunk, verdictOf } from "./chunks.ts";
import { openTrainedVerifier } from "./head.ts";

/** Context size in tokens: instructions, and a window and a claim of 220 each. */
const CONTEXT_TOKENS = 1024;

/**
 * The packaged chat model as a verifier, in its published precision, to which the scaling applies.
 */
export const large = verifierKind(
  z.strictObject({
    kind: z.literal("large"),
    /** Path of Qwen2.5-Coder-1.5B-Instruct; by default it is downloaded once. */
    path: NON_BLANK.optional(),
    calibration: NON_BLANK.default(FACTUALITY_PATHS.largeVerifier),
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
    const { windowTokens, windows } = calibration;
    const addedVerifier = await openAddedVerifier(calibration, file, opening);
    const reading = { windowTokens, windows };
    const { scalings } = calibration;
    const options = { scalings, modelSha256: sha256, reading, addedVerifier };
    return { ...largeVerifier(model, template, options), trust: calibration.trust };
  },
  { keepsPrecision: true, isSlow: true },
);

/**
 * Opens the trained verifier, where its odds count. @throws {Error} where the file was fitted with
 * another.
 */
async function openAddedVerifier(
  { besideSha256, scalings }: LargeCalibration,
  file: string,
  { cacheDirectory, threads, resources }: OpeningContext,
) {
  if (EVIDENCE_KINDS.every((kind) => scalings[kind].beside === 0)) return undefined;
  const verifier = resources.use(await openTrainedVerifier({ cacheDirectory, threads }));
  if (verifier.settings["headSha256"] === besideSha256) return verifier;
  throw new Error(
    `Cannot scale what the large verifier says: ${shownPath(file)} was fitted with another ` +
      'trained verifier. Restore it, or run "deno task study judges --large --fit".',
  );
}

/** Reading limits of sources, and the scaling of the probabilities. */
export interface LargeVerifierOptions {
  /** Scalings; without them probabilities are the shares of the three answers. */
  readonly scalings: Scalings | undefined;
  /** SHA-256 of the published file; undefined for a server. */
  readonly modelSha256: string | undefined;
  readonly reading: WindowLimits;
  /** Another verifier, whose log-odds are added with the scaling's weight before scaling. */
  readonly addedVerifier?: Verifier | undefined;
}

/** Limits of the windows into which sources are cut. */
interface WindowLimits {
  /** Maximum number of tokens of a window, ≥ 1, and of a claim. */
  readonly windowTokens: number;
  /** Number of windows per claim, ≥ 1: those with most of its terms. */
  readonly windows: number;
}

/**
 * Makes a verifier from a chat model, usually of a billion weights or more. The prompt contains a
 * window of the source, then the claim; the probabilities are those of three answer words. Claims
 * are processed window by window, so that a model with a prefix cache reads each window once. Each
 * claim is compared with the windows that share most of its terms; the strongest decides. @throws
 * {RangeError} for a prompt of another kind than `verdict`.
 */
export function largeVerifier(
  model: AnswerModel,
  template: PromptTemplate,
  { scalings = UNSCALED, modelSha256, reading, addedVerifier }: LargeVerifierOptions,
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
      ...scalings === UNSCALED ? { calibrated: false } : scalingSettings(scalings),
      ...addedVerifier
        ? {
          beside: addedVerifier.name,
          besideSettings: JSON.stringify(askedSettings(addedVerifier.settings)),
        }
        : {},
    },
    async verify(claims, passages, options = {}) {
      const answers = await readClaims(claims, passages, { model, template, reading, ...options });
      const scaling = scalings[evidenceKind(passages)];
      const others = scaling.beside === 0
        ? undefined
        : await addedVerifier?.verify(claims, passages, options);
      return answers.map((read, at) =>
        verdictOf(
          read,
          provenance,
          (windows) => calibratedVerdict(windows, scaling, provenance, others?.[at]),
        )
      );
    },
  };
}

/**
 * Kinds of evidence: the candidate's source text, or retrieved passages. A model's accuracy
 * differs.
 */
export const EVIDENCE_KINDS = ["text", "lookedUp"] as const;
export type EvidenceKind = typeof EVIDENCE_KINDS[number];

/** Kind of the passages: retrieved, each from a field or heading of a knowledge base, or a text. */
export const evidenceKind = (passages: readonly Passage[]): EvidenceKind =>
  passages.every(({ collection, section }) => collection !== SOURCE_TEXT && section !== "")
    ? "lookedUp"
    : "text";

/** Scaling of odds, with the weight of another verifier's odds added before. */
export interface LargeScaling extends VerdictCalibration {
  /** Weight of the other verifier's log-odds; 0 where they do not help. */
  readonly beside: number;
}
export type Scalings = Readonly<Record<EvidenceKind, LargeScaling>>;

/** Makes one scaling for all evidence, without another verifier. */
export const oneScaling = (calibration: VerdictCalibration): Scalings => {
  const scaling = { ...calibration, beside: 0 };
  return { text: scaling, lookedUp: scaling };
};

function scalingSettings({ text, lookedUp }: Scalings) {
  const settings = ({ supported, refuted }: VerdictCalibration, prefix = "") => ({
    [`${prefix}supportedSlope`]: supported.slope,
    [`${prefix}supportedIntercept`]: supported.intercept,
    [`${prefix}refutedSlope`]: refuted.slope,
    [`${prefix}refutedIntercept`]: refuted.intercept,
  });
  if (text === lookedUp) return settings(text);
  const weights = { besideWeight: text.beside, lookedUpBesideWeight: lookedUp.beside };
  return { ...settings(text), ...settings(lookedUp, "lookedUp."), ...weights };
}

/** Scaling that leaves odds unchanged. */
const UNSCALED = oneScaling({
  supported: { slope: 1, intercept: 0 },
  refuted: { slope: 1, intercept: 0 },
});

/** Answer words of the model, in the order of the labels. */
function verdictWordsOf({ name, verdictWords }: PromptTemplate): readonly string[] {
  if (verdictWords) return VERDICT_LABELS.map((label) => verdictWords[label]);
  throw new RangeError(`Cannot verify by the prompt ${name}: it must be a verdict prompt`);
}

function calibratedVerdict(
  read: readonly WindowOdds[],
  scaling: LargeScaling,
  provenance: Provenance,
  beside: Verdict | undefined,
): Verdict {
  const { deciding, ...combined } = combineAnswers(
    read.map((one) => {
      const odds = addedOdds(one.odds, beside, scaling.beside);
      return { ...one, probabilities: verdictProbabilities(odds, scaling) };
    }),
  );
  const verdict = scoredVerdict({ ...combined, provenance });
  const nextWordFinding = { feature: "next word", words: deciding.words, speaksFor: verdict.label };
  return {
    ...verdict,
    findings: [nextWordFinding, ...beside?.kind === "scored" ? beside.findings : []],
  };
}

/** Adds another verdict's log-odds with a weight; an unscored verdict adds nothing. */
export function addedOdds(
  odds: VerdictOdds,
  beside: Pick<Verdict, "kind"> & { readonly probabilities?: VerdictProbabilities } | undefined,
  weight: number,
): VerdictOdds {
  const { probabilities } = beside ?? {};
  if (probabilities === undefined) return odds;
  const other = verdictOdds(VERDICT_LABELS.map((label) => probabilities[label]));
  return {
    supported: odds.supported + weight * other.supported,
    refuted: odds.refuted + weight * other.refuted,
  };
}

/** Probabilities of a claim against one window. */
interface WindowOdds {
  /** Chunk of the window that shares most of the claim's terms. */
  readonly chunk: SourceChunk;
  readonly odds: VerdictOdds;
  /** Total probability of other words, 0–1. */
  readonly other: number;
  /**
   * The probabilities in words: `P(Yes) 0.912, P(No) 0.051, P(Unknown) 0.033, other words 0.004`.
   */
  readonly words: string;
}

/** Odds of every window that a claim was read against. Undefined without a source. */
export type ClaimOdds = readonly WindowOdds[] | UnreadAnswer | undefined;

/** Reads each claim against its windows. @throws {RangeError} as {@link largeVerifier} does. */
export async function readClaims(
  claims: readonly string[],
  passages: readonly Passage[],
  { model, template, reading: { windowTokens, windows: most }, signal }: AbortOptions & {
    readonly model: AnswerModel;
    readonly template: PromptTemplate;
    readonly reading: WindowLimits;
  },
): Promise<readonly ClaimOdds[]> {
  const words = verdictWordsOf(template);
  const windows = sourceWindows(passages, windowTokens, (text) => model.countTokens(text));
  if (windows.length === 0) return claims.map(() => undefined);
  const tooLong = claims.map((claim) => {
    const tokens = model.countTokens(claim);
    const read = `${model.name} reads at most ${windowTokens}`;
    const words = `The claim has ${tokens} tokens; ${read}.`;
    return tokens > windowTokens ? unreadAnswer("too long", words) : undefined;
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
  const answers: (WindowOdds | UnreadAnswer)[][] = claims.map(() => []);
  const atOnce = model.concurrency ?? 1;
  await eachGroupInFlight(asked, atOnce, async ({ premise, claim, i, index, chunk }) => {
    signal?.throwIfAborted();
    const prompt = fillTemplate(template, { passages: premise, claim });
    const reply = await model.answer(prompt, words, signal && { signal });
    answers[i]![index] = windowReading(reply, words, chunk);
  });
  return claims.map((_, i) => {
    const ofClaim = answers[i]!.filter((answer) => answer !== undefined);
    // An unread window may be the one that supports the claim.
    const unread = tooLong[i] ?? ofClaim.find((answer) => "kind" in answer);
    return unread ?? ofClaim.filter((answer) => "odds" in answer);
  });
}

function windowReading(
  reply: Awaited<ReturnType<AnswerModel["answer"]>>,
  words: readonly string[],
  chunk: SourceChunk,
): WindowOdds | UnreadAnswer {
  if (reply.kind === "failure") return unreadAnswer(failureReason(reply), reply.message);
  if (reply.kind === "refusal") return refusal(reply.text);
  const { answers, other } = reply;
  const shownMasses = answers.map((mass, i) => `P(${words[i]}) ${mass.toFixed(3)}`).join(", ") +
    `, other words ${other.toFixed(3)}`;
  if (answers.every((mass) => mass === 0)) {
    return unreadAnswer(
      "malformed answer",
      `None of the answers has any probability: ${shownMasses}.`,
    );
  }
  return { chunk, odds: verdictOdds(answers), other, words: shownMasses };
}

/** Neighbouring chunks of the sources, read at once. */
interface SourceWindow {
  readonly chunks: readonly SourceChunk[];
  readonly premise: string;
}

/** A window with its terms and those of its chunks, analysed once for all claims. */
type ReadWindow = ReturnType<typeof withTerms>;

const setOf = ({ premise }: { readonly premise: string }) => new Set(termsOf(premise));
const withTerms = (window: SourceWindow) => ({
  terms: setOf(window),
  chunks: window.chunks.map((chunk) => ({ chunk, terms: setOf(chunk) })),
});

/**
 * Packs passages into windows of at most `limit` tokens, with as many chunks as fit; none is blank.
 */
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

/** Ranks windows by their share of a claim's terms; see {@link claimTerms}. */
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

/** Floor below any reported word's probability: keeps odds finite, within ±21 nats. */
const MIN_PROBABILITY = 1e-9;

/** Converts three probabilities, of any sum, to odds. */
export function verdictOdds(answers: readonly number[]): VerdictOdds {
  const [supported, refuted, silent] = answers as [number, number, number];
  const odds = (one: number, other: number) =>
    Math.log((one + MIN_PROBABILITY) / (other + MIN_PROBABILITY));
  return { supported: odds(supported, refuted + silent), refuted: odds(refuted, silent) };
}

/** Platt scaling of both odds. The second is fitted to unsupported claims only. */
export interface VerdictCalibration {
  readonly supported: PlattScaling;
  readonly refuted: PlattScaling;
}

/** Calibrated probabilities at these odds. */
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

/** Returns the prompt of a calibration. @throws {Error} where its text has changed. */
export async function largeTemplate(
  { prompt, promptSha256 }: LargeCalibration,
  configured: PromptTemplates,
): Promise<PromptTemplate> {
  const configuredPrompt = configured.templates.find(({ name }) => name === prompt);
  const template = configuredPrompt ??
    (await readPromptTemplates(FACTUALITY_PATHS.prompts)).template(prompt);
  if (template.sha256 === promptSha256) return template;
  const remedy = 'Restore it, or run "deno task study judges --large" and name what it writes';
  throw new Error(
    `Cannot verify by the prompt ${prompt}: its calibration is of others. ${remedy}.`,
  );
}

const SCALING = z.strictObject({
  /** Weight of the trained verifier's log-odds; 0 where they did not help. */
  beside: z.number().min(0),
  supported: PLATT_SCALING,
  refuted: PLATT_SCALING,
});
const CALIBRATION = z.strictObject({
  schemaVersion: z.literal(3),
  id: z.string().min(1),
  /** SHA-256 of the model's published file. */
  modelSha256: SHA256,
  /** The chosen prompt, with its hash at that time. */
  prompt: z.string().min(1),
  promptSha256: SHA256,
  windowTokens: z.int().min(1),
  windows: z.int().min(1),
  /** SHA-256 of the trained verifier's head, whose log-odds are added before scaling. */
  besideSha256: SHA256,
  scalings: z.strictObject({ text: SCALING, lookedUp: SCALING }),
  /** Every prompt tried, on pairs outside all fits. */
  tried: z.array(z.strictObject({
    prompt: z.string().min(1),
    areaUnderCurve: SHARE,
    n: z.int().min(1),
    /** Mean total probability of other words. */
    otherWords: SHARE,
  })),
  trust: TRUST_BANDS,
  /** Results by source, each by a fit without it. */
  measured: z.array(z.strictObject({
    ...MEASURED.shape,
    areaUnderCurve: SHARE,
    calibrationError: SHARE,
    unscored: z.int().min(0),
    /** Number of sources of these claims; figures are means over them. */
    sources: z.int().min(1),
  })),
});

/** Calibration fitted to one model and its measures, by `deno task study judges --large`. */
export type LargeCalibration = Readonly<z.infer<typeof CALIBRATION>>;

/** Reads a calibration file. @throws {SyntaxError} naming a file of another format. */
export function readLargeCalibration(
  path: string = FACTUALITY_PATHS.largeVerifier,
): LargeCalibration {
  const remedy = 'Restore it, or run "deno task study judges --large".';
  const why = `${shownPath(path)} is no file of one. ${remedy}`;
  const refuse = () => `Cannot read the large verifier's calibration: ${why}`;
  return parseJson(Deno.readTextFileSync(path), CALIBRATION, refuse);
}
