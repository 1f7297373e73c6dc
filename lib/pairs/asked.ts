/**
 * Answers are addressed by what was asked: a digest of the prompt (or of the two sentences scored) and
 * one of the model's settings stand beside each. An answer counts for whatever pair asks the same now:
 * pairs that are numbered anew keep theirs, pairs that change are asked again.
 */
import { readTextIfThere, sha256Hex } from "../files/atomic.ts";
import { type Json, writeJsonAtomic } from "../files/json.ts";
import { formatPrompt, type Order } from "./forced_choice.ts";
import type { MinimalPair } from "./pair.ts";

export interface Asked {
  /** Digest of the prompt, or of the two sentences scored. */
  readonly asked: string;
  /** Digest of the model's settings; its entry in `evaluation_settings.json`. */
  readonly settings: string;
}

type Settings = Readonly<Record<string, string | number | boolean>>;
type Sentences = Pick<MinimalPair, "grammatical" | "ungrammatical">;

/** 12 hexadecimal digits: 48 bits tell a million questions apart. */
const digestOf = (text: string) => sha256Hex(text).slice(0, 12);

export function promptDigest(template: string, pair: Sentences, order: Order): string {
  return digestOf(formatPrompt(template, pair, order));
}

export function membersDigest({ grammatical, ungrammatical }: Sentences): string {
  return digestOf(JSON.stringify([grammatical, ungrammatical]));
}

/** Settings of the machine or the paperwork: a run may go on where they differ. */
const NOT_ASKED = "engine access threads batchTokens sharedTexts licence".split(" ");

interface Asker {
  readonly name: string;
  readonly settings: Settings;
}

/** Of whom it is asked: the model's name and all settings that could change an answer. */
export function settingsDigest({ name, settings }: Asker): string {
  const counted = Object.entries(settings).filter(([key]) => !NOT_ASKED.includes(key)).sort();
  return digestOf(JSON.stringify([name, counted]));
}

type RecordedSettings = Readonly<
  Record<string, { readonly model: string; readonly settings: Settings }>
>;

/** Settings on record, by their digest. @throws {SyntaxError} for a file that is no JSON. */
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
    const digest = settingsDigest(model);
    known ??= readSettings(path);
    if (digest in known) return digest;
    known = { ...known, [digest]: { model: model.name, settings: model.settings } };
    writeJsonAtomic(path, known as Json);
    return digest;
  };
}

/** Two models of one name would share their rows. Throws RangeError naming it. */
export function requireDistinctModels(models: readonly { readonly name: string }[]): void {
  for (const [name, alike] of Map.groupBy(models, ({ name }) => name)) {
    if (alike.length > 1) throw new RangeError(`Cannot evaluate: two models are called ${name}.`);
  }
}
