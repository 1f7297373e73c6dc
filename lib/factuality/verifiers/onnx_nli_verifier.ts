import { holdsFile } from "../../models/masked/onnx_folder.ts";
import { loadTransformers } from "../../models/masked/transformers_package.ts";
import { checkInt8, checkNliNetwork } from "./onnx_nli_check.ts";
import {
  checkedHashes,
  FLOAT32,
  type NetworkFile,
  networkFile,
  type OnnxNliEntry,
} from "./onnx_nli_files.ts";
import {
  type NliNetwork,
  type NliPrecision,
  type NliTransformers,
  openNliNetwork,
} from "./onnx_nli_network.ts";
import { readClaim } from "./onnx_nli_reading.ts";
import type { Verifier } from "./verifier.ts";

export interface OnnxNliOptions {
  /** Git-ignored folder where `deno task masked --install` put transformers.js. */
  readonly cacheDirectory: string;
  readonly threads: number;
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

async function openChecked(entry: OnnxNliEntry, options: OnnxNliOptions, used: NetworkFile) {
  const transformers = loadTransformers(options.cacheDirectory) as unknown as NliTransformers;
  const open = (precision: NliPrecision) =>
    openNliNetwork(transformers, entry.path, { precision, threads: options.threads });
  const network = await open(used.precision);
  try {
    const openFloat32 = () => holdsFile(entry.path, FLOAT32.file) ? open("fp32") : undefined;
    const settings = {
      engine: `transformers.js ${transformers.env.version}`,
      ...{ precision: used.precision, threads: options.threads, labels: network.labels.kind },
      ...await checked(network, used, openFloat32),
    };
    return { network, settings };
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
  const hashes = checkedHashes(entry, used);
  const { network, settings } = await openChecked(entry, options, used).catch((cause) => {
    if (cause instanceof Deno.errors.NotFound) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`Cannot open the NLI model ${entry.id}: ${why}`, { cause });
  });
  const { fileSha256: modelSha256 } = hashes;
  const provenance = { producedBy: entry.id, modelSha256, promptSha256: undefined };
  return {
    name: entry.id,
    settings: { ...hashes, ...settings, licence: entry.licence },
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
