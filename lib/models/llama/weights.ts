import { basename, join } from "node:path";
import { z } from "zod";
import { writeJsonAtomic } from "../../files/json_file.ts";
import { sha256OfFile } from "../../files/checksum.ts";
import { type ExpandedPrecision, expandWeights, type ExpansionProgress } from "./expand.ts";

/** A GGUF file and what it holds, as hexadecimal SHA-256. */
export interface Weights {
  readonly path: string;
  readonly sha256: string;
}

const RECORD = z.strictObject({ sourceSha256: z.string(), sha256: z.string(), bytes: z.number() });

/** The note beside an expanded file, where it is there and speaks of this source and file. */
async function recorded(path: string, source: Weights): Promise<Weights | undefined> {
  try {
    const { size } = await Deno.stat(path);
    const record = RECORD.safeParse(JSON.parse(await Deno.readTextFile(`${path}.json`)));
    const fits = record.success && record.data.bytes === size &&
      record.data.sourceSha256 === source.sha256;
    return fits ? { path, sha256: record.data.sha256 } : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * The same weights in a plain float format, made once in `directory` with a note of its SHA-256
 * beside it (reading a gigabyte again at each start would cost seconds). A file without a fitting
 * note is made anew.
 *
 * @throws {Deno.errors.InvalidData} where llama.cpp cannot convert the file.
 */
export async function expandedWeights(source: Weights, options: {
  readonly directory: string;
  readonly precision: ExpandedPrecision;
  readonly threads: number;
  readonly onProgress?: ExpansionProgress;
}): Promise<Weights> {
  const stem = basename(source.path).replace(/\.gguf$/, "");
  const name = `${stem}.${source.sha256.slice(0, 8)}.${options.precision}.gguf`;
  const path = join(options.directory, name);
  const known = await recorded(path, source);
  if (known !== undefined) return known;
  await expandWeights(source.path, path, options);
  const sha256 = sha256OfFile(path);
  const { size: bytes } = await Deno.stat(path);
  writeJsonAtomic(`${path}.json`, { sourceSha256: source.sha256, sha256, bytes });
  return { path, sha256 };
}
