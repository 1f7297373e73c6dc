import type { DatasetItem } from "../pairs/dataset.ts";
import type { MinimalPair } from "../pairs/pair.ts";
import type { Phenomenon } from "./contrasts.ts";
import {
  type Contrast,
  type ContrastItem,
  type ContrastRecord,
  contrastRecord,
  pairOfRecord,
  paradigmCells,
  readContrasts,
  readContrastSet,
} from "./records.ts";
import { type Cell, DECLENSIONS, decline, formatCell } from "./paradigms.ts";
import { type Case, type Gender, type GrammaticalNumber } from "./rules.ts";
import { fromIast, toIast } from "./sounds.ts";
import { SANSKRIT_PATHS } from "./study.ts";

/**
 * A frame that wants one case, to be filled at its beginning. What follows begins with k, p or s, before
 * which every ending of the paradigms stands as it is (-m as anusvāra).
 */
interface ControlTemplate {
  /** What follows the noun, in IAST. */
  readonly rest: (noun: { readonly gender: Gender; readonly number: GrammaticalNumber }) => string;
  /** Cases that cannot stand in the noun's place, the likeliest mistake first. */
  readonly breaks: readonly Case[];
  /** The rule in words, with its source. */
  readonly ground: string;
}

/** “Some”, nominative: with it the noun is the subject, or there are two. */
const SOME: Readonly<Record<Gender, Readonly<Record<GrammaticalNumber, string>>>> = {
  masculine: { singular: "kaścit", dual: "kaucit", plural: "kecit" },
  feminine: { singular: "kācit", dual: "kecit", plural: "kāścit" },
  neuter: { singular: "kiñcit", dual: "kecit", plural: "kānicit" },
};

const SHINE: Readonly<Record<GrammaticalNumber, string>> = {
  singular: "prakāśate",
  dual: "prakāśete",
  plural: "prakāśante",
};

/** A named subject of the other gender, so that a nominative beside it is neither it nor its apposition. */
const withSubject = (rest: string): ControlTemplate["rest"] => ({ gender }) =>
  `${rest} ${gender === "feminine" ? "rāmaḥ" : "sītā"}`;

/**
 * One frame a case. Free adjuncts (means, cause, place, purpose) and genitives, which can belong to the
 * subject, are no mistake in most frames and are not counted as one: only what is listed breaks a
 * frame. Verbs are intransitive but for paśyati, so that an accusative is not their object; saha may
 * stand without its noun (“rejoices along, in the wood”), kṛte be a participle (“when it was done”).
 */
const CONTROL_TEMPLATES: Readonly<Record<Exclude<Case, "vocative">, ControlTemplate>> = {
  nominative: {
    rest: ({ gender, number }) => `${SOME[gender][number]} ${SHINE[number]}`,
    breaks: ["accusative"],
    ground: "subject of an intransitive verb (Pāṇini 2.3.46)",
  },
  accusative: {
    rest: withSubject("paśyati"),
    breaks: ["nominative"],
    ground: "object of paśyati (2.3.2)",
  },
  instrumental: {
    rest: withSubject("saha hṛṣyati"),
    breaks: ["accusative", "nominative"],
    ground: "saha takes the instrumental (2.3.19)",
  },
  dative: {
    rest: withSubject("kupyati"),
    breaks: ["accusative", "nominative"],
    ground: "who one is angry with is in the dative (1.4.37)",
  },
  ablative: {
    rest: withSubject("prabhṛti hṛṣyati"),
    breaks: ["accusative", "nominative", "dative", "locative", "instrumental"],
    ground: "prabhṛti takes the ablative (2.3.29)",
  },
  genitive: {
    rest: withSubject("kṛte hṛṣyati"),
    breaks: ["accusative", "nominative"],
    ground: "kṛte takes the genitive (2.3.50)",
  },
  locative: {
    rest: withSubject("snihyati"),
    breaks: ["accusative", "nominative"],
    ground: "snihyati takes the locative (2.3.36)",
  },
};

/** Nouns that no frame can test: what a form of theirs can be besides saves the wrong member. */
const UNTESTABLE: ReadonlySet<string> = new Set([
  // The accusative says how long: “shines all night” (2.3.5), “rejoices all through the battle”.
  ...["niśā", "kāla", "yuga", "māsa", "varṣa", "samā", "pralaya"],
  ...["yajña", "yuddha", "śastra-sampāta"],
  // doṣaḥ is also “the arms”, and “of the arm”.
  "doṣa",
  // The neuter is an adverb: “at length”, “devotedly”, “brightly”, “honestly”, “with a good sound”.
  ...["vistara", "bhakta", "pāvaka", "sādhu-bhāva", "sac-chabda"],
]);

/** The frame of a cell's case. @throws {RangeError} for a vocative. */
export function templateOf({ case: kase }: Pick<Cell, "case">): ControlTemplate {
  if (kase === "vocative") throw new RangeError("Cannot frame a vocative: no word governs it.");
  return CONTROL_TEMPLATES[kase];
}

type Plan = Pick<Contrast, "phenomenon" | "stem" | "declension" | "from" | "to">;

/**
 * New simple sentences with the nouns of a contrast set: no model can have them by heart. In contrasts
 * of case the correct cell and the wrong one are those of the pair; where the frame would allow the
 * wrong case, the first that breaks it is taken. Contrasts of number are all of one kind, a singular
 * subject of a plural verb with “some” in the plural beside it, masculine or feminine: of no other
 * cell is a wrong number beyond doubt. Each contrast occurs once.
 */
