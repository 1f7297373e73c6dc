/** One entry of a configuration, opened. The code of a kind is loaded only where one is of it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { hasSha256, sha256Hex, sha256OfFile, shownPath } from "../../files/atomic.ts";
import type { DownloadProgress } from "../../files/packages.ts";
import { formatBytes, formatDownload } from "../../files/progress.ts";
import { encoderSettings, type SentenceEncoder } from "../../models/encoder/network_encoder.ts";
import { type LoadProgress, modelFile } from "../../models/llama/local_models.ts";
import { packagedSha256, QWEN_CODER } from "../../models/llama/local_models.ts";
import { expandedWeights } from "../../models/llama/weights.ts";
import type {
  AnswerModel,
  DrawnModel,
  LanguageModel,
  NextWordModel,
  StructuredModel,
} from "../../models/model.ts";
import type { Generation } from "../../models/panel.ts";
import { isTrusted, nextTokenJudge, weightFromAccuracy } from "../judges/ensemble.ts";
import type { CalibrationOf, MeasuredModel, PlattScaling } from "../judges/ensemble.ts";
import type { PromptTemplate, PromptTemplates } from "../judges/prompts.ts";
import { retriever, sentenceVectors } from "../retrieval/retriever.ts";
import { openIndex } from "../retrieval/store.ts";
import type { Judge, Retriever, Verifier } from "../types.ts";
import type {
  EvaluationComponentsConfiguration,
  JudgeEntry,
  RetrievalEntry,
  VerifierEntry,
} from "./configuration.ts";

/** What the components of one configuration are opened with. */
export interface Opening {
  readonly configuration: EvaluationComponentsConfiguration;
  /** Git-ignored folder for packages, models and indexes. */
  readonly cacheDirectory: string;
  /** Path of the `.env` file with the keys of hosts. */
  readonly env: string;
  readonly threads: number;
  /** Whatever must be disposed of in the end, the last first. */
  readonly resources: AsyncDisposableStack;
  readonly prompts: PromptTemplates;
  readonly calibrationOf: CalibrationOf;
  /** What was passed over so far, in sentences. */
  readonly problems: readonly string[];
  /** See `OpenComponentsOptions`; both false where left out. */
  readonly trustedJudges?: boolean;
  readonly keepVectors?: boolean;
  /**
   * A sentence encoder, the same each time for a lane and a precision (the configuration's where left
   * out), loaded when it is first asked for.
   */
  readonly encoder: (lane?: number, precision?: "F32" | "Q8_0") => Promise<SentenceEncoder>;
  /** Lets go of what can be computed again. */
  readonly clearCaches: () => Promise<void>;
  /** Where the opening stands: an entry's id or kind, and what is done now, or is to be known. */
  readonly tell: (component: string, words: string, stays?: "stays") => void;
}

/** What a model's loading says, as words. */
export function loadWords(progress: LoadProgress): string {
  if (progress.stage === "download") return formatDownload(progress.download);
  return progress.stage === "load"
    ? "loads"
    : `converts its weights, ${formatBytes(progress.bytes)}`;
}

/** @throws {Error} naming the file, where it is another than the one with the hash, if there is one. */
function assertSha256(path: string, sha256: string | undefined): void {
  if (sha256 === undefined) return;
  const shown = shownPath(path);
  if (!Deno.statSync(path).isFile) throw new Error(`${shown} is no file; correct its path`);
  if (hasSha256(path, sha256)) return;
  const why = `its SHA-256 is another than ${sha256}; restore the file, or correct sha256`;
  throw new Error(`${shown} is not the file that the configuration names: ${why}`);
}

type GgufSource = Pick<
  Extract<JudgeEntry, { readonly kind: "gguf" }>,
  "id" | "package" | "path" | "sha256" | "quantisation" | "contextTokens" | "licence"
>;

/** Tells of a download's progress; of a big one first and to stay what it is and how much. */
function downloadTold({ id, licence, package: name }: GgufSource, tell: Opening["tell"]) {
  let isTold = name !== QWEN_CODER.package;
  return (download: DownloadProgress) => {
    if (!isTold && download.state === "downloading") {
      const size = formatBytes(QWEN_CODER.downloadBytes);
      tell(id, `licence ${licence}; ${size} are downloaded, once`, "stays");
      isTold = true;
    }
    tell(id, loadWords({ stage: "download", model: id, download }));
  };
}

