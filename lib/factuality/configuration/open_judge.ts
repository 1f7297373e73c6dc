import { serverNextWord } from "../../models/hosted/server_next_word.ts";
import { engineNextWord } from "../../models/llama/next_word.ts";
import { openEngine } from "../../models/llama/open_engine.ts";
import { languageModel } from "../../models/llama/score.ts";
import { openStructuredModel } from "../../models/llama/structured_chat.ts";
import type { LanguageModel } from "../../models/model.ts";
import type { StructuredModel } from "../../models/structured_model.ts";
import { weightFromAccuracy } from "../judges/aggregate.ts";
import { generatingJudge, type JudgeOptions } from "../judges/generating_judge.ts";
import type { Judge } from "../judges/judgement.ts";
import { nextTokenJudge } from "../judges/next_token_judge.ts";
import type { JudgeEntry } from "./configuration_entries.ts";
import { openWeights } from "./open_gguf.ts";
import { type HostedJudge, openHosted, reachServer } from "./open_hosted.ts";
import type { Opening } from "./opening.ts";
import { tellingJudge } from "./server_trouble.ts";
import { timeLimitedJudge } from "./time_limited_judge.ts";

type GgufJudge = Extract<JudgeEntry, { readonly kind: "gguf" }>;

/** A judge, and what else the same model can be asked for. */
export interface OpenJudge {
  readonly judge: Judge;
  /** There for a model that writes: it compares texts, looks for bias and splits claims, too. */
  readonly writes: StructuredModel | undefined;
  /** There for a model whose probabilities are read. */
  readonly likelihood: LanguageModel | undefined;
}

/** Of an entry without a weight and a model that nobody has measured. */
const UNMEASURED_WEIGHT = 1;

/** The weight as configured, else as its measured accuracy deserves, else 1. */
function judgeOptions(
  entry: JudgeEntry,
  readout: string,
  modelSha256: string | undefined,
  opening: Opening,
): JudgeOptions {
  const measured = opening.calibrationOf(entry.id, readout, modelSha256)?.measured;
  const deserved = measured === undefined ? UNMEASURED_WEIGHT : weightFromAccuracy(measured);
  return { weight: entry.weight ?? deserved, measured, modelSha256 };
}

async function openReader(entry: GgufJudge, opening: Opening): Promise<OpenJudge> {
  const { id, contextTokens } = entry;
  // Quantised kernels round their inputs: probabilities are read from plain floats.
  const { path, sha256, settings } = await openWeights(entry, "F32", opening);
  const { threads, resources, prompts } = opening;
  const engine = resources.use(await openEngine(path, { threads, contextTokens }));
  const calibration = opening.calibrationOf(id, entry.readout, sha256)?.scaling;
  const options = { ...judgeOptions(entry, entry.readout, sha256, opening), calibration };
  const judge = nextTokenJudge(engineNextWord(id, engine, settings), prompts, options);
  return {
    judge: timeLimitedJudge(judge, entry.timeoutSeconds, sha256),
    writes: undefined,
    likelihood: languageModel(id, engine, settings),
  };
}

async function openWriter(entry: GgufJudge, opening: Opening): Promise<OpenJudge> {
  const { id, contextTokens, maxReplyTokens, temperature, timeoutSeconds } = entry;
  const { path, sha256, settings } = await openWeights(entry, "shipped", opening);
  const { threads, resources, prompts } = opening;
  const writes = resources.use(
    await openStructuredModel({
      ...{ id, path, settings, threads, contextTokens, maxReplyTokens, temperature, seed: 0 },
    }),
  );
  const options = { ...judgeOptions(entry, entry.readout, sha256, opening), timeoutSeconds };
  return { judge: generatingJudge(writes, prompts, options), writes, likelihood: undefined };
}

function serverReader(
  judge: Extract<JudgeEntry, { readonly kind: "openai-compatible" }>,
  opening: Opening,
): OpenJudge {
  const { entry, connection, trouble } = reachServer(judge, opening);
  const options = {
    ...judgeOptions(judge, judge.readout, undefined, opening),
    calibration: undefined,
  };
  const reader = nextTokenJudge(serverNextWord(entry, connection), opening.prompts, options);
  return {
    judge: tellingJudge(timeLimitedJudge(reader, judge.timeoutSeconds, undefined), trouble),
    writes: undefined,
    likelihood: undefined,
  };
}

function hostedWriter(entry: HostedJudge, opening: Opening): OpenJudge {
  const { writes, trouble } = openHosted(entry, opening);
  const { timeoutSeconds } = entry;
  const options = { ...judgeOptions(entry, "generation", undefined, opening), timeoutSeconds };
  return {
    judge: tellingJudge(generatingJudge(writes, opening.prompts, options), trouble),
    writes,
    likelihood: undefined,
  };
}

/**
 * The judge of an entry, in memory or within reach.
 *
 * @throws {Error} where its file or its key cannot be had.
 */
export async function openJudge(entry: JudgeEntry, opening: Opening): Promise<OpenJudge> {
  if (entry.kind === "gguf") {
    return entry.readout === "next-token"
      ? await openReader(entry, opening)
      : await openWriter(entry, opening);
  }
  return entry.kind === "openai-compatible" && entry.readout === "next-token"
    ? serverReader(entry, opening)
    : hostedWriter(entry, opening);
}
