import { assertSha256, loadWords, Opening, openWeights } from "./open_models.ts";
/**
 * One entry of a configuration, opened. The code of a kind is loaded only where an entry is of that
 * kind: the checking of one text should not read half the house.
 */

import { join } from "node:path";
import { shownPath } from "../../files/atomic.ts";
import { openEngine } from "../../models/llama/open_engine.ts";
import { engineNextWord, languageModel } from "../../models/llama/roles.ts";
import type { LanguageModel, StructuredModel } from "../../models/model.ts";
import { weightFromAccuracy } from "../judges/ensemble.ts";
import type { JudgeOptions } from "../judges/generating_judge.ts";
import { nextTokenJudge, timeLimitedJudge } from "../judges/next_token_judge.ts";
import { retriever } from "../retrieval/retriever.ts";
import { openIndex } from "../retrieval/store.ts";
import type { Judge, Retriever, Verifier } from "../types.ts";
import type { JudgeEntry, RetrievalEntry, VerifierEntry } from "./configuration.ts";

type VerifierOpeners = {
  readonly [Kind in VerifierEntry["kind"]]: (
    entry: Extract<VerifierEntry, { readonly kind: Kind }>,
    opening: Opening,
  ) => Promise<Verifier>;
};

/** A verifier of one's own is one more kind in `configuration.ts` and one more function here. */
const VERIFIERS: VerifierOpeners = {
  async trained({ path, sha256 }, opening) {
    const { openTrainedVerifier } = await import("../verifiers/trained_verifier.ts");
    const { readTrainedWeights } = await import("../verifiers/head.ts");
    const { readWordNet } = await import("../features/wordnet.ts");
    assertSha256(path, sha256);
    const weights = readTrainedWeights(path);
    const [encoder, wordnet] = [await opening.encoder(), await readWordNet()];
    return openTrainedVerifier(weights, { encoder, wordnet });
  },
  async overlap({ path }) {
    const { overlapVerifier, readBaselineSettings } = await import("../verifiers/baselines.ts");
    return overlapVerifier(readBaselineSettings(path).overlap);
  },
  async cosine({ path }, opening) {
    const { cosineVerifier, readBaselineSettings } = await import("../verifiers/baselines.ts");
    const { cosine } = readBaselineSettings(path);
    return cosineVerifier(await opening.encoder(), cosine);
  },
  async pmi(entry, opening) {
    const { pmiCalibration, readBaselineSettings } = await import("../verifiers/baselines.ts");
    const { pmiVerifier } = await import("../verifiers/pmi.ts");
    const { id, chunkWords, thresholds } = entry;
    const baselines = readBaselineSettings(thresholds);
    const { engine, sha256, settings } = await openFloats(entry, opening);
    const calibration = pmiCalibration(baselines, { id, sha256 }, shownPath(thresholds));
    const model = languageModel(id, engine, settings);
    return pmiVerifier(model, { calibration, modelSha256: sha256, chunkWords });
  },
  async prompted(entry, opening) {
    const { promptedVerifier } = await import("../verifiers/prompted.ts");
    const { id, chunkWords, prompt } = entry;
    const { engine, sha256, settings } = await openFloats(entry, opening);
    const calibration = opening.calibrationOf(id, prompt, sha256)?.scaling;
    return promptedVerifier(
      engineNextWord(id, engine, settings),
      opening.prompts.template(prompt),
      { calibration, modelSha256: sha256, chunkWords },
    );
  },
  async "prompted-server"(entry, opening) {
    const { promptedVerifier } = await import("../verifiers/prompted.ts");
    const { hostedNextWord } = await import("./open_hosted.ts");
    const { model } = hostedNextWord(entry, opening);
    return promptedVerifier(model, opening.prompts.template(entry.prompt), {
      calibration: undefined,
      modelSha256: undefined,
      chunkWords: entry.chunkWords,
    });
  },
  async "onnx-nli"({ id, path, licence, sha256, quantisation }, opening) {
    const { openOnnxNliVerifier } = await import("../verifiers/nli.ts");
    const { cacheDirectory, threads, configuration, resources } = opening;
    const precision = quantisation ?? configuration.quantisation;
    const source = { id, path, licence, quantisation: precision, sha256 };
    return resources.use(await openOnnxNliVerifier(source, { cacheDirectory, threads }));
  },
  async "cross-encoder"({ path, sha256 }, { threads, resources }) {
    const { openCrossEncoder } = await import("../../models/encoder/cross_encoder.ts");
    const { crossEncoderVerifier } = await import("../verifiers/cross_encoder.ts");
    assertSha256(path, sha256);
    return crossEncoderVerifier(resources.use(await openCrossEncoder(path, { threads })));
  },
};

/**
 * The verifier of an entry, in memory or within reach.
 *
 * @throws {Error} where a file is missing, is another than the one named, or cannot be read.
 */
export async function openVerifier(entry: VerifierEntry, opening: Opening): Promise<Verifier> {
  return await VERIFIERS[entry.kind](entry as never, opening);
}