const PRECISIONS = { "8-bit": "Q8_0", shipped: "shipped" } as const;

/**
 * An entry's GGUF file, fetched and checked, as the configuration wants it, else in `precision`.
 * `sha256` is that of the file as it was published. @throws {Error} where it is missing or another.
 */
async function openWeights(
  entry: GgufSource,
  precision: "F32" | "shipped",
  { configuration, cacheDirectory, threads, tell }: Opening,
) {
  const { id, licence } = entry;
  const source = await modelFile(
    { ...entry, kind: "gguf", roles: ["chat"], readout: "generation", precision: "shipped" },
    cacheDirectory,
    downloadTold(entry, tell),
  );
  using file = Deno.openSync(source.path);
  const magic = new Uint8Array(4);
  file.readSync(magic);
  // The engine's own words name neither model nor file.
  if (new TextDecoder().decode(magic) !== "GGUF") {
    const remedy =
      "Download it again, correct its path, or convert weights of another format first";
    throw new Error(
      `Cannot load model ${id}: ${shownPath(source.path)} is no GGUF file. ${remedy}`,
    );
  }
  if (entry.sha256 !== undefined && source.sha256 !== entry.sha256) {
    const wanted = `${entry.sha256} is wanted; restore the file, or correct path or sha256`;
    throw new Error(`Cannot load model ${id}: its file's SHA-256 is ${source.sha256}; ${wanted}`);
  }
  const quantisation = entry.quantisation ?? configuration.quantisation;
  const wanted = quantisation === "none" ? precision : PRECISIONS[quantisation];
  const weights = wanted === "shipped" ? source : await expandedWeights(source, {
    directory: join(cacheDirectory, "models"),
    precision: wanted,
    threads,
    onProgress: (bytes) => tell(id, loadWords({ stage: "expand", model: id, bytes })),
  });
  tell(id, "loads");
  const settings = {
    fileSha256: source.sha256,
    weightsSha256: weights.sha256,
    precision: weights.sha256 === source.sha256 ? "shipped" : wanted,
    licence,
  };
  return { path: weights.path, sha256: source.sha256, settings };
}

/** The engine over an entry's weights, until the components are disposed of. */
async function openEntry(entry: GgufSource, wanted: "F32" | "shipped", opening: Opening) {
  const { path, sha256, settings } = await openWeights(entry, wanted, opening);
  const { threads, resources } = opening;
  const shape = { threads, contextTokens: entry.contextTokens, precision: settings.precision };
  const { openEngine } = await import("../../models/llama/open_engine.ts");
  return { engine: resources.use(await openEngine(path, shape)), sha256, settings };
}

/** Quantised kernels round their inputs: probabilities are read from plain floats. */
async function openFloats(entry: GgufSource, opening: Opening) {
  const { engine, sha256, settings } = await openEntry(entry, "F32", opening);
  const { engineNextWord, languageModel } = await import("../../models/llama/roles.ts");
  const likelihood = languageModel(entry.id, engine, settings);
  return { nextWord: engineNextWord(entry.id, engine, settings), likelihood, sha256, settings };
}

/** A model that chooses among three verdicts: like all chat models it is read as it was published. */
async function openAnswers(entry: GgufSource, opening: Opening) {
  const { engine, sha256, settings } = await openEntry(entry, "shipped", opening);
  const { engineAnswers } = await import("../../models/llama/roles.ts");
  return { model: engineAnswers(entry.id, engine, settings), sha256 };
}

type PromptedEntry = Extract<VerifierEntry, { readonly kind: "prompted" | "prompted-server" }>;

/** What was fitted to the model of an entry, where its entry names that, and what settings tell of it. */
async function promptedCalibration(
  { calibration: path, id, chunkWords, windows }: PromptedEntry,
  template: PromptTemplate,
  { settings }: AnswerModel | NextWordModel,
) {
  if (path === undefined) return undefined;
  const { calibratedModel, readPromptedCalibration } = await import("../verifiers/large.ts");
  const { name: prompt, sha256: promptSha256 } = template;
  const of = calibratedModel(settings);
  const wanted = { id, ...of, prompt, promptSha256, chunkWords, windows };
  const { measured, supported, refuted } = readPromptedCalibration(path, wanted);
  const { n, on, balancedAccuracy, low, high } = measured;
  const [value, from, to] = [balancedAccuracy, low, high].map((share) => share.toFixed(2));
  const calibratedOn = `${n} of ${on}: balanced accuracy ${value} (${from} to ${to})`;
  return { supported, refuted, told: { calibrated: true, calibratedOn } };
}

