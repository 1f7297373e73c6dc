import { parseCell } from "../../cell.ts";
import { type DeclensionClass, DECLENSIONS } from "../../declension.ts";
import { fromIast } from "../../devanagari.ts";
import type { AnnotatedNoun, FixingWord, Relation } from "../../treebank/annotated_noun.ts";
import type { Verse } from "../../verses.ts";
import type { NounInPlace } from "../find_contrasts.ts";

const LINE = { verse: "BG_01_01", label: "a" } as const;

/** A head in the noun's line, its first token unless told: `head("agreement", "sarvāṇi", "acc.pl.n")`. */
export function head(relation: Relation, word: string, readings = "", token = 1): FixingWord {
  return { relation, line: LINE, token, word, readings: readings.split(" ").filter(Boolean) };
}

/** A noun of a line in IAST, `rathena` as `{ text: "tena rathena gacchati", token: 2, … }`. */
export interface HandMade {
  readonly text: string;
  readonly token: number;
  readonly stem: string;
  readonly declension: DeclensionClass;
  readonly cell: string;
  readonly fixedBy: readonly FixingWord[];
}

export function annotated({ text, token, stem, declension, cell, fixedBy }: HandMade) {
  return {
    line: LINE,
    token,
    form: fromIast(text.split(" ")[token - 1]!),
    ...{ stem, declension, fixedBy },
    gender: DECLENSIONS[declension].gender,
    cell: parseCell(cell),
    isDoubtful: false,
  } satisfies AnnotatedNoun;
}

/** The noun with its line, as the rules look at it. */
export function place(own: HandMade, isAddressable = false): NounInPlace {
  return {
    noun: annotated(own),
    line: { label: LINE.label, text: fromIast(own.text) },
    isAddressable,
  };
}

/** A verse of these lines in IAST, `BG_01_01`. */
export function verseOf(...texts: readonly string[]): Verse {
  const labels = ["a", "b", "c"] as const;
  const lines = texts.map((text, at) => ({ label: labels[at]!, text: fromIast(text) }));
  const [chapter, verse] = [1, 1];
  return { id: LINE.verse, chapter, verse, speaker: "", lines, padas: [], metre: "" };
}

/** सर्वाणि भूतानि पश्यति as a line of the text: bhūtāni is the object, all of them. */
export const ALL_BEINGS: HandMade = {
  text: "sarvāṇi bhūtāni paśyati",
  token: 2,
  stem: "bhūta",
  declension: "a_neuter",
  cell: "acc.pl",
  fixedBy: [head("agreement", "sarvāṇi", "nom.pl.n acc.pl.n"), head("object", "paśyati", "3.sg")],
};
