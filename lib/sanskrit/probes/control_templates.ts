import type { Case, Cell, GrammaticalNumber } from "../cell.ts";

/**
 * A frame that wants one case, to be filled at its beginning. What follows begins with k, p or s, before
 * which every ending of the paradigms stands as it is (-m as anusvāra); the subject is named, so that
 * the noun cannot be it.
 */
export interface ControlTemplate {
  /** What follows the noun, in IAST, by the number of the noun. */
  readonly rest: Readonly<Record<GrammaticalNumber, string>>;
  /** Cases that cannot stand in the noun's place, the likeliest mistake first. */
  readonly breaks: readonly Case[];
  /** The rule in words, with its source. */
  readonly ground: string;
}

const whatever = (rest: string): ControlTemplate["rest"] => ({
  singular: rest,
  dual: rest,
  plural: rest,
});

/**
 * One frame a case. Free adjuncts (means, cause, place, purpose) are no mistake in most frames and are
 * not counted as one: only what is listed breaks a frame. Verbs are intransitive but for paśyati, so
 * that an accusative is not their object; saha may stand without its noun (“dances along, in the wood”).
 */
const CONTROL_TEMPLATES: Readonly<Record<Exclude<Case, "vocative">, ControlTemplate>> = {
  nominative: {
    rest: { singular: "prakāśate", dual: "prakāśete", plural: "prakāśante" },
    breaks: ["accusative"],
    ground: "subject of an intransitive verb (Pāṇini 2.3.46)",
  },
  accusative: {
    rest: whatever("paśyati sītā"),
    breaks: ["nominative", "genitive"],
    ground: "object of paśyati (2.3.2)",
  },
  instrumental: {
    rest: whatever("saha nṛtyati sītā"),
    breaks: ["accusative", "nominative", "genitive"],
    ground: "saha takes the instrumental (2.3.19)",
  },
  dative: {
    rest: whatever("kupyati sītā"),
    breaks: ["accusative", "nominative"],
    ground: "who one is angry with is in the dative (1.4.37)",
  },
  ablative: {
    rest: whatever("prabhṛti nṛtyati sītā"),
    breaks: ["accusative", "nominative", "genitive", "dative", "locative", "instrumental"],
    ground: "prabhṛti takes the ablative (2.3.29)",
  },
  genitive: {
    // Not the locative nor the instrumental: “when it was done”, “when done by”.
    rest: whatever("kṛte nṛtyati sītā"),
    breaks: ["accusative", "nominative"],
    ground: "kṛte takes the genitive (2.3.50)",
  },
  locative: {
    rest: whatever("snihyati sītā"),
    breaks: ["accusative", "nominative"],
    ground: "snihyati takes the locative (2.3.36)",
  },
};

/** The frame of a cell's case. @throws {RangeError} for a vocative. */
export function templateOf({ case: kase }: Cell): ControlTemplate {
  if (kase === "vocative") throw new RangeError("Cannot frame a vocative: no word governs it.");
  return CONTROL_TEMPLATES[kase];
}
