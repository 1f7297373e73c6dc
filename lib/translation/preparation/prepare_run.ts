import type { PracticeItem, Preparation, RunConfig } from "../configuration.ts";
import { type Quartiles, quartiles } from "../session/summary.ts";
import type { ItemReport } from "../tables.ts";
import {
  canonicalText,
  commonScript,
  isEmpty,
  isOtherScript,
  MAX_CELL_LENGTH,
  nameAsWord,
  scriptsOf,
  wordsOf,
} from "../text.ts";
import type { RatingWorkbook, SentenceContext, WorkbookItem } from "../types.ts";
import { newWorkbook } from "../workbook/write_workbook.ts";
import {
  placeExtras,
  sampleSegments,
  secretOrder,
  shuffledDocuments,
  type WorkbookSlot,
} from "./sampling.ts";
import type { Segment, SystemOutputs } from "./outputs.ts";
import { type ItemRole, keyHash, type KeyItem, type SealedKey } from "./run_files.ts";
import { mostTypical, spoil } from "./spoil.ts";

/** The rater's workbook, its key, and a report for the researcher. */
export type PreparedRun = ReturnType<typeof prepareRun>;

/**
 * Turns systems' outputs into a blind workbook, its key and a report.
 * Items, practice first, are numbered from 1 in the order shown, repeats and checks included. The
 * workbook contains no name of a system, document or segment. Throws RangeError if systems, items
 * or extras do not fit the configuration or one another.
 */
export function prepareRun(outputs: SystemOutputs, options: PreparationOptions) {
  const { segments, places } = sampledSlots(outputs, options);
  const { runId, secret, config, assignment = "per_item" } = options;
  const practice = config.practice.map(practiceItem);
  const numbers = options.tell_documents ? documentNumbers(places, segments) : [];
  const contexts = numbers.length > 0 ? contextsOf(outputs.segments) : undefined;
  const prepared = places.map(({ kind, segment }, index) => {
    const idOf = (index: number) => practice.length + index + 1;
    const original = places.findIndex((place) =>
      place.kind === "rated" && place.segment === segment
    );
    const item = preparedItem(
      kind,
      idOf(index),
      idOf(original),
      segments[segment]!,
      outputs,
      options,
    );
    const document = numbers[index];
    if (document === undefined) return item;
    return {
      ...item,
      input: { ...item.input, document, context: contexts!.get(segments[segment]!)! },
    };
  });
  const all = [...practice, ...prepared];
  const items = all.map((item) => item.key);
  const who = {
    ...options.rater !== undefined && { rater: options.rater },
    ...options.rater !== undefined && options.batch !== undefined && { batch: options.batch },
  };
  const key: SealedKey = { runId, secret, assignment, ...who, systems: outputs.systems, items };
  const inputs = all.map(({ input }) => input);
  const workbook = newWorkbook(inputs, { runId, config, keySha256: keyHash(key), ...who });
  return { workbook, key, report: preparationReport(workbook, key, config, segments, outputs) };
}

/**
 * Returns a practice item.
 * Its translations keep the configuration's order, which identifies it.
 */
function practiceItem({ source, translations }: PracticeItem, index: number) {
  const itemId = index + 1;
  const texts = translations.map(({ text }) => canonicalText(text));
  const place = { segment: `practice ${itemId}`, document: "practice" };
  return {
    input: { itemId, source: canonicalText(source), translations: texts },
    key: { itemId, ...place, systems: [], role: { kind: "practice" } } satisfies KeyItem,
  };
}

/**
 * Numbers documents from 1 in the order shown.
 * The result is empty if each segment is a document. A repeat or check counts as a document of its own,
 * because the original's number would reveal it.
 */
function documentNumbers(places: readonly WorkbookSlot[], segments: readonly Segment[]): number[] {
  const documentOf = ({ segment }: WorkbookSlot) => segments[segment]!.document;
  if (new Set(segments.map(({ document }) => document)).size === segments.length) return [];
  let number = 0;
  return places.map((place, index) => {
    const before = places[index - 1];
    const isContinued = before?.kind === "rated" && place.kind === "rated" &&
      documentOf(before) === documentOf(place);
    return isContinued ? number : ++number;
  });
}

/** Number of context sentences shown on each side. */
const NEIGHBOURS = 2;

/**
 * Returns each segment's context in its document.
 * Neighbours need not be rated. A repeat or check has its original's context, so that nothing
 * distinguishes it.
 */
