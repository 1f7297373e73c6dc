import { type Attested, type CertifiedPair, certify } from "../../pairs/certify.ts";
import type { Rejection } from "../../pairs/pair.ts";
import { formatCell } from "../cell.ts";
import { toIast } from "../devanagari.ts";
import { formatCells, type NounToken } from "../extraction/extract_nouns.ts";
import { saysTheSame } from "../extraction/precision.ts";
import type { LexiconEntry } from "../extraction/lexicon_entry.ts";
import { pausalForm } from "../junction.ts";
import { decline } from "../paradigms.ts";
import type { AnnotatedNoun } from "../treebank/annotated_noun.ts";
import { tokenKey } from "../treebank/treebank_file.ts";
import { type Verse, verseNumbers } from "../verses.ts";
import type { ContrastCandidate, Phenomenon, RejectionReason } from "./candidate.ts";
import { FIXING_RULES } from "./fixing_rules.ts";
import {
  findContrasts,
  isInSameLine,
  neighbouringCells,
  type NounInPlace,
} from "./find_contrasts.ts";
import { GITA, proposeContrast } from "./line_contrast.ts";
import type { ReadVariant } from "./variant_reading.ts";

/** What the contrasts are made from. */
export interface ContrastSources {
  readonly verses: readonly Verse[];
  readonly treebank: readonly AnnotatedNoun[];
  /** Nouns as the extractor found them; one that it did not find is in no pair. */
  readonly extracted: readonly NounToken[];
  /** The stems that pairs are made of. */
  readonly stems: ReadonlySet<LexiconEntry>;
}

/** Every form that could take a noun's place, before anybody has read the line with it. */
export interface ContrastSearch {
  readonly candidates: readonly ContrastCandidate[];
  readonly rejections: readonly Rejection<RejectionReason>[];
}

/** Looks at every noun of the treebank. Pure; no randomness. */
export function searchContrasts(
  { verses, treebank, extracted, stems }: ContrastSources,
): ContrastSearch {
  const lines = linesOf(verses);
  const found = new Map(extracted.map((token) => [tokenKey(token), token]));
  const searches = treebank.map((noun): ContrastSearch => {
    const token = found.get(tokenKey(noun));
    const reject = (fault: NounFault) => ({ candidates: [], rejections: rejectNoun(noun, fault) });
    if (token === undefined) return reject({ reason: "not_extracted", detail: noun.stem });
    const fault = faultOf(noun, token, stems);
    if (fault) return reject(fault);
    const line = lines.get(`${noun.line.verse}.${noun.line.label}`)!;
    return searchPlace({ noun, line, isAddressable: token.entry.isAddressable });
  });
  return {
    candidates: searches.flatMap(({ candidates }) => candidates),
    rejections: searches.flatMap(({ rejections }) => rejections),
  };
}

function searchPlace(place: NounInPlace): ContrastSearch {
  const { candidates, rejections } = findContrasts(place);
  const source = sourceOf(place.noun);
  return {
    candidates,
    rejections: rejections.map(({ form, ...refusal }) => ({
      ...{ source, candidate: `${place.noun.form}>${form}`, ...refusal },
    })),
  };
}

/** Candidates that a second reader found clearly wrong in their line and that pass the shared checks. */
export function certifyContrasts(
  { candidates, rejections }: ContrastSearch,
  verses: readonly Verse[],
  readVariant: ReadVariant,
  attested: Attested,
): {
  readonly certified: readonly CertifiedPair<Phenomenon>[];
  readonly rejections: readonly Rejection[];
} {
  const byId = new Map(verses.map((verse) => [verse.id, verse]));
  const certified: CertifiedPair<Phenomenon>[] = [];
  const refused: Rejection[] = [...rejections];
  for (const candidate of candidates) {
    const rating = readVariant(candidate);
    if (rating !== "wrong") {
      refused.push(refusedByReader(candidate, rating));
      continue;
    }
    const verse = byId.get(candidate.noun.line.verse)!;
    const result = certify(proposeContrast(candidate, verse), attested);
    if (result.kind === "certified") certified.push(result);
    else refused.push(result.rejection);
  }
  return { certified, rejections: refused };
}

interface NounFault {
  readonly reason: RejectionReason;
  readonly detail: string;
}

/** Why a noun makes no pair, whatever form is put in its place. */
function faultOf(
  noun: AnnotatedNoun,
  token: NounToken,
  stems: ReadonlySet<LexiconEntry>,
): NounFault | undefined {
  if (noun.isDoubtful) return { reason: "reader_in_doubt", detail: "" };
  const cell = formatCell(noun.cell);
  const { entry, cells } = token;
  if (!saysTheSame(token, noun)) {
    return {
      reason: "extracted_otherwise",
      detail: `reader ${noun.stem} ${cell}, extractor ${entry.stem} ${formatCells(cells)}`,
    };
  }
  if (!stems.has(entry)) return { reason: "stem_without_evidence", detail: entry.stem };
  const forms = decline(noun.stem, noun.declension).forms(noun.cell);
  if (!forms.includes(pausalForm(toIast(noun.form)))) {
    return { reason: "not_the_paradigm_form", detail: forms.join(", ") };
  }
  const heads = noun.fixedBy.filter(({ relation }) => FIXING_RULES[relation]);
  if (heads.length === 0) return { reason: "nothing_fixes_the_cell", detail: cell };
  if (!heads.some((head) => isInSameLine(noun, head))) {
    return { reason: "fixed_from_another_line", detail: heads[0]!.word };
  }
  return undefined;
}

/** One rejection for each phenomenon that the noun might have tested. */
function rejectNoun(
  noun: AnnotatedNoun,
  { reason, detail }: NounFault,
): readonly Rejection<RejectionReason>[] {
  const phenomena = new Set(
    neighbouringCells(noun).map((to): Phenomenon => to.case === noun.cell.case ? "number" : "case"),
  );
  return [...phenomena].map((phenomenon) => ({
    ...{ source: sourceOf(noun), phenomenon, candidate: noun.form, reason, detail },
  }));
}

function refusedByReader(
  { noun, phenomenon, written, to }: ContrastCandidate,
  rating: "doubtful" | "acceptable" | undefined,
): Rejection<RejectionReason> {
  const reason = rating === undefined
    ? "not_read"
    : rating === "doubtful"
    ? "reader_in_doubt_of_variant"
    : "reader_finds_a_reading";
  const detail = `${formatCell(noun.cell)} > ${formatCell(to)}`;
  const candidate = `${noun.form}>${written}`;
  return { source: sourceOf(noun), phenomenon, candidate, reason, detail };
}

function sourceOf({ line }: AnnotatedNoun): Rejection["source"] {
  const { chapter, verse } = verseNumbers(line.verse);
  return { text: GITA, chapter, sentence: verse };
}

function linesOf(verses: readonly Verse[]) {
  return new Map(
    verses.flatMap(({ id, lines }) => lines.map((line) => [`${id}.${line.label}`, line] as const)),
  );
}
