import { z } from "zod";
import { shownPath } from "../../files/atomic.ts";
import { parseJson } from "../../files/json.ts";
import { eachGroupInFlight } from "../../models/in_flight.ts";
import type { AnswerModel, NextWordModel } from "../../models/model.ts";
import { CLAIM_TIMEOUT, NON_BLANK, verifierKind } from "../component.ts";
import { decide, scoredVerdict, type UnreadAnswer, unscoredWithoutEvidence } from "../decision.ts";
import {
  askNextWord,
  calibratedProbability,
  calibrationSettings,
  PLATT_SCALING,
} from "../judges/ensemble.ts";
import type { PlattScaling, ReadNextWord } from "../judges/ensemble.ts";
import { GGUF, hasOneSource, ONE_SOURCE_MESSAGE, openAnswers, openFloats } from "../judges/gguf.ts";
import { fillTemplate, type PromptTemplate } from "../judges/prompts.ts";
import { openServerChoices, openServerNextWord, SERVER } from "../judges/server.ts";
import { MEASURED, type Named, SHA256, SHARE, type Verdict, type Verifier } from "../types.ts";
import { chunkEvidence, wordChunks } from "./chunks.ts";
import { largeVerifier, oneScaling } from "./large.ts";

/** Prompt of a verifier: one of three verdicts, or a `next word` prompt of two. */
const PROMPTED = {
  prompt: z.string().min(1).default("verdict_words"),
  /** Maximum number of source words per prompt. */
  chunkWords: z.int().min(20).max(100_000).default(300),
  /** Number of chunks per claim, those with most of its words, for three-way prompts. */
  windows: z.int().min(1).default(3),
  /** File from `deno task factcheck train verifier --config`; uncalibrated if left out. */
  calibration: NON_BLANK.optional(),
};
type PromptedEntry = Readonly<z.infer<z.ZodObject<typeof PROMPTED>>> & { readonly id: string };

/** A language model in a GGUF file as a verifier. */
export const prompted = verifierKind(
  z.strictObject({
    kind: z.literal("prompted"),
    ...GGUF,
    ...PROMPTED,
    ...CLAIM_TIMEOUT,
  })
    .refine(hasOneSource, ONE_SOURCE_MESSAGE),
  async (entry, opening) => {
    const template = opening.prompts.template(entry.prompt);
    if (template.verdictWords !== undefined) {
      return threeWayVerifier(await openAnswers(entry, opening), template, entry);
    }
    const { nextWord: model, measured } = await openFloats(entry, opening);
    const scaling = opening.calibrationOf(entry.id, entry.prompt, measured)?.scaling;
    return twoWayVerifier({ model, ...measured, scaling }, template, entry);
  },
  { isSlow: true },
);

/** A language model on a server as a verifier. */
export const promptedServer = verifierKind(
  z.strictObject({ kind: z.literal("prompted-server"), ...SERVER, ...PROMPTED }),
  async (entry, opening) => {
    const template = opening.prompts.template(entry.prompt);
    return template.verdictWords === undefined
      ? twoWayVerifier(await openServerNextWord(entry, opening), template, entry)
      : threeWayVerifier({ model: await openServerChoices(entry, opening) }, template, entry);
  },
  { isSlow: true, limitsAnswers: true },
);

/** Makes a three-way verifier from a user's model. Windows are counted in words. */
function threeWayVerifier(
  { model, modelSha256 }: {
    readonly model: AnswerModel;
    readonly modelSha256?: string | undefined;
  },
  template: PromptTemplate,
  entry: PromptedEntry,
): Verifier {
  const counted = { ...model, countTokens: (text: string) => text.trim().split(/\s+/u).length };
  const reading = { windowTokens: entry.chunkWords, windows: entry.windows };
  const calibration = promptedCalibration(entry, template, model);
  const scalings = calibration && oneScaling(calibration);
  const verifier = largeVerifier(counted, template, { scalings, modelSha256, reading });
  return { ...verifier, settings: { ...verifier.settings, ...calibration?.settings } };
}