/** A user's model that is asked for one of three verdicts; its windows are counted in words. */
async function threeWayVerifier(
  { model, sha256: modelSha256 }: { readonly model: AnswerModel; readonly sha256?: string },
  template: PromptTemplate,
  entry: PromptedEntry,
): Promise<Verifier> {
  const { largeVerifier } = await import("../verifiers/large.ts");
  const counted = { ...model, countTokens: (text: string) => text.trim().split(/\s+/u).length };
  const reading = { windowTokens: entry.chunkWords, windows: entry.windows };
  const calibration = await promptedCalibration(entry, template, model);
  const verifier = largeVerifier(counted, template, { calibration, modelSha256, reading });
  return { ...verifier, settings: { ...verifier.settings, ...calibration?.told } };
}

/** The same, asked yes or no, which says what verdicts it knows; `scaling` is that of the judge it is, too. */
async function twoWayVerifier(
  { model, sha256: modelSha256, scaling }: {
    readonly model: NextWordModel;
    readonly sha256?: string;
    readonly scaling?: PlattScaling | undefined;
  },
  template: PromptTemplate,
  entry: PromptedEntry,
): Promise<Verifier> {
  const { promptedVerifier } = await import("../verifiers/prompted.ts");
  const fitted = await promptedCalibration(entry, template, model);
  const calibration = fitted?.supported ?? scaling;
  const options = { calibration, modelSha256, chunkWords: entry.chunkWords };
  const { settings, ...verifier } = promptedVerifier(model, template, options);
  const tells = "supported and not enough info";
  return { ...verifier, settings: { ...settings, ...fitted?.told, tells } };
}

/** A verifier of one's own is one more kind in `configuration.ts` and one more function here. */
const VERIFIERS: {
  readonly [Kind in VerifierEntry["kind"]]: (
    entry: Extract<VerifierEntry, { readonly kind: Kind }>,
    opening: Opening,
  ) => Promise<Verifier>;
} = {
  async trained({ path, sha256 }, { cacheDirectory, threads, resources }) {
    const { openTrainedVerifier } = await import("../verifiers/head.ts");
    assertSha256(path, sha256);
    return resources.use(await openTrainedVerifier({ path, cacheDirectory, threads }));
  },
  async overlap({ path }) {
    const { overlapVerifier, readBaselineSettings } = await import("../verifiers/baselines.ts");
    return overlapVerifier(readBaselineSettings(path).overlap);
  },
  async cosine({ path }, opening) {
    const { cosineVerifier, readBaselineSettings } = await import("../verifiers/baselines.ts");
    const { cosine } = readBaselineSettings(path);
    // Its thresholds were fitted to floats.
    return cosineVerifier(await opening.encoder(0, "F32"), cosine);
  },
  async prompted(entry, opening) {
    const template = opening.prompts.template(entry.prompt);
    if (template.verdictWords !== undefined) {
      return await threeWayVerifier(await openAnswers(entry, opening), template, entry);
    }
    const { nextWord: model, sha256, settings } = await openFloats(entry, opening);
    const weights = { modelSha256: sha256, weights: settings.precision };
    const scaling = opening.calibrationOf(entry.id, entry.prompt, weights)?.scaling;
    return await twoWayVerifier({ model, sha256, scaling }, template, entry);
  },
  async "prompted-server"(entry, opening) {
    const { hostedAnswers, hostedNextWord } = await import("./open_hosted.ts");
    const template = opening.prompts.template(entry.prompt);
    return template.verdictWords === undefined
      ? await twoWayVerifier(hostedNextWord(entry, opening), template, entry)
      : await threeWayVerifier({ model: hostedAnswers(entry, opening) }, template, entry);
  },
  async "onnx-nli"(entry, { threads, configuration, resources }) {
    const { openOnnxNliVerifier } = await import("../verifiers/nli.ts");
    const quantisation = entry.quantisation ?? configuration.quantisation;
    return resources.use(await openOnnxNliVerifier({ ...entry, quantisation }, threads));
  },
  async "cross-encoder"({ path, sha256 }, { cacheDirectory, threads, resources }) {
    const { openCrossEncoder } = await import("../../models/encoder/cross_encoder.ts");
    const { wholeNetwork } = await import("../../models/encoder/shipped_network.ts");
    const { crossEncoderVerifier } = await import("../verifiers/cross_encoder.ts");
    assertSha256(path, sha256);
    const whole = await wholeNetwork(path, { cacheDirectory });
    return crossEncoderVerifier(resources.use(await openCrossEncoder(whole, { threads })));
  },
  large: openLargeVerifier,
};

