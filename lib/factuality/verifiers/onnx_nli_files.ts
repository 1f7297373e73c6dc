import { shownPath } from "../../files/shown_path.ts";
import {
  holdsFile,
  ONNX_DESCRIPTIONS,
  type OnnxHashes,
  onnxHashes,
} from "../../models/masked/onnx_folder.ts";
import type { NliPrecision } from "./onnx_nli_network.ts";

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

/** A network's file, and what it holds. */
export interface NetworkFile {
  readonly precision: NliPrecision;
  /** From the model's folder on. */
  readonly file: string;
}

/** What every other precision is held against. */
export const FLOAT32: NetworkFile = { precision: "fp32", file: "onnx/model.onnx" };
const EIGHT_BIT: readonly NetworkFile[] = [
  { precision: "int8", file: "onnx/model_int8.onnx" },
  { precision: "q8", file: "onnx/model_quantized.onnx" },
];

/**
 * The file that an entry asks for.
 * @throws {Deno.errors.NotFound} naming what its folder lacks.
 */
export function networkFile({ id, path, quantisation }: OnnxNliEntry): NetworkFile {
  const wanted = quantisation === "8-bit" ? EIGHT_BIT : [FLOAT32];
  const found = wanted.find(({ file }) => holdsFile(path, file));
  const missing: string[] = ONNX_DESCRIPTIONS.filter((file) => !holdsFile(path, file));
  if (found === undefined) missing.push(wanted.map(({ file }) => file).join(" or "));
  if (found !== undefined && missing.length === 0) return found;
  throw new Deno.errors.NotFound(
    `Cannot open the NLI model ${id}: ${shownPath(path)} has no ${missing.join(", no ")}; ` +
      "put them there, or correct its path in the configuration",
  );
}

/**
 * The hashes of the file that is read, of its weights and its tokeniser.
 * @throws {TypeError} where the network is another file than the one named.
 */
export function checkedHashes(
  { id, path, sha256 }: OnnxNliEntry,
  { file }: NetworkFile,
): OnnxHashes {
  const hashes = onnxHashes(path, file);
  const found = hashes.fileSha256;
  if (sha256 === undefined || sha256 === found) return hashes;
  throw new TypeError(
    `Cannot open the NLI model ${id}: the SHA-256 of ${file} is ${found}, and the configuration ` +
      `names ${sha256}; restore the file, or correct sha256`,
  );
}
