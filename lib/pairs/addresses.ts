/**
 * Makes addresses of answers about pairs: of the prompt and of the model with its settings.
 *
 * Scored pairs have an address of their two sentences. An answer counts for every pair with the
 * same question now: renumbered pairs keep theirs, changed pairs are asked again.
 * @module
 */
import { addressOf, type Settings } from "../files/asking.ts";
import { readTextIfThere } from "../files/atomic.ts";
import { type Json, writeJsonAtomic } from "../files/json.ts";
import { formatPrompt, type Order } from "./forced_choice.ts";
import type { MinimalPair } from "./pair.ts";

/** Address of an answer: of its question and of its model. */
export interface AnswerAddress {
  /** Address of the prompt, or of the two sentences scored. */
  readonly asked: string;
  /** Address of the model and its settings; its entry in `evaluation_settings.json`. */
  readonly settings: string;
}

type Sentences = Pick<MinimalPair, "grammatical" | "ungrammatical" | "through" | "prefix">;

export function promptAddress(template: string, pair: Sentences, order: Order): string {
  return addressOf(formatPrompt(template, pair, order));
}

/** Address of what is scored. Scores of beginnings without the end of their last word have another. */
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

/** Address of who is asked: the model's name and its settings. */
export const settingsAddress = ({ name, settings }: Asker): string => addressOf([name, settings]);

type RecordedSettings = Readonly<
  Record<string, { readonly model: string; readonly settings: Settings }>
>;

/** Settings on record, by their address. @throws {SyntaxError} for a file that is no JSON. */
export function readSettings(path: string): RecordedSettings {
  const text = readTextIfThere(path);
  if (text === undefined) return {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SyntaxError(`Cannot read ${path}: it is no JSON. Move it away.`, { cause });
  }
}

/** Records a model's settings before its first row is written; a model that never answers has none. */
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

/** Two models of one name would share their rows. Throws RangeError naming it. */
export function requireDistinctModels(models: readonly { readonly name: string }[]): void {
  for (const [name, alike] of Map.groupBy(models, ({ name }) => name)) {
    if (alike.length > 1) throw new RangeError(`Cannot evaluate: two models are called ${name}.`);
  }
}
