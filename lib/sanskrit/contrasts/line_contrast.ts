import type { Proposal } from "../../pairs/certify.ts";
import { formatCell } from "../cell.ts";
import { fromIast } from "../devanagari.ts";
import type { Verse } from "../verses.ts";
import type { ContrastCandidate, Phenomenon } from "./candidate.ts";
import { FIXING_RULES } from "./fixing_rules.ts";
import type { Rating } from "./variant_reading.ts";

/** The text that certificates name. */
export const GITA = "Bhagavad Gītā";

/** A candidate as a proposal: the attested line, the line with the one form changed, and on what ground. */
export function proposeContrast(
  candidate: ContrastCandidate,
  verse: Verse,
  rating: Rating,
): Proposal<Phenomenon> {
  const { noun, phenomenon, fixedBy, to, written, marks } = candidate;
  const text = verse.lines.find(({ label }) => label === noun.line.label)?.text ?? "";
  const rule = FIXING_RULES[fixedBy.relation]!;
  const tokens = text.split(" ");
  const change = `${noun.cell[phenomenon]}_to_${to[phenomenon]}`;
  return {
    phenomenon,
    grammatical: text,
    ungrammatical: tokens.with(noun.token - 1, written).join(" "),
    target: noun.form,
    errorType: change,
    context: contextOf(verse),
    source: { text: GITA, chapter: verse.chapter, sentence: verse.verse },
    rule: rule.id,
    lemma: noun.stem,
    construction: `${fixedBy.relation} ${formatCell(noun.cell)} > ${formatCell(to)}`,
    cellFrom: `${formatCell(noun.cell)}.${noun.gender[0]}`,
    cellTo: `${formatCell(to)}.${noun.gender[0]}`,
    checks: [
      `${noun.cell.case} ${noun.cell.number} by treebank, second reader and extractor`,
      `fixed by ${fixedBy.word} (${fixedBy.relation}) in the same line`,
      "no other cell of the variant fits",
      "neither neighbour's sandhi changes",
      `variant read in its verse by a second reader: ${rating}`,
    ],
    marks: [...marks, ...(rating === "doubtful" ? ["reader_in_doubt"] : [])],
    explanation:
      `The noun ${noun.stem.replaceAll("-", "")} is ${noun.cell.case} ${noun.cell.number}: ` +
      `${rule.words(fromIast(fixedBy.word))}; ${written} is ${to.case} ${to.number}.`,
    sourceSpelling: text,
    proposedBy: "rules",
    promptSha256: "",
    tier: rule.tier,
  };
}

/** The verse with its number: what stands before and after the line. */
export function contextOf({ chapter, verse, lines }: Verse): string {
  return `${chapter}.${verse}: ${lines.map(({ text }) => text).join(" । ")} ॥`;
}
