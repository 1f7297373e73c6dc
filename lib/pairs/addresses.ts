/**
 * Hashes that identify the questions and models of answers about pairs.
 *
 * Scored pairs are identified by their two sentences. An answer is valid for every pair with the
 * same question: renumbered pairs keep theirs, changed pairs are asked again.
 * @module
 */
import { addressOf, type Settings } from "../files/asking.ts";
import { readTextIfThere } from "../files/atomic.ts";
import { type Json, writeJsonAtomic } from "../files/json.ts";
import { formatPrompt, type Order } from "./forced_choice.ts";
import type { MinimalPair } from "./pair.ts";

/** Hashes of an answer's question and model. */
export interface AnswerAddress {
  /** Hash of the prompt, or of the two scored sentences. */
  readonly asked: string;
  /** Hash of the model and its settings, a key of `evaluation_settings.json`. */
  readonly settings: string;
}

type Sentences = Pick<MinimalPair, "grammatical" | "ungrammatical" | "through" | "prefix">;

export function promptAddress(template: string, pair: Sentences, order: Order): string {
  return addressOf(formatPrompt(template, pair, order));
}

/**
 * Returns the hash of scored sentences. Beginnings scored without their last word's end have a
 * different one.
 */
export function sentencesAddress(
  { grammatical, ungrammatical, through, prefix }: Sentences,
): string {
  const sentences = [grammatical, ungrammatical, ...prefix === undefined ? [] : [{ prefix }]];
  if (through === undefined) return addressOf(sentences);
  return addressOf([...sentences, "with the word's end", through]);
}

interface Asker {
  readonly name: string;
  readonly settings: Settings;
}

/** Returns the hash of a model's name and settings. */
export const settingsAddress = ({ name, settings }: Asker): string => addressOf([name, settings]);

type RecordedSettings = Readonly<
  Record<string, { readonly model: string; readonly settings: Settings }>
>;

/** Reads recorded settings by hash. @throws {SyntaxError} for invalid JSON. */
export function readSettings(path: string): RecordedSettings {
  const text = readTextIfThere(path);
  if (text === undefined) return {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SyntaxError(`Cannot read ${path}: it is no JSON. Move it away.`, { cause });
  }
}

/** Returns a function that records a model's settings before its first row. */
export function settingsRecorder(path: string) {
  let known: RecordedSettings | undefined;
  return (model: Asker) => {
    const address = settingsAddress(model);
    known ??= readSettings(path);
    if (address in known) return address;
    known = { ...known, [address]: { model: model.name, settings: model.settings } };
    writeJsonAtomic(path, known as Json);
    return address;
  };
}

/** Checks that models have distinct names, since rows are by name. Throws RangeError. */
export function requireDistinctModels(models: readonly { readonly name: string }[]): void {
  for (const [name, alike] of Map.groupBy(models, ({ name }) => name)) {
    if (alike.length > 1) throw new RangeError(`Cannot evaluate: two models are called ${name}.`);
  }
}
