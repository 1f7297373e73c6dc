import type { Rejection } from "../../pairs/pair.ts";
import { type Cell, CELLS, formatCell } from "../cell.ts";
import { fromIast, toIast } from "../devanagari.ts";
import { writtenInPlace } from "../junction.ts";
import { countSyllables } from "../metre.ts";
import { decline, type Paradigm } from "../paradigms.ts";
import type { AnnotatedNoun, FixingWord } from "../treebank/annotated_noun.ts";
import type { VerseLine } from "../verses.ts";
import type { ContrastCandidate, Mark, Phenomenon, RejectionReason } from "./candidate.ts";
import { breaks, FIXING_RULES, headAllows, type WrittenWord } from "./fixing_rules.ts";

/** A noun with the line it stands in, and what may be known of its stem. */
export interface NounInPlace {
  readonly noun: AnnotatedNoun;
  readonly line: VerseLine;
  /** Whether what it names can be spoken to: its vocative is then a reading of its own. */
  readonly isAddressable: boolean;
}

/** What the rules say of one noun: the forms that could take its place, and why others cannot. */
export interface ContrastFinding {
  readonly candidates: readonly ContrastCandidate[];
  readonly rejections: readonly Refusal[];
}

/** A refusal without its source. */
export type Refusal = Pick<Rejection<RejectionReason>, "phenomenon" | "reason" | "detail"> & {
  readonly form: string;
};

/** Every cell that differs from the noun's in case alone or in number alone; no vocatives. */
export function neighbouringCells({ cell }: Pick<AnnotatedNoun, "cell">): readonly Cell[] {
  return CELLS.filter((other) =>
    other.case !== "vocative" &&
    (other.case !== cell.case) !== (other.number !== cell.number)
  );
}

/**
 * Forms that could take the noun's place and break what fixes its cell. Whether the line is left
 * without any reading, a reader says: see variant_reading.ts. Pure.
 */
export function findContrasts(place: NounInPlace): ContrastFinding {
  const { noun } = place;
  const paradigm = decline(noun.stem, noun.declension);
  const candidates: ContrastCandidate[] = [];
  const rejections: Refusal[] = [];
  for (const to of neighbouringCells(noun)) {
    const phenomenon = to.case === noun.cell.case ? "number" : "case";
    const result = contrast(place, paradigm, to, phenomenon);
    if ("reason" in result) rejections.push({ phenomenon, ...result });
    else candidates.push(result);
  }
  return { candidates, rejections };
}

type Fault = Omit<Refusal, "phenomenon">;

type Reason = Pick<Fault, "reason" | "detail">;

function contrast(
  place: NounInPlace,
  paradigm: Paradigm,
  to: Cell,
  phenomenon: Phenomenon,
): ContrastCandidate | Fault {
  const { noun, line } = place;
  const form = paradigm.forms(to)[0]!;
  const refuse = ({ reason, detail }: Reason): Fault => ({
    form: fromIast(form),
    reason,
    detail: `${formatCell(noun.cell)} > ${formatCell(to)}${detail && `: ${detail}`}`,
  });
  const readings = paradigm.cellsOf(form);
  const heads = headsThatBreak(noun, to);
  const left = readingLeft(place, heads, readings);
  if (left) return refuse(left);
  const [fixedBy] = heads;
  if (fixedBy === undefined) return refuse({ reason: "relation_leaves_it_open", detail: "" });
  const written = writtenHere(form, noun, line);
  if (written === undefined) return refuse({ reason: "sandhi_would_change", detail: "" });
  return { noun, phenomenon, fixedBy, to, written, marks: marksOf(noun, written, readings) };
}

/** The first reading of a form by which the line stays grammatical, of all that its paradigm gives it. */
function readingLeft(
  { noun, line, isAddressable }: NounInPlace,
  heads: readonly FixingWord[],
  readings: readonly Cell[],
): Reason | undefined {
  if (readings.some((cell) => formatCell(cell) === formatCell(noun.cell))) {
    return { reason: "same_form", detail: "" };
  }
  // Without a head that breaks, every reading is left: that has a reason of its own.
  if (heads.length === 0) return undefined;
  const agreeing = heads.find((own) =>
    readings.some((cell) => headAllows(noun, own, cell, inPlace(own, line)))
  );
  if (agreeing) return { reason: "head_agrees_with_it", detail: agreeing.word };
  const open = readings.find((cell) =>
    cell.case !== "vocative" && !heads.some((own) => breaks(noun, own, cell))
  );
  if (open) return { reason: "another_cell_fits", detail: formatCell(open) };
  const isVocative = readings.some((cell) => cell.case === "vocative");
  return isVocative && isAddressable ? { reason: "vocative_reading", detail: "" } : undefined;
}

function marksOf(
  { form, stem }: AnnotatedNoun,
  written: string,
  readings: readonly Cell[],
): readonly Mark[] {
  return [
    ...(countSyllables(written) === countSyllables(form) ? [] : ["metre_changed" as const]),
    ...(written.endsWith("ो") ? ["final_in_sandhi" as const] : []),
    ...(readings.some((cell) => cell.case === "vocative") ? ["vocative_homonym" as const] : []),
    ...(stem.includes("-") ? ["compound" as const] : []),
  ];
}

/** The heads in the noun's own line that keep it from a cell, best tier first. */
function headsThatBreak(noun: AnnotatedNoun, to: Cell): readonly FixingWord[] {
  const tier = ({ relation }: FixingWord) => FIXING_RULES[relation]?.tier ?? 3;
  return noun.fixedBy
    .filter((head) => isInSameLine(noun, head) && breaks(noun, head, to))
    .toSorted((a, b) => tier(a) - tier(b));
}

export function isInSameLine({ line }: AnnotatedNoun, head: FixingWord): boolean {
  return head.line.verse === line.verse && head.line.label === line.label;
}

/** The token that a head is written in, with its neighbour; heads here stand in the noun's line. */
function inPlace({ token }: FixingWord, { text }: VerseLine): WrittenWord {
  const [written = "", next] = text.split(" ").slice(token - 1, token + 1).map(toIast);
  return { written, next };
}

/** The form as it is written in the noun's place, with both neighbours as they are. */
function writtenHere(
  form: string,
  { token }: AnnotatedNoun,
  { text }: VerseLine,
): string | undefined {
  const next = text.split(" ")[token];
  const written = writtenInPlace(form, next === undefined ? undefined : toIast(next));
  return written === undefined ? undefined : fromIast(written);
}
