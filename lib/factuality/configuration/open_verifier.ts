import { pmiCalibration } from "../verifiers/baseline_settings.ts";
import { cosineVerifier } from "../verifiers/cosine_verifier.ts";
import { crossEncoderVerifier } from "../verifiers/cross_encoder_verifier.ts";
import { openOnnxNliVerifier } from "../verifiers/onnx_nli_verifier.ts";
import { openTrainedVerifier } from "../verifiers/open_trained_verifier.ts";
import { overlapVerifier } from "../verifiers/overlap_verifier.ts";
import { pmiVerifier } from "../verifiers/pmi_verifier.ts";
import type { Verifier } from "../verifiers/verifier.ts";
import { readBaselineSettings, readTrainedWeights } from "../verifiers/weights_files.ts";
import { promptedVerifier } from "../verifiers/prompted_verifier.ts";
import { openCrossEncoder } from "../../models/encoder/cross_encoder.ts";
import { serverNextWord } from "../../models/hosted/server_next_word.ts";
import { engineNextWord } from "../../models/llama/next_word.ts";
import { openEngine } from "../../models/llama/open_engine.ts";
import { languageModel } from "../../models/llama/score.ts";
import { shownPath } from "../../files/shown_path.ts";
import { reachServer } from "./open_hosted.ts";
import { openWeights } from "./open_gguf.ts";
import { readWordNet } from "../wordnet/read_wordnet.ts";
import type { VerifierEntry } from "./configuration_entries.ts";
import { assertSha256, type Opening } from "./opening.ts";

type Entry<Kind extends VerifierEntry["kind"]> = Extract<VerifierEntry, { readonly kind: Kind }>;

async function openTrained(entry: Entry<"trained">, opening: Opening): Promise<Verifier> {
  assertSha256(entry.path, entry.sha256);
  const weights = readTrainedWeights(entry.path);
  const [encoder, wordnet] = [await opening.encoder(), await readWordNet()];
  return openTrainedVerifier(weights, { encoder, wordnet });
}

async function openBaseline(
  entry: Entry<"overlap"> | Entry<"cosine">,
  opening: Opening,
): Promise<Verifier> {
  const settings = readBaselineSettings(entry.path);
  return entry.kind === "overlap"
    ? overlapVerifier(settings.overlap)
    : cosineVerifier(await opening.encoder(), settings.cosine);
}

async function openFineTuned(entry: Entry<"cross-encoder">, opening: Opening): Promise<Verifier> {
  assertSha256(entry.path, entry.sha256);
  const { threads, resources } = opening;
  return crossEncoderVerifier(resources.use(await openCrossEncoder(entry.path, { threads })));
}

async function openOnnx(entry: Entry<"onnx-nli">, opening: Opening): Promise<Verifier> {
  const { id, path, licence, sha256 } = entry;
  const quantisation = entry.quantisation ?? opening.configuration.quantisation;
  const { cacheDirectory, threads } = opening;
  return opening.resources.use(
    await openOnnxNliVerifier({ id, path, licence, quantisation, sha256 }, {
      cacheDirectory,
      threads,
    }),
  );
}

async function openPrompted(entry: Entry<"prompted">, opening: Opening): Promise<Verifier> {
  const { id, contextTokens, chunkWords, prompt } = entry;
  const { path, sha256, settings } = await openWeights(entry, "F32", opening);
  const { threads, resources } = opening;
  const engine = resources.use(await openEngine(path, { threads, contextTokens }));
  return promptedVerifier(
    engineNextWord(id, engine, settings),
    opening.prompts.template(prompt),
    {
      calibration: opening.calibrationOf(id, prompt, sha256)?.scaling,
      modelSha256: sha256,
      chunkWords,
    },
  );
}

async function openPmi(entry: Entry<"pmi">, opening: Opening): Promise<Verifier> {
  const { id, contextTokens, chunkWords, thresholds } = entry;
  const baselines = readBaselineSettings(thresholds);
  const { path, sha256, settings } = await openWeights(entry, "F32", opening);
  const calibration = pmiCalibration(baselines, { id, sha256 }, shownPath(thresholds));
  const { threads, resources } = opening;
  const engine = resources.use(await openEngine(path, { threads, contextTokens }));
  const model = languageModel(id, engine, settings);
  return pmiVerifier(model, { calibration, modelSha256: sha256, chunkWords });
}

function openPromptedServer(source: Entry<"prompted-server">, opening: Opening): Verifier {
  const { prompt, chunkWords } = source;
  const { entry, connection } = reachServer(source, opening);
  return promptedVerifier(serverNextWord(entry, connection), opening.prompts.template(prompt), {
    ...{ calibration: undefined, modelSha256: undefined },
    chunkWords,
  });
}

/**
 * The verifier of an entry, in memory or within reach.
 *
 * @throws {Error} where a file is missing, is another than the one named, or cannot be read.
 */
export async function openVerifier(entry: VerifierEntry, opening: Opening): Promise<Verifier> {
  if (entry.kind === "trained") return await openTrained(entry, opening);
  if (entry.kind === "cross-encoder") return await openFineTuned(entry, opening);
  if (entry.kind === "onnx-nli") return await openOnnx(entry, opening);
  if (entry.kind === "prompted") return await openPrompted(entry, opening);
  if (entry.kind === "pmi") return await openPmi(entry, opening);
  if (entry.kind === "prompted-server") return openPromptedServer(entry, opening);
  return await openBaseline(entry, opening);
}
