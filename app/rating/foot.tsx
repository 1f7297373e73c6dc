import type { Texts } from "../../lib/translation/texts.ts";
import type { Desk } from "./desk.ts";
import { FINISH_ID, NEXT_ID } from "./places.ts";
import { isFinishable } from "./rows.ts";
import { shallowMemo } from "./use_page.ts";

/** Back, Finish and Next, which never go dead, and what there is to say. */
export function NextBar({ desk, message }: { readonly desk: Desk; readonly message: string }) {
  const { session: { notice }, states, readOnly, go, onJump, texts } = desk;
  const unfinished = notice?.kind === "not-finished"
    ? [...new Set([...notice.invalid, ...notice.incomplete])].sort((one, other) => one - other)
    : [];
  const numbers = unfinished.map((index) => index + 1);
  // Where all sentences are done Finish is the way on.
  const [finish, next] = isFinishable(states) ? ["primary", ""] : ["", "primary"];
  return (
    <div class="next-bar">
      <button type="button" title="Ctrl+Shift+Enter" onClick={() => go({ kind: "back" })}>
        ← {texts("back")}
      </button>
      <div class="message">
        <p role="status">{message}</p>
        {numbers.length > 0 && (
          <p class="unfinished">
            {texts("goToSentence")} <SentenceLinks {...{ numbers, onJump, texts }} />
          </p>
        )}
      </div>
      {!readOnly && (
        <button
          type="button"
          id={FINISH_ID}
          class={finish}
          onClick={() => go({ kind: "finish" })}
        >
          {texts("finish")}
        </button>
      )}
      <button
        type="button"
        id={NEXT_ID}
        class={next}
        title="Ctrl+Enter"
        onClick={() => go({ kind: "next" })}
      >
        {texts("next")} →
      </button>
    </div>
  );
}

/** How many sentences break a rule, with a link to each: their numbers, joined by spaces. */
export const InvalidBanner = shallowMemo(({ invalid, onJump, texts }: {
  readonly invalid: string;
  readonly onJump: (index: number) => void;
  readonly texts: Texts;
}) => {
  if (invalid === "") return null;
  const numbers = invalid.split(" ").map(Number);
  return (
    <section class="banner" aria-label={texts("bannerLabel")}>
      <strong>{texts("needCorrecting", { n: numbers.length })}</strong>
      <span>{texts("beforeFinish")}</span>
      <SentenceLinks {...{ numbers, onJump, texts }} />
    </section>
  );
});

/** Links that a banner holds at most; Next invalid leads to the others too. */
const MOST_LINKS = 12;

/** A button for each sentence. */
function SentenceLinks({ numbers, onJump, texts }: {
  readonly numbers: readonly number[];
  readonly onJump: (index: number) => void;
  readonly texts: Texts;
}) {
  const more = numbers.length - MOST_LINKS;
  return (
    <span class="links">
      {numbers.slice(0, MOST_LINKS).map((number) => (
        <button
          key={number}
          type="button"
          class="link"
          aria-label={texts("sentenceAt", { number })}
          onClick={() => onJump(number - 1)}
        >
          {number}
        </button>
      ))}
      {more > 0 && <span>{texts("andMore", { n: more })}</span>}
    </span>
  );
}