/** Most tokens of a prompt: instructions, a window and a claim of 220 each. */
const LARGE_CONTEXT_TOKENS = 1024;

/** The packaged chat model as a verifier, as it ships: other weights would need other scaling. */
async function openLargeVerifier(
  { path, calibration: file }: Extract<VerifierEntry, { readonly kind: "large" }>,
  opening: Opening,
): Promise<Verifier> {
  const { largeTemplate, largeVerifier, readLargeCalibration } = await import(
    "../verifiers/large.ts"
  );
  const calibration = readLargeCalibration(file);
  const template = await largeTemplate(calibration, opening.prompts);
  const { id, licence, package: packageName, sha256 } = QWEN_CODER;
  const place = path === undefined ? { package: packageName } : { path };
  const common = { id, licence, sha256, quantisation: "none" } as const;
  const entry = { ...common, ...place, contextTokens: LARGE_CONTEXT_TOKENS };
  const { model } = await openAnswers(entry, opening);
  const { windowTokens, windows, besideSha256 } = calibration;
  const { openTrainedVerifier } = await import("../verifiers/head.ts");
  const { cacheDirectory, threads, resources } = opening;
  const beside = resources.use(await openTrainedVerifier({ cacheDirectory, threads }));
  if (beside.settings["headSha256"] !== besideSha256) {
    throw new Error(
      `Cannot scale what the large verifier says: ${shownPath(file)} was fitted beside another ` +
        'trained verifier. Restore it, or run "deno task train judges --large".',
    );
  }
  const reading = { windowTokens, windows };
  return largeVerifier(model, template, { calibration, modelSha256: sha256, reading, beside });
}

/** The verifier of an entry. @throws {Error} where a file is missing, another, or unreadable. */
export async function openVerifier(entry: VerifierEntry, opening: Opening): Promise<Verifier> {
  return await VERIFIERS[entry.kind](entry as never, opening);
}

type KnowledgeEntry = Exclude<RetrievalEntry, { readonly kind: "none" }>;

/** The retriever of a knowledge base, indexed once. @throws {Error} where it cannot be read. */
export async function openRetriever(entry: KnowledgeEntry, opening: Opening): Promise<Retriever> {
  const { minimumShare, minimumCosine, topK: limit } = entry;
  const cacheDirectory = join(opening.cacheDirectory, "retrieval");
  const onProgress = (passages: number) =>
    opening.tell(entry.kind, `${passages.toLocaleString("en")} passages indexed`);
  const index = await openIndex(await sourceOf(entry, opening), { cacheDirectory, onProgress });
  const told = Object.entries({ minimumShare, minimumCosine }).filter(([, value]) => value != null);
  const options = { limit, ...Object.fromEntries(told) };
  if (!entry.rerank) return retriever(index, undefined, options);
  const encoder = await opening.encoder();
  if (!opening.keepVectors) return retriever(index, encoder, options);
  const others = Array.from({ length: opening.threads - 1 }, (_, at) => at + 1);
  const encoders = [encoder, ...await Array.fromAsync(others, (lane) => opening.encoder(lane))];
  const of = `${index.sha256} ${JSON.stringify(encoderSettings(encoder))}`;
  const path = join(cacheDirectory, `${sha256Hex(of).slice(0, 32)}.vectors`);
  const { vectors, save } = sentenceVectors(encoders, { path, of });
  opening.resources.defer(save);
  return retriever(index, encoder, options, vectors);
}

async function sourceOf(entry: KnowledgeEntry, { cacheDirectory, tell }: Opening) {
  if (entry.kind === "factbook") {
    const { factbookSource } = await import("../retrieval/factbook.ts");
    return factbookSource(cacheDirectory, {
      onProgress: (download) => tell(entry.kind, formatDownload(download)),
    });
  }
  const { folderSource, wikipediaSource } = await import("../retrieval/sources.ts");
  if (entry.kind === "folder") return folderSource(entry.path);
  assertSha256(entry.path, entry.sha256);
  return wikipediaSource(entry.path);
}

