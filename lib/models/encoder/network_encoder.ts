import { batches } from "./batches.ts";
import { encodedText } from "./encoded_text.ts";
import { EncodedTextCache } from "./encoded_text_cache.ts";
import type { EncoderNetwork } from "./encoder_network.ts";
import type { EncodedText, SentenceEncoder } from "./sentence_encoder.ts";
import { type WordPiece, wordPieces, type WordPieceVocabulary } from "./word_pieces.ts";

/** What an encoder is made of. */
export interface EncoderParts {
  readonly name: string;
  readonly settings: SentenceEncoder["settings"];
  readonly network: EncoderNetwork;
  readonly vocabulary: WordPieceVocabulary;
  /** Most tokens of a text, the two special ones included; at most the network's batch. */
  readonly longest: number;
  /** Texts share a run up to so many tokens; a longer text has one for itself. */
  readonly sharedTokens: number;
  /** Memory for encoded texts, in bytes. */
  readonly cacheBytes: number;
}

interface Framed {
  readonly text: string;
  readonly pieces: readonly WordPiece[];
  readonly ids: readonly number[];
  readonly readTo: number;
}

function framed(text: string, { vocabulary, longest }: EncoderParts): Framed {
  const all = wordPieces(text, vocabulary);
  const pieces = all.slice(0, longest - 2);
  const ids = [vocabulary.first, ...pieces.map(({ id }) => id), vocabulary.last];
  return { text, pieces, ids, readTo: all[pieces.length]?.start ?? text.length };
}

async function encodeNew(
  texts: readonly string[],
  parts: EncoderParts,
  signal: AbortSignal | undefined,
  take: (text: string, encoded: EncodedText) => void,
): Promise<void> {
  const { network } = parts;
  const rows = texts.map((text) => framed(text, parts));
  const limits = { tokens: parts.sharedTokens, sequences: network.batchSequences };
  for (const [begin, end] of batches(rows.map(({ ids }) => ids.length), limits)) {
    signal?.throwIfAborted();
    const run = rows.slice(begin, end);
    const values = await network.run(run.map(({ ids }) => ids));
    let at = 0;
    for (const { text, pieces, ids, readTo } of run) {
      const next = at + ids.length * network.dimensions;
      take(text, encodedText(values.subarray(at, next), pieces, readTo));
      at = next;
    }
  }
}

/** Encodes what the cache lacks and keeps it there. */
async function encodeAll(
  texts: readonly string[],
  parts: EncoderParts,
  cache: EncodedTextCache,
  signal: AbortSignal | undefined,
): Promise<readonly EncodedText[]> {
  const known = new Map<string, EncodedText>();
  for (const text of texts) {
    const found = cache.get(text);
    if (found !== undefined) known.set(text, found);
  }
  const missing = [...new Set(texts)].filter((text) => !known.has(text));
  await encodeNew(missing, parts, signal, (text, encoded) => {
    known.set(text, encoded);
    cache.set(text, encoded);
  });
  return texts.map((text) => known.get(text)!);
}

function closedError(name: string): TypeError {
  return new TypeError(`Cannot encode: the encoder ${name} has been closed`);
}

/** A network and its vocabulary as a sentence encoder. Disposing it disposes the network. */
export function networkEncoder(parts: EncoderParts): SentenceEncoder {
  const { name, settings, network } = parts;
  const cache = new EncodedTextCache(parts.cacheBytes);
  let turn: Promise<unknown> = Promise.resolve();
  let open = true;
  return {
    name,
    settings,
    dimensions: network.dimensions,
    encode(texts, { signal } = {}) {
      if (!open) return Promise.reject(closedError(name));
      // A network reads one thing at a time.
      const result = turn.then(() => encodeAll(texts, parts, cache, signal));
      turn = result.catch(() => undefined);
      return result;
    },
    clear: () => cache.clear(),
    async [Symbol.asyncDispose]() {
      if (!open) return;
      open = false;
      await turn;
      cache.clear();
      await network[Symbol.asyncDispose]();
    },
  };
}
