import { join } from "node:path";
import { sha256OfFile } from "../../files/checksum.ts";
import { shownPath } from "../../files/shown_path.ts";
import { loadTransformers } from "../../models/masked/transformers_package.ts";
import { checkInt8, checkNliNetwork } from "./onnx_nli_check.ts";
import {
  type NliNetwork,
  type NliPrecision,
  type NliTransformers,
  openNliNetwork,
} from "./onnx_nli_network.ts";
import { readClaim } from "./onnx_nli_reading.ts";
import type { Verifier } from "./verifier.ts";

/** A model of natural-language inference in a local folder. */
export interface OnnxNliEntry {
  /** Names the verifier in every result. */
  readonly id: string;
  /** Holds config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx. */
  readonly path: string;
  readonly licence: string;
  /** `8-bit` reads onnx/model_int8.onnx or onnx/model_quantized.onnx in place of onnx/model.onnx. */
  readonly quantisation: "none" | "8-bit";
  /** Of the file that is read; nothing is checked where it is left out. */
  readonly sha256?: string | undefined;
}

export interface OnnxNliOptions {
  /** Git-ignored folder where `deno task masked --install` put transformers.js. */
  readonly cacheDirectory: string;
  readonly threads: number;
}

const DESCRIPTIONS = ["config.json", "tokenizer.json", "tokenizer_config.json"] as const;
const FLOAT32 = { precision: "fp32", file: "onnx/model.onnx" } as const;
const EIGHT_BIT = [
  { precision: "int8", file: "onnx/model_int8.onnx" },
  { precision: "q8", file: "onnx/model_quantized.onnx" },
] as const;

interface NetworkFile {
  readonly precision: NliPrecision;
  readonly file: string;
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** @throws {Deno.errors.NotFound} naming what is missing. */
function networkFile({ id, path, quantisation }: OnnxNliEntry): NetworkFile {
  const wanted: readonly NetworkFile[] = quantisation === "8-bit" ? EIGHT_BIT : [FLOAT32];
  const found = wanted.find(({ file }) => isFile(join(path, file)));
  const missing: string[] = DESCRIPTIONS.filter((file) => !isFile(join(path, file)));
  if (found === undefined) missing.push(wanted.map(({ file }) => file).join(" or "));
  if (found !== undefined && missing.length === 0) return found;
  throw new Deno.errors.NotFound(
    `Cannot open the NLI model ${id}: ${shownPath(path)} has no ${missing.join(", no ")}; ` +
      "put them there, or correct its path in the configuration",
  );
}

/** The checks of a network that is to be used; what they found, for the settings. */
async function checked(
  network: NliNetwork,
  used: NetworkFile,
  openFloat32: () => Promise<NliNetwork> | undefined,
): Promise<Readonly<Record<string, number | boolean>>> {
  await checkNliNetwork(network);
  if (used.precision === "fp32") return {};
  const float32 = await openFloat32();
  if (float32 === undefined) return { comparedWithFloat32: false };
  try {
    return { comparedWithFloat32: true, int8Difference: await checkInt8(network, float32) };
  } finally {
    await float32.dispose();
  }
}

/** @throws {TypeError} where the network is another file than the one named. */
function checkedSha256({ id, path, sha256 }: OnnxNliEntry, { file }: NetworkFile): string {
  const found = sha256OfFile(join(path, file));
  if (sha256 === undefined || sha256 === found) return found;
  throw new TypeError(
    `Cannot open the NLI model ${id}: the SHA-256 of ${file} is ${found}, and the configuration ` +
      `names ${sha256}; restore the file, or correct sha256`,
  );
}

async function openChecked(entry: OnnxNliEntry, options: OnnxNliOptions, used: NetworkFile) {
  const transformers = loadTransformers(options.cacheDirectory) as unknown as NliTransformers;
  const open = (precision: NliPrecision) =>
    openNliNetwork(transformers, entry.path, { precision, threads: options.threads });
  const network = await open(used.precision);
  try {
    const openFloat32 = () => isFile(join(entry.path, FLOAT32.file)) ? open("fp32") : undefined;
    return {
      network,
      settings: await checked(network, used, openFloat32),
      version: transformers.env.version,
    };
  } catch (error) {
    await network.dispose();
    throw error;
  }
}

/**
 * Any model of natural-language inference in ONNX from a local folder through transformers.js: the
 * source is the premise, in stretches of whole sentences, the claim the hypothesis. Nothing comes from
 * a network. Its probabilities are as calibrated as the model's own. `await using` frees its memory.
 *
 * Needs `--allow-read`, `--allow-ffi`, `--allow-env` and `--allow-sys`.
 *
 * @throws {Deno.errors.NotFound} where a file or transformers.js is missing, with the remedy.
 * @throws {TypeError} where it is no such model, or fails its checks.
 */
export async function openOnnxNliVerifier(
  entry: OnnxNliEntry,
  options: OnnxNliOptions,
): Promise<Verifier & AsyncDisposable> {
  const used = networkFile(entry);
  const modelSha256 = checkedSha256(entry, used);
  const { network, settings, version } = await openChecked(entry, options, used).catch((cause) => {
    if (cause instanceof Deno.errors.NotFound) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`Cannot open the NLI model ${entry.id}: ${why}`, { cause });
  });
  const provenance = { producedBy: entry.id, modelSha256, promptSha256: undefined };
  return {
    name: entry.id,
    settings: {
      ...{ fileSha256: modelSha256, engine: `transformers.js ${version}` },
      ...{ precision: used.precision, threads: options.threads, labels: network.labels.kind },
      ...settings,
      licence: entry.licence,
    },
    async verify(claims, passages, { signal } = {}) {
      const verdicts = [];
      for (const claim of claims) {
        signal?.throwIfAborted();
        verdicts.push(await readClaim(network, claim, passages, { provenance, signal }));
      }
      return verdicts;
    },
    [Symbol.asyncDispose]: async () => void await network.dispose(),
  };
}