/** The model of an entry as one whose replies are drawn. @throws {Error} without file or key. */
export async function openDraws(
  entry: JudgeEntry,
  generation: Generation,
  opening: Opening,
): Promise<DrawnModel> {
  if (entry.kind !== "gguf") {
    const { hostedDraws } = await import("./open_hosted.ts");
    return hostedDraws(entry, generation, opening);
  }
  const { engineDraws, engineSampling } = await import("../../models/llama/sampling.ts");
  const { engine, settings } = await openEntry(entry, "shipped", opening);
  const isChat = engine.chatTemplate !== undefined;
  return engineDraws(engineSampling(entry.id, engine, settings), generation, isChat);
}

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

/** The weight as configured, else as its measured accuracy deserves, else 1. */
function judgeOptions(entry: JudgeEntry, model: MeasuredModel, { calibrationOf }: Opening) {
  const { id, readout, timeoutSeconds, scoring, mostDraws } = entry;
  const prompt = readout === "next-token" ? entry.prompt : undefined;
  const { measured, scaling: calibration } =
    calibrationOf(id, prompt ?? readout, { ...model, scoring }) ?? {};
  const { modelSha256 } = model;
  const weight = entry.weight ?? (measured ? weightFromAccuracy(measured) : 1);
  const options = { weight, measured, modelSha256, timeoutSeconds, scoring, calibration, prompt };
  return { ...options, ...mostDraws !== undefined && { mostDraws } };
}

/** Whether something may rest on what the judge of an entry will say, told before it takes memory. */
export function isTrustedEntry(entry: JudgeEntry, opening: Opening): boolean {
  const options = judgeOptions(entry, weightsOf(entry, opening), opening);
  return isTrusted({ ...options, vouched: entry.weight !== undefined });
}

function weightsOf(entry: JudgeEntry, { configuration }: Opening): MeasuredModel {
  if (entry.kind !== "gguf") return { modelSha256: undefined, weights: entry.model ?? entry.id };
  const { package: packed, path = "", sha256 } = entry;
  const quantisation = entry.quantisation ?? configuration.quantisation;
  const plain = entry.readout === "next-token" ? "F32" : "shipped";
  const fileSha256 = packed ? packagedSha256(packed) : sha256 ??
    (existsSync(path) ? sha256OfFile(path) : undefined);
  const weights = quantisation === "none" ? plain : PRECISIONS[quantisation];
  return { modelSha256: fileSha256, weights };
}

/** The judge of an entry, within reach. @throws {Error} where its file or key cannot be had. */
export async function openJudge(
  entry: JudgeEntry,
  opening: Opening,
  seed = 0,
): Promise<OpenJudge> {
  const { prompts } = opening;
  const { id, readout } = entry;
  const optionsOf = (model: MeasuredModel) => judgeOptions(entry, model, opening);
  if (entry.kind === "gguf" && readout === "next-token") {
    const { nextWord, likelihood, sha256, settings } = await openFloats(entry, opening);
    const measured = { modelSha256: sha256, weights: settings.precision };
    const judge = nextTokenJudge(nextWord, prompts, optionsOf(measured));
    return { judge, measured, likelihood, reads: nextWord };
  }
  const { generatingJudge } = await import("../judges/generating_judge.ts");
  if (entry.kind === "gguf") {
    const { openStructuredModel } = await import("../../models/llama/structured_chat.ts");
    const { contextTokens, maxReplyTokens, temperature } = entry;
    const { threads, resources } = opening;
    const { path, sha256, settings } = await openWeights(entry, "shipped", opening);
    const model = { id, path, settings, threads, contextTokens, maxReplyTokens, temperature };
    const writes = resources.use(await openStructuredModel({ ...model, seed }));
    const measured = { modelSha256: sha256, weights: settings.precision };
    return { judge: generatingJudge(writes, prompts, optionsOf(measured)), measured, writes };
  }
  const { hostedNextWord, hostedWriter, tellingJudge } = await import("./open_hosted.ts");
  const measured = { modelSha256: undefined, weights: entry.model ?? id };
  const options = optionsOf(measured);
  if (readout === "next-token") {
    const { model, trouble } = hostedNextWord(entry, opening);
    const judge = tellingJudge(nextTokenJudge(model, prompts, options), trouble);
    return { judge, measured, reads: model };
  }
  const { writes, trouble } = hostedWriter(entry, opening);
  const judge = tellingJudge(generatingJudge(writes, prompts, options), trouble);
  return { judge, measured, writes };
}
