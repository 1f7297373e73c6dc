import type { Proposal } from "../../pairs/certify.ts";
import { formatCell } from "../cell.ts";
import { fromIast } from "../devanagari.ts";
import type { Verse } from "../verses.ts";
import type { ContrastCandidate, Phenomenon } from "./candidate.ts";
import { FIXING_RULES } from "./fixing_rules.ts";

/** The text that certificates name. */
export const GITA = "Bhagavad Gītā";

/** A candidate as a proposal: the attested line, the line with the one form changed, and on what ground. */
export function proposeContrast(
  candidate: ContrastCandidate,
  verse: Verse,
): Proposal<Phenomenon> {
  const { noun, phenomenon, to, written } = candidate;
  const text = verse.lines.find(({ label }) => label === noun.line.label)?.text ?? "";
  return {
    phenomenon,
    grammatical: text,
    ungrammatical: text.split(" ").with(noun.token - 1, written).join(" "),
    target: noun.form,
    errorType: `${noun.cell[phenomenon]}_to_${to[phenomenon]}`,
    context: contextOf(verse),
    source: { text: GITA, chapter: verse.chapter, sentence: verse.verse },
    sourceSpelling: text,
    ...groundOf(candidate),
    proposedBy: "rules",
    promptSha256: "",
  };
}

type Ground = Pick<
  Proposal,
  | "rule"
  | "lemma"
  | "construction"
  | "cellFrom"
  | "cellTo"
  | "checks"
  | "marks"
  | "explanation"
  | "tier"
>;

/** What the certificate says of the change, and why the line cannot bear it. */
function groundOf(candidate: ContrastCandidate): Ground {
  const { noun, fixedBy, to, written, marks } = candidate;
  const rule = FIXING_RULES[fixedBy.relation]!;
  return {
    rule: rule.id,
    lemma: noun.stem,
    construction: `${fixedBy.relation} ${formatCell(noun.cell)} > ${formatCell(to)}`,
    cellFrom: `${formatCell(noun.cell)}.${noun.gender[0]}`,
    cellTo: `${formatCell(to)}.${noun.gender[0]}`,
    checks: [
      `${noun.cell.case} ${noun.cell.number} by treebank and extractor`,
      `fixed by ${fixedBy.word} (${fixedBy.relation}) in the same line`,
      "no other cell of the variant fits",
      "neither neighbour's sandhi changes",
      "a second reader found the variant clearly wrong in its verse",
    ],
    marks,
    explanation:
      `The noun ${noun.stem.replaceAll("-", "")} is ${noun.cell.case} ${noun.cell.number}: ` +
      `${rule.words(fromIast(fixedBy.word))}; ${written} is ${to.case} ${to.number}.`,
    tier: rule.tier,
  };
}

/** The verse with its number: what stands before and after the line. */
function contextOf({ chapter, verse, lines }: Verse): string {
  return `${chapter}.${verse}: ${lines.map(({ text }) => text).join(" । ")} ॥`;
}
