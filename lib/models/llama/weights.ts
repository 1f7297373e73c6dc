import { basename, join } from "node:path";
import { z } from "zod";
import { writeJsonAtomic } from "../../files/json_file.ts";
import { sha256OfFile } from "../../files/checksum.ts";
import { expandWeights, type ExpansionProgress, type WeightPrecision } from "./expand.ts";

/** A GGUF file and what it holds, as hexadecimal SHA-256. */
export interface Weights {
  readonly path: string;
  readonly sha256: string;
}

const RECORD = z.strictObject({ sourceSha256: z.string(), sha256: z.string(), bytes: z.number() });

/** The note beside a converted file, where it is there and speaks of this source and file. */
async function recorded(path: string, sourceSha256: string): Promise<Weights | undefined> {
  try {
    const { size } = await Deno.stat(path);
    const record = RECORD.safeParse(JSON.parse(await Deno.readTextFile(`${path}.json`)));
    const fits = record.success && record.data.bytes === size &&
      record.data.sourceSha256 === sourceSha256;
    return fits ? { path, sha256: record.data.sha256 } : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * A file that is made from another once, with a note of its SHA-256 beside it (reading a gigabyte
 * again at each start would cost seconds). A file without a fitting note is made anew.
 *
 * @param make Writes the file at `path`, so that it appears only when whole.
 */
export async function madeOnce(
  path: string,
  sourceSha256: string,
  make: () => Promise<void>,
): Promise<Weights> {
  const known = await recorded(path, sourceSha256);
  if (known !== undefined) return known;
  await make();
  const sha256 = sha256OfFile(path);
  const { size: bytes } = await Deno.stat(path);
  writeJsonAtomic(`${path}.json`, { sourceSha256, sha256, bytes });
  return { path, sha256 };
}

/**
 * The same weights in another format, made once in `directory`: plain floats to score with, or
 * 8 bits a weight where memory is short.
 *
 * @throws {Deno.errors.InvalidData} where llama.cpp cannot convert the file.
 */
export async function expandedWeights(source: Weights, options: {
  readonly directory: string;
  readonly precision: WeightPrecision;
  readonly threads: number;
  readonly onProgress?: ExpansionProgress;
}): Promise<Weights> {
  const stem = basename(source.path).replace(/\.gguf$/, "");
  const name = `${stem}.${source.sha256.slice(0, 8)}.${options.precision}.gguf`;
  const path = join(options.directory, name);
  return await madeOnce(path, source.sha256, () => expandWeights(source.path, path, options));
}
