import type { Case, Cell, Gender, GrammaticalNumber } from "../cell.ts";

/**
 * A frame that wants one case, to be filled at its beginning. What follows begins with k, p or s, before
 * which every ending of the paradigms stands as it is (-m as anusvāra).
 */
export interface ControlTemplate {
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
export const UNTESTABLE: ReadonlySet<string> = new Set([
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
