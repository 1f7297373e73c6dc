import { useLayoutEffect, useRef } from "preact/hooks";
import { directionOf } from "../words.ts";
import type { Desk } from "./desk.ts";
import { SOURCE_ID } from "./places.ts";

/** Sentences shown on each side of the source. */
const NEIGHBOURS = 2;

/**
 * The source sentence and, where asked for, the sentences before and after: of its document, or in
 * the file where it names no documents.
 */
export function Source({ session, texts, views }: Desk) {
  const { config, current, workbook: { items } } = session;
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // Where not all of it has room, the sentence itself is what is in view.
  useLayoutEffect(() => {
    const [box, own] = [section.current!, heading.current!];
    box.scrollTop += own.getBoundingClientRect().top - box.getBoundingClientRect().top -
      Math.max(0, (box.clientHeight - own.clientHeight) / 2);
  }, [current, views.context]);
  const language = { dir: directionOf(config.sourceLanguage), lang: config.sourceLanguage };
  const { document } = items[current]!.input;
  const neighbours = (from: number, to: number, label: string) =>
    items.slice(Math.max(from, 0), Math.max(to, 0))
      .filter(({ input }) => views.context && input.document === document)
      .map(({ input }) => (
        <p key={input.itemId} class="neighbour">
          <span class="unseen">{label}:</span>
          <span {...language}>{input.source}</span>
        </p>
      ));
  return (
    <section ref={section} class="source" aria-label={texts("source")} data-place="source">
      {neighbours(current - NEIGHBOURS, current, texts("sentenceBefore"))}
      <h2 ref={heading} id={SOURCE_ID} tabIndex={0} {...language}>
        {items[current]!.input.source}
      </h2>
      {neighbours(current + 1, current + 1 + NEIGHBOURS, texts("sentenceAfter"))}
    </section>
  );
}
