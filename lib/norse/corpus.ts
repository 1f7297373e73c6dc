import { normaliseText } from "./orthography.ts";
import { splitSentences, wordsOf } from "./segmentation.ts";
import type { Sentence } from "./sentence.ts";
import { isSpeechTag } from "./speech_tag.ts";
import { type Paragraph, readTeiParagraphs } from "./tei.ts";

/** Why a unit of the edition is not among the sentences. */
export const EXCLUSION_REASONS = [
  "verse",
  "speech_tag",
  "fragment",
  "editorial_mark",
  "printing_error",
] as const;
export type ExclusionReason = (typeof EXCLUSION_REASONS)[number];

/** A unit left out, with its place, so that the tally can be checked against the edition. */
export interface Exclusion {
  readonly chapter: number;
  readonly position: number;
  readonly text: string;
  readonly reason: ExclusionReason;
  readonly detail: string;
}

export interface Corpus {
  readonly sentences: readonly Sentence[];
  readonly exclusions: readonly Exclusion[];
}

/** Fewer words than this make no clause that could be judged. */
const SHORTEST_SENTENCE = 3;

/** What the edition misprints, with the reading meant. A unit that holds one is left out whole. */
const PRINTING_ERRORS: readonly (readonly [printed: RegExp, meant: string])[] = [
  [/brúð laups gerðina/u, "brúðlaupsgerðina"],
  [/hoölunni/u, "höllunni"],
  [/(?<!\p{L})synist(?!\p{L})/u, "sýnist"],
  [/(?<!\p{L})mig(?!\p{L})/u, "mik"],
  [/(?<!\p{L})Þu(?!\p{L})/u, "Þú"],
  [/(?<!\p{L})Han(?!\p{L})/u, "Hann"],
  [/nú Í tauma/u, "nú í tauma"],
  [/(?<!\p{L})þatt(?!\p{L})/u, "þat"],
  [/(?<!\p{L})agæt/u, "ágæt-"],
];

/** Removes what is the editor's punctuation of speech and folds white space; words stay untouched. */
export function withoutQuotation(unit: string): string {
  return unit.replace(/["“”„«»]/gu, "").replace(/\s*--\s*/gu, " ").replace(/\s+/gu, " ").trim();
}

function exclusionOf(text: string): { reason: ExclusionReason; detail: string } | undefined {
  const misprint = PRINTING_ERRORS.find(([printed]) => printed.test(text));
  if (misprint) return { reason: "printing_error", detail: `read ${misprint[1]}` };
  if (/[\d*[\]()<>†‡|]/u.test(text)) {
    return { reason: "editorial_mark", detail: "digit, bracket or asterisk" };
  }
  const words = wordsOf(text);
  if (isSpeechTag(text)) return { reason: "speech_tag", detail: "introduces speech" };
  if (words.length < SHORTEST_SENTENCE) {
    return { reason: "fragment", detail: `${words.length} word${words.length === 1 ? "" : "s"}` };
  }
  return undefined;
}

const pad = (n: number, width: number) => String(n).padStart(width, "0");

/** Prose sentences and everything left out, in the order of the edition. */
export function segmentParagraphs(paragraphs: readonly Paragraph[]): Corpus {
  const sentences: Sentence[] = [];
  const exclusions: Exclusion[] = [];
  const positions = new Map<number, number>();
  for (const { chapter, text, kind } of paragraphs) {
    for (const unit of kind === "verse" ? [text] : splitSentences(text)) {
      const position = (positions.get(chapter) ?? 0) + 1;
      positions.set(chapter, position);
      const source = withoutQuotation(unit);
      const excluded = kind === "verse"
        ? { reason: "verse" as const, detail: "line of a stanza" }
        : exclusionOf(source);
      if (excluded) {
        exclusions.push({ chapter, position, text: source, ...excluded });
      } else {
        const id = `VS_${pad(chapter, 2)}_${pad(position, 3)}`;
        sentences.push({ id, chapter, position, source, normalised: normaliseText(source) });
      }
    }
  }
  return { sentences, exclusions };
}

/** The saga's prose sentences from its TEI document. @throws SyntaxError when it is not the saga's. */
export function readCorpus(xml: string): Corpus {
  return segmentParagraphs(readTeiParagraphs(xml));
}
