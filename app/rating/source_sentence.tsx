/** The sentence that was translated; it stays in view while its translations scroll. */
export function SourceSentence({ text, language }: {
  readonly text: string;
  /** BCP 47; undefined where nobody said. */
  readonly language: string | undefined;
}) {
  return (
    <section class="source" aria-label="Source sentence">
      <p dir="auto" lang={language}>{text}</p>
    </section>
  );
}
