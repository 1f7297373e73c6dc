import type { DatasetItem } from "../../pairs/dataset.ts";
import type { MinimalPair } from "../../pairs/pair.ts";
import { pairOfBareForms, readBareForms } from "./bare_forms.ts";
import type { NounPhenomenon } from "./contrasts.ts";
import {
  type Contrast,
  type ContrastRecord,
  contrastRecord,
  pairOfRecord,
  paradigmCells,
  readContrasts,
  readContrastSet,
} from "./records.ts";
import { DECLENSIONS, decline, formatCell, type ParadigmCell } from "./paradigms.ts";
import { LEXICON } from "./nouns.ts";
import { CONTROL_FRAMES, CONTROL_WORDS, type Gender, UNTESTABLE_NOUNS } from "./rules.ts";
import { fromIast, toIast } from "./sounds.ts";
import { SANSKRIT_PATHS } from "./study.ts";

/**
 * Sentence frames with an initial slot, two per case.
 * One is for persons, one for things. The next word begins with k, p or s, before which endings are
 * unchanged (except -m, written as anusvāra). A frame lists the cells that violate it. Most free
 * adjuncts, and genitives that can belong to the subject, are no error and not listed. saha may
 * stand without its noun ("rejoices along, in the wood"), and kṛte may be a participle ("when it
 * was done").
 */
const FRAMES = new Map(
  CONTROL_FRAMES.read().map((row) => [`${row.tests} ${row.case} ${row.of}`, row]),
);

/** Nouns that no frame can test. */
const UNTESTABLE = new Set(UNTESTABLE_NOUNS.read().map(({ stem }) => stem));
const PERSONS = new Set(LEXICON.filter((entry) => entry.isAddressable).map(({ stem }) => stem));

type Plan = Pick<Contrast, "phenomenon" | "stem" | "declension" | "from" | "to">;

/** Returns the frame of a planned contrast. @throws {RangeError} for a vocative. */
function frameOf({ phenomenon, stem, from }: Pick<Plan, "phenomenon" | "stem" | "from">) {
  const of = PERSONS.has(stem) ? "person" : "thing";
  const frame = FRAMES.get(`${phenomenon} ${from.case} ${of}`);
  if (frame) return frame;
  throw new RangeError(`Cannot frame a ${from.case}: no word governs it.`);
}

const AGREEING = CONTROL_WORDS.read();

/** Returns the text after the noun in a frame, in IAST. */
function restOf(frame: string, gender: Gender, { number }: ParadigmCell): string {
  return frame.replace(
    /\{(\w+)\}/gu,
    (_, word) => AGREEING.find((row) => row.word === word && row.number === number)![gender],
  );
}

/**
 * Makes new simple sentences with the contrast set's nouns, as controls. They are new, so no model
 * can have memorised them. Each combination of noun and cells is used once.
 *
 * Case contrasts use the pair's two cells. If the frame permits the wrong case, the frame's first
 * violating cell replaces it. Number contrasts keep the pair's direction. A singular is the
 * subject, with "some" and a verb in the plural. A plural is the object, with "some" in the
 * singular. Other frames would not make a wrong number certain.
 */
export function controlContrasts(
  items: readonly DatasetItem<NounPhenomenon>[],
): readonly ContrastRecord[] {
  const plans = items.flatMap(({ pair: { phenomenon }, certificate }) =>
    planOf({ phenomenon, stem: certificate.lemma, ...paradigmCells(certificate) }) ?? []
  );
  const once = Map.groupBy(
    plans,
    ({ stem, declension, from, to }) =>
      [stem, declension, formatCell(from), formatCell(to)].join("|"),
  ).values();
  return [...once].map(([plan], index) => contrastRecord(contrastOf(plan!, index + 1)));
}

/** Returns the contrast that a frame tests. Undefined if no variant is certainly wrong. */
function planOf(plan: Plan): Plan | undefined {
  if (UNTESTABLE.has(plan.stem)) return undefined;
  if (plan.phenomenon === "number") return planOfNumber(plan);
  const { breaks } = frameOf(plan);
  const paradigm = decline(plan.stem, plan.declension);
  const cases = breaks.includes(plan.to.case) ? [plan.to.case, ...breaks] : breaks;
  const fitting = cases.map((name): ParadigmCell => ({ case: name, number: plan.to.number })).find(
    (to) => {
      const readings = paradigm.cellsOf(paradigm.forms(to)[0]!);
      return readings.every((cell) => breaks.includes(cell.case));
    },
  );
  return fitting && { ...plan, to: fitting };
}

function planOfNumber(plan: Plan): Plan | undefined {
  const { gender } = DECLENSIONS[plan.declension];
  // A neuter singular may be an adverb (“some proceed pleasantly”), or a predicate of whatever number.
  if (gender === "neuter") return undefined;
  // A feminine's accusative plural is its vocative too: “O sciences, Rāma remembers one”.
  const isToPlural = plan.from.number === "singular" && gender === "masculine";
  const name = isToPlural ? "accusative" : "nominative";
  const [from, to] = isToPlural ? ["singular", "plural"] as const : ["plural", "singular"] as const;
  return { ...plan, from: { case: name, number: from }, to: { case: name, number: to } };
}

function contrastOf(plan: Plan, n: number): Contrast {
  const { stem, declension, from, to } = plan;
  const paradigm = decline(stem, declension);
  const { gender } = DECLENSIONS[declension];
  const remainder = restOf(frameOf(plan).rest, gender, from);
  const [target, variant] = [from, to].map((cell) => beforeVoiceless(paradigm.forms(cell)[0]!));
  const sentence = (form: string | undefined) => fromIast(`${form} ${remainder}`);
  return {
    ...plan,
    id: `control_${String(n).padStart(4, "0")}`,
    grammatical: sentence(target),
    ungrammatical: sentence(variant),
    context: "",
    target: fromIast(target!),
    variant: fromIast(variant!),
  };
}

/** Writes a form before k, p or s. Only -m changes from pausa. */
const beforeVoiceless = (form: string) => form.replace(/m$/u, "ṃ");

/**
 * Reads all sets written by notebook 22.
 * @throws {SyntaxError} naming the first damaged line of a file.
 */
export function readContrastSets() {
  return {
    main: readContrastSet(),
    controls: readContrasts(SANSKRIT_PATHS.controls),
    bare: readBareForms(SANSKRIT_PATHS.bareForms),
  };
}

/** All contrasts of the study: the main pairs and the probes. */
export type ContrastSets = ReturnType<typeof readContrastSets>;

/** Returns the pairs that are only scored: controls, pairs in IAST, bare forms. */
export function probePairs(sets: ContrastSets): readonly MinimalPair[] {
  return [
    ...sets.controls.map(pairOfRecord),
    ...transliterated(sets.main.map(({ pair }) => pair)),
    ...sets.bare.map(pairOfBareForms),
  ];
}

/** Returns the pairs in IAST, `iast_0001` for `morph_0001`, with only the script changed. */
export function transliterated<Phenomenon extends string>(
  pairs: readonly MinimalPair<Phenomenon>[],
): readonly MinimalPair<Phenomenon>[] {
  return pairs.map((pair) => ({
    ...pair,
    id: pair.id.replace(/^[a-z_]+?(?=_\d+$)/, "iast"),
    grammatical: toIast(pair.grammatical),
    ungrammatical: toIast(pair.ungrammatical),
    target: toIast(pair.target),
    ...(pair.context === undefined ? {} : { context: toIast(pair.context) }),
  }));
}
