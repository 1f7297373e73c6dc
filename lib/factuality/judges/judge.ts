/** Configuration keys of judges, and the interface of an opened judge. */
import { z } from "zod";
import type { DrawnModel, LanguageModel, NextWordModel } from "../../models/model.ts";
import type { StructuredModel } from "../../models/model.ts";
import { type OpeningContext, timeLimit } from "../component.ts";
import { type Judge, SCORINGS } from "../types.ts";
import { isTrusted, type MeasuredModel, nextTokenJudge, weightFromAccuracy } from "./ensemble.ts";
import { generatingJudge } from "./generating_judge.ts";
import type { Generation } from "../../models/panel.ts";

/** Configuration keys of every judge. */
export const JUDGE = {
  /** Weight in a weighted average; by default from its measured accuracy. */
  weight: z.number().min(0).optional(),
  /** Time limit of a request in seconds. Text received by then is kept. */
  ...timeLimit(60),
  /** Maximum length of an answer in tokens, reasoning included. */
  maxReplyTokens: z.int().min(16).max(32768).default(400),
  temperature: z.number().min(0).max(2).default(0),
  /** Scoring of a written answer: the expected score, or the number itself. */
  scoring: z.enum(SCORINGS).default("expected"),
  /** Maximum number of answers averaged into an expected score. */
  mostDraws: z.int().min(2).max(1000).optional(),
  /** True to stop where this judge is unavailable. Otherwise the report names it as left out. */
  required: z.boolean().default(false),
  /** Readout: a written score with reasons, or the next token's probabilities. */
  readout: z.enum(["generation", "next-token"]).default("generation"),
  /**
   * Name of the `next word` prompt for claims, with {{passages}} and {{claim}}. Whole texts are
   * asked about as if they were claims. By default the prompts file chooses.
   */
  prompt: z.string().min(1).optional(),
};

/** An opened judge, and other uses of its model. */
export interface OpenJudge {
  readonly judge: Judge;
  /** Weights that its measurements hold for. */
  readonly measured: MeasuredModel;
  /** The model, where it generates text: it also compares texts, detects bias and splits claims. */
  readonly writes?: StructuredModel;
  /** The model, where its next word is read: it also compares texts. */
  readonly reads?: NextWordModel;
  /** The model, where likelihoods can be computed. */
  readonly likelihood?: LanguageModel;
}

/** A kind of judge as a component. */
export interface JudgeComponent<Schema extends z.ZodType, Of = Readonly<z.infer<Schema>>> {
  readonly schema: Schema;
  open(this: void, entry: Of, opening: OpeningContext, seed?: number): Promise<OpenJudge>;
  /** Opens an entry's model for drawing replies. @throws {Error} without file or key. */
  draws(
    this: void,
    entry: Of,
    generation: Generation,
    opening: OpeningContext,
  ): Promise<DrawnModel>;
  /** Identifies an entry's weights without loading them. */
  weights(this: void, entry: Of, opening: OpeningContext): MeasuredModel;
}

type Entry = Readonly<z.infer<z.ZodObject<typeof JUDGE>>> & { readonly id: string };

/** Options of a judge. The weight is the configured one, else by measured accuracy, else 1. */
function judgeOptions(entry: Entry, model: MeasuredModel, { calibrationOf }: OpeningContext) {
  const { id, readout, timeoutSeconds, scoring, mostDraws } = entry;
  const prompt = readout === "next-token" ? entry.prompt : undefined;
  const { measured, scaling: calibration } =
    calibrationOf(id, prompt ?? readout, { ...model, scoring }) ?? {};
  const { modelSha256 } = model;
  const weight = entry.weight ?? (measured ? weightFromAccuracy(measured) : 1);
  const options = { weight, measured, modelSha256, timeoutSeconds, scoring, calibration, prompt };
  return { ...options, ...mostDraws !== undefined && { mostDraws } };
}

/** Tests whether the judge of an entry may support a finding. */
export const isTrustedEntry = (
  entry: Entry,
  model: MeasuredModel,
  opening: OpeningContext,
): boolean =>
  isTrusted({ ...judgeOptions(entry, model, opening), vouched: entry.weight !== undefined });

/** Makes a judge that reads next-token probabilities. */
export function readingJudge(
  reads: NextWordModel,
  entry: Entry,
  measured: MeasuredModel,
  opening: OpeningContext,
) {
  const judge = nextTokenJudge(reads, opening.prompts, judgeOptions(entry, measured, opening));
  return { judge, measured, reads };
}

/** Makes a judge that generates its answer. */
export function writingJudge(
  writes: StructuredModel,
  entry: Entry,
  measured: MeasuredModel,
  opening: OpeningContext,
) {
  const judge = generatingJudge(writes, opening.prompts, judgeOptions(entry, measured, opening));
  return { judge, measured, writes };
}