/** Quantised kernels round their inputs: probabilities are read from plain floats. */
async function openFloats(
  entry: Parameters<typeof openWeights>[0],
  opening: Opening,
) {
  const { path, sha256, settings } = await openWeights(entry, "F32", opening);
  const { threads, resources } = opening;
  const { contextTokens } = entry;
  const engine = resources.use(await openEngine(path, { threads, contextTokens }));
  return { engine, sha256, settings };
}

type KnowledgeEntry = Exclude<RetrievalEntry, { readonly kind: "none" }>;

/**
 * The retriever of a knowledge base: its index from the cache, or made now.
 *
 * @throws {Error} where the knowledge base cannot be read or holds nothing.
 */
export async function openRetriever(entry: KnowledgeEntry, opening: Opening): Promise<Retriever> {
  const { minimumShare, minimumCosine, topK: limit } = entry;
  const index = await openIndex(await sourceOf(entry, opening), {
    cacheDirectory: join(opening.cacheDirectory, "retrieval"),
    onProgress: (passages) =>
      opening.tell(entry.kind, `${passages.toLocaleString("en")} passages indexed`),
  });
  const encoder = entry.rerank ? await opening.encoder() : undefined;
  return retriever(index, encoder, {
    limit,
    ...(minimumShare === undefined ? {} : { minimumShare }),
    ...(minimumCosine === undefined ? {} : { minimumCosine }),
  });
}

async function sourceOf(entry: KnowledgeEntry, { cacheDirectory, tell }: Opening) {
  if (entry.kind === "factbook") {
    const { factbookSource } = await import("../retrieval/factbook.ts");
    return factbookSource(cacheDirectory, {
      onProgress: (download) =>
        tell(entry.kind, loadWords({ stage: "download", model: entry.kind, download })),
    });
  }
  const { folderSource, wikipediaSource } = await import("../retrieval/sources.ts");
  if (entry.kind === "folder") return folderSource(entry.path);
  assertSha256(entry.path, entry.sha256);
  return wikipediaSource(entry.path);
}

/** A judge, and what else the same model can be asked for. */
export interface OpenJudge {
  readonly judge: Judge;
  /** There for a model that writes: it compares texts, looks for bias and splits claims, too. */
  readonly writes: StructuredModel | undefined;
  /** There for a model whose probabilities are read. */
  readonly likelihood: LanguageModel | undefined;
}

/**
 * The judge of an entry, in memory or within reach.
 *
 * @throws {Error} where its file or its key cannot be had.
 */
export async function openJudge(entry: JudgeEntry, opening: Opening): Promise<OpenJudge> {
  const { timeoutSeconds } = entry;
  const { prompts } = opening;
  if (entry.kind === "gguf" && entry.readout === "next-token") {
    const { id, readout } = entry;
    const { engine, sha256, settings } = await openFloats(entry, opening);
    const calibration = opening.calibrationOf(id, readout, sha256)?.scaling;
    const options = { ...judgeOptions(entry, readout, sha256, opening), calibration };
    const judge = nextTokenJudge(engineNextWord(id, engine, settings), prompts, options);
    return {
      judge: timeLimitedJudge(judge, timeoutSeconds, sha256),
      writes: undefined,
      likelihood: languageModel(id, engine, settings),
    };
  }
  if (entry.kind === "gguf") {
    const { openStructuredModel } = await import("../../models/llama/structured_chat.ts");
    const { generatingJudge } = await import("../judges/generating_judge.ts");
    const { id, contextTokens, maxReplyTokens, temperature } = entry;
    const { threads, resources } = opening;
    const { path, sha256, settings } = await openWeights(entry, "shipped", opening);
    const writes = resources.use(
      await openStructuredModel({
        id,
        path,
        settings,
        threads,
        contextTokens,
        maxReplyTokens,
        temperature,
        seed: 0,
      }),
    );
    const options = { ...judgeOptions(entry, "generation", sha256, opening), timeoutSeconds };
    return { judge: generatingJudge(writes, prompts, options), writes, likelihood: undefined };
  }
  const { hostedNextWord, hostedWriter, tellingJudge } = await import("./open_hosted.ts");
  if (entry.kind === "openai-compatible" && entry.readout === "next-token") {
    const { model, trouble } = hostedNextWord(entry, opening);
    const trust = judgeOptions(entry, entry.readout, undefined, opening);
    const judge = nextTokenJudge(model, prompts, { ...trust, calibration: undefined });
    const limited = timeLimitedJudge(judge, timeoutSeconds, undefined);
    return { judge: tellingJudge(limited, trouble), writes: undefined, likelihood: undefined };
  }
  const { generatingJudge } = await import("../judges/generating_judge.ts");
  const { writes, trouble } = hostedWriter(entry, opening);
  const options = { ...judgeOptions(entry, "generation", undefined, opening), timeoutSeconds };
  const judge = tellingJudge(generatingJudge(writes, prompts, options), trouble);
  return { judge, writes, likelihood: undefined };
}

/** The weight as configured, else as its measured accuracy deserves, else 1. */
function judgeOptions(
  entry: JudgeEntry,
  readout: string,
  modelSha256: string | undefined,
  opening: Opening,
): JudgeOptions {
  const measured = opening.calibrationOf(entry.id, readout, modelSha256)?.measured;
  const deserved = measured === undefined ? 1 : weightFromAccuracy(measured);
  return { weight: entry.weight ?? deserved, measured, modelSha256 };
}
