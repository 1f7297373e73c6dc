import { directionOf } from "./direction.ts";
import { SOURCE_ID } from "./places.ts";

/** The sentence that was translated; it stays in view while its translations scroll. */
export function SourceSentence({ text, language }: {
  readonly text: string;
  /** BCP 47; undefined where nobody said. */
  readonly language: string | undefined;
}) {
  return (
    <section class="source" aria-label="Source sentence" data-place="source">
      <h2 id={SOURCE_ID} tabIndex={0} dir={directionOf(language)} lang={language}>{text}</h2>
    </section>
  );
}
