import { join } from "node:path";
import { sha256OfFile } from "../../files/checksum.ts";

/** What stands beside an ONNX network in the folder of a published model. */
export const ONNX_DESCRIPTIONS = [
  "config.json",
  "tokenizer.json",
  "tokenizer_config.json",
] as const;

/** Whether a folder holds a file, named from the folder on. */
export function holdsFile(folder: string, file: string): boolean {
  try {
    return Deno.statSync(join(folder, file)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** SHA-256 of what decides an answer, as hexadecimal digits. */
export interface OnnxHashes {
  readonly fileSha256: string;
  /** Of weights outside the network's file, where it has any. */
  readonly weightsSha256?: string;
  readonly tokeniserSha256: string;
}

/** The hashes of a network (`onnx/model.onnx`) in its folder, of its weights and its tokeniser. */
export function onnxHashes(folder: string, network: string): OnnxHashes {
  const outside = `${network}_data`;
  return {
    fileSha256: sha256OfFile(join(folder, network)),
    ...(holdsFile(folder, outside) ? { weightsSha256: sha256OfFile(join(folder, outside)) } : {}),
    tokeniserSha256: sha256OfFile(join(folder, "tokenizer.json")),
  };
}
