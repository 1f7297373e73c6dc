/** What the entry of any judge may say, and what an opened one is. */
import { z } from "zod";
import type { DrawnModel, LanguageModel, NextWordModel } from "../../models/model.ts";
import type { StructuredModel } from "../../models/model.ts";
import { type Opening, timeout } from "../component.ts";
import { type Judge, SCORINGS } from "../types.ts";
import { isTrusted, type MeasuredModel, nextTokenJudge, weightFromAccuracy } from "./ensemble.ts";
import { generatingJudge } from "./generating_judge.ts";
import type { Generation } from "../../models/panel.ts";

/** Keys of every judge. */
export const JUDGE = {
  /** In a weighted average; measured accuracy gives it where left out. */
  weight: z.number().min(0).optional(),
  /** Ends a request; what had come back by then is kept. */
  ...timeout(60),
  /** Reasoning tokens are counted among them. */
  maxReplyTokens: z.int().min(16).max(32768).default(400),
  temperature: z.number().min(0).max(2).default(0),
  /** Of one that writes its score: what is to be expected in its place, or the number itself. */
  scoring: z.enum(SCORINGS).default("expected"),
  /** Answers at most whose mean is an expected score of one that draws them. */
  mostDraws: z.int().min(2).max(1000).optional(),
  /** Whether to stop where this judge cannot be had; otherwise it is left out, and the report says so. */
  required: z.boolean().default(false),
  /** A score written out with its reasons, or read from the probabilities of the next token. */
  readout: z.enum(["generation", "next-token"]).default("generation"),
  /**
   * Of a judge that is read: the `next word` prompt, with {{passages}} and {{claim}}, that it is asked by
   * about claims and, as if they were claims, about whole texts; the prompts' own choice where left out.
   */
  prompt: z.string().min(1).optional(),
};

/** A judge, and what else the same model can be asked for. */
export interface OpenJudge {
  readonly judge: Judge;
  /** Which weights what is measured of it holds for. */
  readonly measured: MeasuredModel;
  /** There for a model that writes: it compares texts, looks for bias and splits claims, too. */
  readonly writes?: StructuredModel;
  /** There for a model that is not let write: it compares texts, too. */
  readonly reads?: NextWordModel;
  /** There for a model whose probabilities are read. */
  readonly likelihood?: LanguageModel;
}

/** A kind of judge as a component. */
export interface JudgeComponent<Schema extends z.ZodType, Of = Readonly<z.infer<Schema>>> {
  readonly schema: Schema;
  open(this: void, entry: Of, opening: Opening, seed?: number): Promise<OpenJudge>;
  /** The model of an entry as one whose replies are drawn. @throws {Error} without file or key. */
  draws(this: void, entry: Of, generation: Generation, opening: Opening): Promise<DrawnModel>;
  /** Which weights an entry names, reported before they take memory. */
  weights(this: void, entry: Of, opening: Opening): MeasuredModel;
}

type Entry = Readonly<z.infer<z.ZodObject<typeof JUDGE>>> & { readonly id: string };

/** The weight as configured, else as its measured accuracy deserves, else 1. */
function judgeOptions(entry: Entry, model: MeasuredModel, { calibrationOf }: Opening) {
  const { id, readout, timeoutSeconds, scoring, mostDraws } = entry;
  const prompt = readout === "next-token" ? entry.prompt : undefined;
  const { measured, scaling: calibration } =
    calibrationOf(id, prompt ?? readout, { ...model, scoring }) ?? {};
  const { modelSha256 } = model;
  const weight = entry.weight ?? (measured ? weightFromAccuracy(measured) : 1);
  const options = { weight, measured, modelSha256, timeoutSeconds, scoring, calibration, prompt };
  return { ...options, ...mostDraws !== undefined && { mostDraws } };
}

/** Whether something may rest on what the judge of an entry will say. */
export const isTrustedEntry = (entry: Entry, model: MeasuredModel, opening: Opening): boolean =>
  isTrusted({ ...judgeOptions(entry, model, opening), vouched: entry.weight !== undefined });

/** The judge of a model that is not let write. */
export function readingJudge(
  reads: NextWordModel,
  entry: Entry,
  measured: MeasuredModel,
  opening: Opening,
) {
  const judge = nextTokenJudge(reads, opening.prompts, judgeOptions(entry, measured, opening));
  return { judge, measured, reads };
}

/** The judge of a model that writes. */
export function writingJudge(
  writes: StructuredModel,
  entry: Entry,
  measured: MeasuredModel,
  opening: Opening,
) {
  const judge = generatingJudge(writes, opening.prompts, judgeOptions(entry, measured, opening));
  return { judge, measured, writes };
}