function contextsOf(segments: readonly Segment[]): ReadonlyMap<Segment, SentenceContext> {
  const documents = Map.groupBy(segments, ({ document }) => document);
  return new Map([...documents.values()].flatMap((group) =>
    group.map((segment, index) => {
      const lines = (from: number, to: number) =>
        group.slice(Math.max(from, 0), to).map(({ source }) =>
          canonicalText(source).replace(/\s*\n\s*/g, " ")
        );
      const around = {
        place: index + 1,
        of: group.length,
        before: fittingPrefix(lines(index - NEIGHBOURS, index).toReversed()).toReversed().join(
          "\n",
        ),
        after: fittingPrefix(lines(index + 1, index + 1 + NEIGHBOURS)).join("\n"),
      };
      return [segment, around] as const;
    })
  ));
}

/** Returns the longest prefix of the lines that fits in a cell. */
function fittingPrefix(lines: readonly string[]): readonly string[] {
  const enough = lines.findIndex((_, index) =>
    canonicalText(lines.slice(0, index + 1).join("\n")).length > MAX_CELL_LENGTH
  );
  return enough < 0 ? lines : lines.slice(0, enough);
}

/**
 * Returns an item with its row of the key.
 * `original` is the number of the item that it repeats, or its own number.
 */
export function preparedItem(
  kind: WorkbookSlot["kind"],
  itemId: number,
  original: number,
  item: Segment,
  outputs: SystemOutputs,
  options: PreparationOptions,
) {
  const { segment, document, source } = item;
  const purpose = options.assignment === "per_run" ? "assignment" : `assignment of item ${itemId}`;
  const order = secretOrder(options.secret, purpose, outputs.systems.length);
  const systems = order.map((system) => outputs.systems[system]!);
  const texts = item.translations.map(canonicalText);
  let role: ItemRole = kind === "rated" ? { kind } : { kind: "repeat", of: original };
  if (kind === "attention") {
    const { system, text, spoiledBy } = spoiledOutput(item, outputs, options)!;
    texts[system] = text;
    role = { kind, of: original, translation: order.indexOf(system), spoiledBy };
  }
  const translations = order.map((system) => texts[system]!);
  return {
    input: { itemId, source: canonicalText(source), translations },
    key: { itemId, segment, document, systems, role },
  };
}

/** Settings of a run. The same settings and outputs give the same workbook and key. */
export interface PreparationOptions extends Partial<Preparation> {
  /** UUID, stored in the workbook; determines the display order. */
  readonly runId: string;
  /** Secret from `newSecret()`, not to be published except for the demonstration. */
  readonly secret: string;
  readonly config: RunConfig;
  /** Name of the rater. */
  readonly rater?: string;
  /** The rater's documents; all by default. */
  readonly documents?: ReadonlySet<string>;
}

/** Samples the segments and places repeats and checks. Throws RangeError. */
function sampledSlots(outputs: SystemOutputs, options: PreparationOptions) {
  const { secret, config: { numTranslations }, seed = 1, items, window_length } = options;
  const { systems } = outputs;
  if (systems.length !== numTranslations) {
    throw new RangeError(
      `Cannot prepare the run: there are ${systems.length} systems (${systems.join(", ")}), ` +
        `num_translations is ${numTranslations}. Exclude systems, or change num_translations.`,
    );
  }
  const { documents, order = "own" } = options;
  const sampled = sampleSegments(outputs.segments, { seed, items, window_length })
    .filter(({ document }) => documents === undefined || documents.has(document));
  const segments = order === "own" ? shuffledDocuments(sampled, secret) : sampled;
  const { repeats = 0, attention_checks = 0, min_distance = 10 } = options;
  const isSpoilable = (segment: number) =>
    spoiledOutput(segments[segment]!, outputs, options) !== undefined;
  const extras = { secret, repeats, attention_checks, min_distance, isSpoilable };
  return { segments, places: placeExtras(segments, extras) };
}

/**
 * Returns the spoiled translation for an attention check.
 * The result is undefined if none can be spoiled.
 */
function spoiledOutput(
  segment: Segment,
  { segments }: SystemOutputs,
  { secret, config: { targetLanguage: language } }: PreparationOptions,
) {
  const system = mostTypical(segment.translations, language);
  if (system === undefined) return undefined;
  const spoiled = spoil(segment, system, { secret, segments, language });
  return spoiled && { system, ...spoiled };
}

/**
 * Settings of the demonstration's run, with a published secret.
 * The secret reads "demonstration, so not a secret". A real run takes `newSecret()` and
 * `crypto.randomUUID()`.
 */