/**
 * Makes a yes–no verifier from a user's model, with its labels in the settings; `scaling` is that
 * of the same model as a judge.
 */
function twoWayVerifier(
  { model, modelSha256, scaling }: {
    readonly model: NextWordModel;
    readonly modelSha256?: string | undefined;
    readonly scaling?: PlattScaling | undefined;
  },
  template: PromptTemplate,
  entry: PromptedEntry,
): Verifier {
  const fitted = promptedCalibration(entry, template, model);
  const calibration = fitted?.supported ?? scaling;
  const options = { calibration, modelSha256, chunkWords: entry.chunkWords };
  const { settings, ...verifier } = promptedVerifier(model, template, options);
  const tells = "supported and not enough info";
  return { ...verifier, settings: { ...settings, ...fitted?.settings, tells } };
}

/** Calibration of an entry's model, if the entry names one, and its settings. */
function promptedCalibration(
  { calibration: path, id, chunkWords, windows }: PromptedEntry,
  template: PromptTemplate,
  { settings }: AnswerModel | NextWordModel,
) {
  if (path === undefined) return undefined;
  const { name: prompt, sha256: promptSha256 } = template;
  const modelIdentity = calibratedModel(settings);
  const wanted = { id, ...modelIdentity, prompt, promptSha256, chunkWords, windows };
  const { measured, supported, refuted } = readPromptedCalibration(path, wanted);
  const { n, on, balancedAccuracy, low, high } = measured;
  const [value, from, to] = [balancedAccuracy, low, high].map((share) => share.toFixed(2));
  const calibratedOn = `${n} of ${on}: balanced accuracy ${value} (${from} to ${to})`;
  return { supported, refuted, settings: { calibrated: true, calibratedOn } };
}

/** Options of a prompted verifier. */
export interface PromptedVerifierOptions {
  /**
   * Scaling of P(yes) / (P(yes) + P(no)), the greatest over the chunks. Without one that ratio is
   * taken.
   */
  readonly calibration: PlattScaling | undefined;
  /** SHA-256 of the published file; undefined for a server. */
  readonly modelSha256: string | undefined;
  /** Maximum number of source words per prompt, ≥ 1. A longer source is read in chunks. */
  readonly chunkWords: number;
}

/**
 * Makes a verifier from a chat or base model as in MiniCheck: the probability of "yes" as the next
 * word, the maximum over the source's chunks. The rest goes to "not enough info", never to
 * "refuted". @throws {RangeError} unless the prompt is a `next word` prompt of `passages` and
 * `claim`.
 */
export function promptedVerifier(
  model: NextWordModel,
  template: PromptTemplate,
  { calibration, modelSha256, chunkWords }: PromptedVerifierOptions,
): Verifier {
  const { name: prompt, sha256: promptSha256, nextWords, placeholders } = template;
  if (nextWords === undefined || placeholders.some((one) => !/^(?:passages|claim)$/.test(one))) {
    throw new RangeError(
      `Cannot verify by the prompt ${prompt}: it must be a next word prompt with {{passages}} and ` +
        "{{claim}} alone",
    );
  }
  const provenance = { producedBy: model.name, modelSha256, promptSha256 };
  return {
    name: model.name,
    settings: { ...model.settings, prompt, chunkWords, ...calibrationSettings(calibration) },
    async verify(claims, passages, { signal } = {}) {
      const chunks = wordChunks(passages, chunkWords);
      if (chunks.length === 0) return claims.map(() => unscoredWithoutEvidence(provenance));
      const answers: (ReadNextWord | UnreadAnswer)[][] = claims.map(() => []);
      const asked = chunks.map(({ premise }, c) =>
        claims.map((claim, i) => ({ values: { passages: premise, claim }, c, i }))
      );
      // Chunk by chunk, since prompts with a common prefix are read once.
      await eachGroupInFlight(asked, model.concurrency, async ({ values, c, i }) => {
        signal?.throwIfAborted();
        const text = fillTemplate(template, values);
        answers[i]![c] = await askNextWord(model, text, nextWords, { signal });
      });
      signal?.throwIfAborted();
      return answers.map((ofClaim): Verdict => {
        // An unread chunk may be the one that supports the claim.
        const failed = ofClaim.find((answer) => answer.kind === "unscored");
        if (failed !== undefined) return { ...failed, provenance };
        const ranked = ofClaim.filter((answer) => answer.kind === "read")
          .map((answer, index) => ({ ...answer, chunk: chunks[index]! }))
          .sort((a, b) => b.yes - a.yes);
        const { yes, words } = ranked[0]!;
        const supported = calibratedProbability(yes, calibration);
        const probabilities = { supported, refuted: 0, "not enough info": 1 - supported };
        const evidence = ranked.slice(0, 3).map(({ chunk, yes }) => chunkEvidence(chunk, yes));
        const findings = [{ feature: "next word", words, speaksFor: decide(probabilities) }];
        return scoredVerdict({ probabilities, evidence, findings, provenance });
      });
    },
  };
}

