import { DOMParser } from "linkedom";
import { isSpeechTag } from "./speech_tag.ts";

/** One `<p>` of the edition, white space folded. */
export interface Paragraph {
  readonly chapter: number;
  /** 1-based among the chapter's paragraphs. */
  readonly position: number;
  readonly text: string;
  readonly kind: "prose" | "verse";
}

/** Elements whose text is the editor's, not the saga's. */
const EDITORIAL_ELEMENTS = "note, head, lb, milestone, fw, label";

/** Longest verse line in the edition is 36 characters, shortest prose paragraph apart from speech tags 100. */
const LONGEST_VERSE_LINE = 45;

/** A stanza is a run of short lines; of short paragraphs only a speech tag is prose. */
function kindOf(text: string, inVerseElement: boolean): Paragraph["kind"] {
  const isShortLine = text.length <= LONGEST_VERSE_LINE && !isSpeechTag(text);
  return inVerseElement || isShortLine ? "verse" : "prose";
}

/**
 * The chapters' paragraphs in order. Verse is found by line length, because the edition puts each
 * verse line into a `<p>` of its own; TEI's `<l>` and `<lg>` are honoured too.
 *
 * @throws SyntaxError when the document has no chapter with text.
 */
export function readTeiParagraphs(xml: string): readonly Paragraph[] {
  const document = new DOMParser().parseFromString(xml, "text/xml");
  const paragraphs: Paragraph[] = [];
  for (const chapter of document.querySelectorAll('div[type="chapter"]')) {
    const number = Number(chapter.getAttribute("n"));
    if (!Number.isInteger(number) || number < 1) {
      throw new SyntaxError(
        `Cannot read TEI: chapter number is "${
          chapter.getAttribute("n")
        }", expected 1, 2, …; mend the edition, or check that it is the right file`,
      );
    }
    for (const editorial of chapter.querySelectorAll(EDITORIAL_ELEMENTS)) editorial.remove();
    let position = 0;
    for (const element of chapter.querySelectorAll("p, l")) {
      if (element.querySelector("p, l") !== null) continue;
      const text = (element.textContent ?? "").replace(/\s+/gu, " ").trim();
      if (text === "") continue;
      const isLine = element.localName === "l";
      paragraphs.push({ chapter: number, position: ++position, text, kind: kindOf(text, isLine) });
    }
  }
  if (paragraphs.length === 0) {
    throw new SyntaxError("Cannot read TEI: no chapter holds a paragraph; is this the right file?");
  }
  return paragraphs;
}
