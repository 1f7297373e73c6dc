import type { Tokenizer } from "@huggingface/tokenizers";
import { shownPath } from "../../files/atomic.ts";
import {
  missingOnnxFiles,
  onnxHashes,
  type OnnxNetwork,
  openOnnxFolder,
} from "../encoder/onnx_folder.ts";
import { logProbabilities } from "../llama/log_softmax.ts";
import type { LanguageModel } from "../model.ts";
import type { MaskedModel, MaskedQuery } from "./pseudo_likelihood.ts";

/** A masked language model in a local folder. */
export interface OnnxEntry {
  readonly id: string;
  /** Folder with config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx. */
  readonly path: string;
  readonly licence: string;
}

export interface OnnxOptions {
  /** Number of threads. By default the number of cores, at most 2. */
  readonly threads?: number;
}

const NETWORK = "onnx/model.onnx";

/** Opens a masked language model in ONNX. @throws {TypeError} for a folder without one. */
export async function openOnnxMaskedModel(
  { id, path, licence }: OnnxEntry,
  { threads = Math.min(2, navigator.hardwareConcurrency) }: OnnxOptions,
): Promise<MaskedModel & AsyncDisposable> {
  const missing = missingOnnxFiles(path, [NETWORK]);
  if (missing.length > 0) {
    throw new Deno.errors.NotFound(
      `Cannot open masked model ${id}: ${shownPath(path)} has no ${missing.join(", no ")}; ` +
        "put them there, or correct the path of its panel entry",
    );
  }
  try {
    await using opened = new AsyncDisposableStack();
    const network = opened.use(await openOnnxFolder(path, { file: NETWORK, threads }));
    const { engine } = network;
    const settings = { ...onnxHashes(path, NETWORK), engine, precision: "F32", threads, licence };
    const model = maskedModel(id, network, settings);
    opened.move();
    return { ...model, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`Cannot open masked model ${id}: ${why}`, { cause });
  }
}

/**
 * Maximum number of logits per call (64 MB as float32), which limits memory for large vocabularies.
 */
const MOST_LOGITS = 1 << 24;

/**
 * Combines a network and its tokeniser to a masked model. @throws {TypeError} for a tokeniser
 * without mask token. Reading throws {RangeError} for a text that is too long, has unknown
 * characters, or contains special tokens.
 */
function maskedModel(
  name: string,
  { tokeniser, config, longest = Infinity, tokenId, logits }: OnnxNetwork,
  settings: LanguageModel["settings"],
): MaskedModel {
  const [maskId, unknownId, vocabularySize] = [tokenId("mask"), tokenId("unk"), config.vocab_size];
  if (maskId === undefined) throw new TypeError("its tokeniser has no mask token");
  if (vocabularySize === undefined) throw new TypeError("its config.json has no vocab_size");
  const read = (text: string) => tokeniser.encode(text, { add_special_tokens: false });
  const encode = (text: string) => read(text).ids;
  return {
    name,
    settings,
    tokenise(text) {
      const { ids: own, tokens: pieces } = read(text);
      const { ids: framed } = tokeniser.encode(text);
      const { length } = framed;
      // How many special tokens stand before the text's first.
      const offset = framed.findIndex((_, from) => own.every((id, at) => framed[from + at] === id));
      if (offset < 0) {
        throw new RangeError("Cannot read a text: special tokens stand between its own");
      }
      if (length > longest) {
        throw new RangeError(`Cannot score a text of ${length} tokens: the model takes ${longest}`);
      }
      if (unknownId !== undefined && framed.includes(unknownId)) {
        const why =
          "the model's vocabulary lacks a part of it, whose probability would be that of " +
          "any unknown";
        throw new RangeError(`Cannot score ${JSON.stringify(text)}: ${why}`);
      }
      const words = pretokenIndexes(text, tokeniser, own.length) ?? wordIndexes(text, encode);
      const tokens = pieces.map((piece, at) => ({ piece, word: words[at]! }));
      /** Evaluates the text once per query, with the query's tokens masked. */
      const answer = async (queries: readonly MaskedQuery[]) => {
        const rows = queries.map(({ masked }) => {
          const hidden = new Set(masked.map((at) => at + offset));
          return framed.map((id, at) => hidden.has(at) ? maskId : id);
        });
        const { dimensions: [count, width, vocabulary], values } = await logits(rows);
        if (count !== rows.length || width !== length || vocabulary === undefined) {
          throw new TypeError(
            `Cannot read the model's output: it is not of ${rows.length} rows of ${length} tokens ` +
              "with a number a token of the vocabulary, so the model does not predict masked tokens",
          );
        }
        return queries.flatMap(({ position }, row) => {
          const at = offset + position;
          return logProbabilities(values, vocabulary, row * length + at, [framed[at]!]);
        });
      };
      return {
        tokens,
        async logProbabilities(queries) {
          const size = Math.max(1, Math.floor(MOST_LOGITS / (length * vocabularySize)));
          const answers: number[] = [];
          for (let from = 0; from < queries.length; from += size) {
            answers.push(...await answer(queries.slice(from, from + size)));
          }
          return answers;
        },
      };
    },
  };
}

/**
 * Returns each token's word index by the tokeniser's pre-tokenisation, like Hugging Face's
 * `word_ids`. BERT, for example, separates punctuation from words. Undefined without
 * pre-tokenisation, or where its words give other tokens than the text.
 */
export function pretokenIndexes(
  text: string,
  { normalizer, pre_tokenizer: pretokeniser, model }: Tokenizer,
  tokens: number,
): readonly number[] | undefined {
  if (pretokeniser === null || model === null) return undefined;
  const words = pretokeniser.pre_tokenize(normalizer?.normalize(text) ?? text);
  const indexes = words.flatMap((word, index) => model.encode([word]).map(() => index));
  // Pieces with a sign for a space are not separated by this library, as they are by the original.
  const isSeparated = words.length >= (text.match(/\S+/gu)?.length ?? 0);
  return isSeparated && indexes.length === tokens ? indexes : undefined;
}

/**
 * Returns each token's word index by tokenising growing prefixes of the text. @throws {RangeError}
 * for a token across two words.
 */
export function wordIndexes(
  text: string,
  encode: (text: string) => readonly number[],
): readonly number[] {
  const whole = encode(text);
  const indexes: number[] = [];
  for (const [word, match] of [...text.matchAll(/\S+/gu)].entries()) {
    const upToHere = encode(text.slice(0, match.index + match[0].length));
    if (upToHere.length < indexes.length || upToHere.some((id, at) => id !== whole[at])) {
      throw new RangeError(
        `Cannot separate the words of ${JSON.stringify(text)}: a token reaches over the end of ` +
          match[0],
      );
    }
    while (indexes.length < upToHere.length) indexes.push(word);
  }
  // What is left belongs to white space at the end.
  return whole.map((_, at) => indexes[at] ?? (indexes.at(-1) ?? -1) + 1);
}