export function controlContrasts(
  items: readonly DatasetItem<Phenomenon>[],
): readonly ContrastRecord[] {
  const plans = new Map<string, Plan>();
  for (const { pair: { phenomenon }, certificate } of items) {
    const cells = paradigmCells(certificate);
    const plan = planOf({ phenomenon, stem: certificate.lemma, ...cells });
    if (plan === undefined) continue;
    const key = [plan.stem, plan.declension, formatCell(plan.from), formatCell(plan.to)].join("|");
    if (!plans.has(key)) plans.set(key, plan);
  }
  return [...plans.values()].map((plan, index) => contrastOf(plan, index + 1)).map(contrastRecord);
}

/**
 * The contrast that the frame can bear; nothing where every form that breaks it can also be read in
 * a case that does not, or as a vocative: “O gods, Sītā sees” is a sentence.
 */
function planOf(plan: Plan): Plan | undefined {
  if (UNTESTABLE.has(plan.stem)) return undefined;
  if (plan.phenomenon === "number") {
    // A neuter singular may be an adverb (“some shine pleasantly”), or a predicate of whatever number.
    const isNeuter = DECLENSIONS[plan.declension].gender === "neuter";
    return isNeuter ? undefined : { ...plan, from: SUBJECTS, to: SUBJECT };
  }
  const { breaks } = templateOf(plan.from);
  const paradigm = decline(plan.stem, plan.declension);
  const cases = breaks.includes(plan.to.case) ? [plan.to.case, ...breaks] : breaks;
  const fitting = cases.map((name): Cell => ({ case: name, number: plan.to.number })).find((to) => {
    const readings = paradigm.cellsOf(paradigm.forms(to)[0]!);
    return readings.every((cell) => breaks.includes(cell.case));
  });
  return fitting && { ...plan, to: fitting };
}

const SUBJECTS: Cell = { case: "nominative", number: "plural" };
const SUBJECT: Cell = { case: "nominative", number: "singular" };

function contrastOf(plan: Plan, n: number): Contrast {
  const { stem, declension, from, to } = plan;
  const paradigm = decline(stem, declension);
  const { gender } = DECLENSIONS[declension];
  const rest = templateOf(from).rest({ gender, number: from.number });
  const [target, variant] = [from, to].map((cell) => beforeVoiceless(paradigm.forms(cell)[0]!));
  const sentence = (form: string | undefined) => fromIast(`${form} ${rest}`);
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

/** Before k, p and s only -m is written otherwise than in pausa. */
const beforeVoiceless = (form: string) => form.replace(/m$/u, "ṃ");

/**
 * The contrasts of a set as words without their sentence, each once, in pausal form. No word is
 * ungrammatical by itself: what is measured here is which form is commoner. Kept for comparison with
 * contrast sets that are made of bare words.
 */
export function bareForms(items: readonly DatasetItem<Phenomenon>[]): readonly ContrastRecord[] {
  const seen = new Set<string>();
  const records: ContrastRecord[] = [];
  for (const { pair, certificate } of items) {
    const { declension, from, to } = paradigmCells(certificate);
    const paradigm = decline(certificate.lemma, declension);
    const [target, variant] = [from, to].map((cell) => fromIast(paradigm.forms(cell)[0]!));
    const key = `${target} ${variant}`;
    if (target === undefined || variant === undefined || seen.has(key)) continue;
    seen.add(key);
    const id = `bare_${String(records.length + 1).padStart(4, "0")}`;
    const members = { grammatical: target, ungrammatical: variant, target, variant, context: "" };
    const { phenomenon } = pair;
    const stem = certificate.lemma;
    records.push(contrastRecord({ id, phenomenon, stem, declension, from, to, ...members }));
  }
  return records;
}

/** Every contrast of the study: the pairs that models are asked about, and what stands beside them. */
export interface ContrastSets {
  /** The pairs of the study. */
  readonly main: readonly ContrastItem[];
  /** The second set, of i-stems. */
  readonly iStems: readonly ContrastItem[];
  /** New sentences with the nouns and cells of the pairs. */
  readonly controls: readonly ContrastRecord[];
  /** The forms of the pairs without their sentences. */
  readonly bareForms: readonly ContrastRecord[];
}

/** All sets as notebook 22 wrote them. @throws {SyntaxError} naming the first damaged line of a file. */
export function readContrastSets(): ContrastSets {
  const { iStems: pairs, iStemCertificates: certificates } = SANSKRIT_PATHS;
  return {
    main: readContrastSet(),
    iStems: readContrastSet({ pairs, certificates }),
    controls: readContrasts(SANSKRIT_PATHS.controls),
    bareForms: readContrasts(SANSKRIT_PATHS.bareForms),
  };
}

/** What is only scored: control sentences, bare forms, the pairs in IAST, and the i-stems, in this order. */
export function probePairs(sets: ContrastSets = readContrastSets()): readonly MinimalPair[] {
  return [
    ...sets.controls.map(pairOfRecord),
    ...sets.bareForms.map(pairOfRecord),
    ...transliterated(sets.main.map(({ pair }) => pair)),
    ...sets.iStems.map(({ pair }) => pair),
  ];
}

/** The same pairs in IAST, as `iast_0001` for `morph_0001`: the script changes and nothing else. */
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