export const DEMO_OPTIONS: Omit<PreparationOptions, "config"> = {
  runId: "7d0c5e1a-31f4-4d6b-9a70-0f1e2d3c4b5a",
  secret: "64656d6f6e7374726174696f6e2c20736f206e6f74206120736563726574",
  seed: 31,
  items: 20,
  repeats: 6,
  attention_checks: 3,
  min_distance: 6,
  tell_documents: true,
};

/**
 * Returns a report for the researcher to check before rating.
 * It names systems. `segments` are the sampled ones in the order shown. Hours are upper bounds:
 * each translation is given the time of one segment of one system in ESA (medians of 28 and 42 s,
 * with error spans marked).
 */
function preparationReport(
  { items }: RatingWorkbook,
  key: SealedKey,
  { numTranslations, sourceLanguage, targetLanguage }: RunConfig,
  segments: readonly Segment[],
  outputs: SystemOutputs,
) {
  const count = (wanted: string) => key.items.filter(({ role }) => role.kind === wanted).length;
  const sampled = Map.groupBy(segments, ({ document }) => document);
  const whole = Map.groupBy(outputs.segments, ({ document }) => document);
  const hours = (seconds: number) => items.length * numTranslations * seconds / 3600;
  const sources = segments.map(({ source }) => source);
  const translations = segments.flatMap((segment) => segment.translations);
  return {
    rated: count("rated"),
    repeats: count("repeat"),
    attentionChecks: count("attention"),
    documents: sampled.size,
    partialDocuments:
      [...sampled].filter(([name, part]) => part.length < whole.get(name)!.length).length,
    changedSources: sources.filter((source) => source !== canonicalText(source)).length,
    sources: lengthsOf(sources, sourceLanguage),
    translations: lengthsOf(translations, targetLanguage),
    sourceScripts: scriptsOf(sources),
    translationScripts: scriptsOf(translations),
    items: items.map(itemReport),
    systems: outputs.systems.map((system, index) => systemReport(system, index, segments)),
    effort: {
      // Bucket, two digits and Enter for each translation, one stroke for Next; by mouse a bucket and
      // a slider for each, and Next.
      keystrokes: items.length * (4 * numTranslations + 1),
      pointing: items.length * (2 * numTranslations + 1),
      hours: { low: hours(28), high: hours(42) },
    },
  };
}

/** Returns an item's lengths and scripts, without systems or roles: safe to show to anyone. */
function itemReport({ input: { itemId, source, translations } }: WorkbookItem): ItemReport {
  const script = commonScript(translations);
  const { min, median, max } = spreadOf(translations.map(lengthOf));
  return {
    item_id: itemId,
    source_characters: lengthOf(source),
    shortest_characters: min,
    median_characters: median,
    longest_characters: max,
    distinct: new Set(translations).size,
    empty: translations.filter(isEmpty).length,
    script: script.name,
    other_script: translations.filter((text) => isOtherScript(text, script)).length,
  };
}

/** Returns a system's anomalies: shared outputs, mentions of its name, relative length. */
function systemReport(system: string, index: number, segments: readonly Segment[]) {
  const count = (holds: (text: string, segment: Segment) => boolean) =>
    segments.filter((segment) => holds(segment.translations[index]!, segment)).length;
  const isName = nameAsWord(system);
  const texts = segments.flatMap(({ source, translations }) => [source, ...translations]);
  return {
    system,
    empty: count(isEmpty),
    shared: count((text, { translations }) =>
      translations.filter((it) => canonicalText(it) === canonicalText(text)).length > 1
    ),
    changed: count((text) => canonicalText(text) !== text),
    otherScript: count((text, { translations }) => isOtherScript(text, commonScript(translations))),
    named: texts.filter((text) => isName.test(text)).length,
    relativeLength: spreadOf(segments.flatMap(({ translations }) => {
      const lengths = translations.map(lengthOf);
      const { median } = spreadOf(lengths);
      return median > 0 ? [lengths[index]! / median] : [];
    })),
  };
}

/** Returns minimum, quartiles and maximum of numbers. All are 0 if there are none (n = 0). */
function spreadOf(values: readonly number[]): Omit<Quartiles, "kind"> {
  const { kind: _, ...spread } = quartiles(values.length > 0 ? values : [0], "") as Quartiles;
  return { ...spread, n: values.length };
}

/** Length in Unicode code points. */
const lengthOf = (text: string) => [...text].length;

/** Returns the spread of text lengths in code points and words (UAX #29). */
function lengthsOf(texts: readonly string[], language?: string) {
  return {
    characters: spreadOf(texts.map(lengthOf)),
    words: spreadOf(texts.map((text) => wordsOf(text, language).length)),
  };
}
