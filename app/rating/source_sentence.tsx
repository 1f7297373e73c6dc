/** Length in UTF-16 code units from which a source scrolls away rather than staying in view. */
const LONG = 320;

/** The sentence that was translated; it stays in view while its translations scroll. */
export function SourceSentence({ text, language }: {
  readonly text: string;
  /** BCP 47; undefined where nobody said. */
  readonly language: string | undefined;
}) {
  return (
    <section class={text.length < LONG ? "source" : "source long"} aria-label="Source sentence">
      <p dir="auto" lang={language}>{text}</p>
    </section>
  );
}
