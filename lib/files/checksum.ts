import { createHash } from "node:crypto";

const BLOCK_BYTES = 1 << 20;

/** SHA-256 of bytes, or of a text's UTF-8, as 64 lower-case hexadecimal digits (FIPS 180-4). */
export function sha256Hex(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("hex");
}

/**
 * SHA-256 of a file, read in blocks so that a model of any size needs one megabyte.
 * @throws {Deno.errors.NotFound} where the file is missing.
 */
export function sha256OfFile(path: string): string {
  const hash = createHash("sha256");
  using file = Deno.openSync(path, { read: true });
  const block = new Uint8Array(BLOCK_BYTES);
  for (let read = file.readSync(block); read !== null; read = file.readSync(block)) {
    hash.update(block.subarray(0, read));
  }
  return hash.digest("hex");
}

/** Whether the file exists and has this SHA-256. */
export function hasSha256(path: string, sha256: string): boolean {
  try {
    return sha256OfFile(path) === sha256;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
