import { markdownTable, tally } from "../../figures/markdown_table.ts";
import type { DatasetItem } from "../../pairs/number_pairs.ts";
import { CASES, formatCell, NUMBERS, parseCell } from "../cell.ts";
import { type DeclensionClass, endingOf } from "../declension.ts";
import { fromIast } from "../devanagari.ts";
import { illegalSequence } from "../devanagari_legality.ts";
import type { AttestedNoun } from "../extraction/attested_nouns.ts";
import { attestedCells } from "../extraction/noun_files.ts";
import { decline } from "../paradigms.ts";
import type { AnnotatedNoun } from "../treebank/annotated_noun.ts";
import type { Phenomenon } from "./candidate.ts";
import { findContrasts, type NounInPlace } from "./find_contrasts.ts";

/** A paradigm as the grammars print it: cases down, numbers across, in Devanagari. */
export function paradigmTable(stem: string, declension: DeclensionClass): string {
  const { forms } = decline(stem, declension);
  return markdownTable(
    [fromIast(stem), ...NUMBERS],
    CASES.map((kase) => [
      kase,
      ...NUMBERS.map((number) => forms({ case: kase, number }).map(fromIast).join(", ")),
    ]),
  );
}

/** Nouns as the treebank has them, one word that fixes the cell a row. */
export function parsedTable(nouns: readonly AnnotatedNoun[]): string {
  return markdownTable(
    ["word", "stem", "cell", "fixed by", "relation", "what that word's form can be"],
    nouns.flatMap((noun) => {
      const own = [noun.form, noun.stem, formatCell(noun.cell)];
      if (noun.fixedBy.length === 0) return [[...own, undefined, undefined, undefined]];
      return noun.fixedBy.map(({ word, relation, readings }) => [
        ...own,
        ...[fromIast(word), relation, readings.join(" ") || undefined],
      ]);
    }),
  );
}

/** Nouns of the text with the verses in which each cell is attested. */
export function nounTable(nouns: readonly AttestedNoun[]): string {
  return markdownTable(
    ["noun", "tokens", "evidence", "attested cells with their verses"],
    nouns.map(({ entry, tokens, evidence }) => [
      fromIast(entry.stem.replaceAll("-", "")),
      tokens.length,
      evidence,
      attestedCells(tokens),
    ]),
  );
}

/** What becomes of every cell that a noun could be changed to. */
export function outcomeTable(place: NounInPlace): string {
  const { candidates, rejections } = findContrasts(place);
  return markdownTable(
    ["contrast", "form", "candidate, or why not"],
    [
      ...candidates.map(({ phenomenon, written, fixedBy, to }) => [
        phenomenon,
        `${written} ${formatCell(to)}`,
        `breaks ${fixedBy.relation} with ${fromIast(fixedBy.word)}`,
      ]),
      ...rejections.map(({ phenomenon, form, reason, detail }) => [
        phenomenon,
        `${form} ${detail.split(" > ")[1]}`,
        reason,
      ]),
    ],
  );
}

/** How many pairs change each case or number, and to which. */
export function balanceTable(items: readonly DatasetItem<Phenomenon>[]): string {
  const of = (phenomenon: Phenomenon) =>
    tally(
      items.filter(({ pair }) => pair.phenomenon === phenomenon).map(({ pair }) => pair.errorType),
    ).map(([change, count]) => [phenomenon, ...change.split("_to_"), count]);
  return markdownTable(["phenomenon", "correct", "substituted", "pairs"], [
    ...of("case"),
    ...of("number"),
  ]);
}

/** A stem and its ending put one after the other, what is wrong with that, and the form of the paradigm. */
export function naiveTable(
  stem: string,
  declension: DeclensionClass,
  labels: readonly string[],
): string {
  const { forms } = decline(stem, declension);
  return markdownTable(
    ["cell", "stem and ending", "put one after the other", "what is wrong", "the form"],
    labels.map(parseCell).map((cell) => {
      const [base, ending] = [fromIast(stem), endingOf(declension, cell)];
      const naive = base + ending;
      const form = fromIast(forms(cell)[0]!);
      const fault = illegalSequence(naive) ?? (naive === form ? undefined : "another word");
      return [formatCell(cell), `${base} + ${ending}`, naive, fault, form];
    }),
  );
}