const PROMPTED_CALIBRATION = z.strictObject({
  schemaVersion: z.literal(2),
  /**
   * Id in the configuration, and the model's file. For a server, which gives no hash, its name of
   * the model.
   */
  ...{ id: z.string().min(1), model: z.string().min(1) },
  /** Precision of the weights, which determines the odds; for a server its model name. */
  weights: z.string().min(1),
  ...{ prompt: z.string().min(1), promptSha256: SHA256 },
  ...{ chunkWords: z.int().min(1), windows: z.int().min(1) },
  supported: PLATT_SCALING,
  /**
   * Scaling of refuted; the identity where labels do not distinguish refuted from not enough info.
   */
  refuted: PLATT_SCALING,
  measured: z.strictObject({
    ...MEASURED.shape,
    areaUnderCurve: SHARE,
    /** Calibration error before and after, each claim by a fit without its fold. */
    ...{ uncalibratedError: SHARE, calibrationError: SHARE },
    unscored: z.int().min(0),
  }),
});

/** File name of a calibration. */
export const CALIBRATION_FILE = "verifier_calibration.json";

/**
 * Calibration by `deno task factcheck train verifier --config` of a language model in a user's
 * configuration.
 */
export type PromptedCalibration = Readonly<z.infer<typeof PROMPTED_CALIBRATION>>;

/**
 * Identity of the calibrated weights, by the model's settings: a server gives neither hash nor
 * precision.
 */
export const calibratedModel = ({ fileSha256, precision, hostModel }: Named["settings"]) => ({
  model: String(fileSha256 ?? hostModel),
  weights: String(precision ?? hostModel),
});

/** Model whose calibration is requested: everything that could change an answer. */
type PromptedModel = Pick<
  PromptedCalibration,
  "id" | "model" | "weights" | "prompt" | "promptSha256" | "chunkWords" | "windows"
>;

/**
 * Reads a calibration. @throws {SyntaxError} for another file. @throws {RangeError} where it was
 * fitted to another model, precision or prompt.
 */
export function readPromptedCalibration(path: string, wanted: PromptedModel): PromptedCalibration {
  const remedy =
    'Run "deno task factcheck train verifier --config FILE --cases FILE" and name what it writes.';
  const place = `the calibration ${shownPath(path)}`;
  const refuse = () =>
    `Cannot read ${place}: it is no calibration of a verifier, or does not name the weights. ${remedy}`;
  const calibration = parseJson(Deno.readTextFileSync(path), PROMPTED_CALIBRATION, refuse);
  const other = (Object.keys(wanted) as (keyof PromptedModel)[])
    .find((key) => calibration[key] !== wanted[key]);
  if (other === undefined) return calibration;
  const why = `it was fitted with ${other} ${calibration[other]}, and ${wanted[other]} is asked`;
  throw new RangeError(`Cannot use ${place}: ${why}. ${remedy}`);
}
