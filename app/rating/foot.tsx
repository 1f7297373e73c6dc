import type { Notice } from "../../lib/translation/session/session.ts";
import { FINISH_ID, NEXT_ID } from "./places.ts";
import { shallowMemo } from "./use_page.ts";
import type { Dispatch } from "./use_session.ts";

/** Back, Finish and Next, which never go dead, and what there is to say. */
export function NextBar({ message, notice, finishable, readOnly, go }: {
  readonly message: string;
  readonly notice: Notice | undefined;
  /** Whether all sentences are done: Finish is then the way on. */
  readonly finishable: boolean;
  readonly readOnly: boolean;
  readonly go: Dispatch;
}) {
  const unfinished = notice?.kind === "not-finished"
    ? [...new Set([...notice.invalid, ...notice.incomplete])].sort((one, other) => one - other)
    : [];
  const numbers = unfinished.map((index) => index + 1);
  const [finish, next] = finishable ? ["primary", ""] : ["", "primary"];
  return (
    <div class="next-bar">
      <button type="button" title="Ctrl+Shift+Enter" onClick={() => go({ kind: "back" })}>
        ← Back
      </button>
      <div class="message">
        <p role="status">{message}</p>
        {numbers.length > 0 && (
          <p class="unfinished">
            Go to sentence:{" "}
            <SentenceLinks numbers={numbers} onJump={(index) => go({ kind: "jump", index })} />
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
          Finish
        </button>
      )}
      <button
        type="button"
        id={NEXT_ID}
        class={next}
        title="Ctrl+Enter"
        onClick={() => go({ kind: "next" })}
      >
        Next →
      </button>
    </div>
  );
}

/** How many sentences break a rule, with a link to each: their numbers, joined by spaces. */
export const InvalidBanner = shallowMemo(({ invalid, onJump }: {
  readonly invalid: string;
  readonly onJump: (index: number) => void;
}) => {
  if (invalid === "") return null;
  const numbers = invalid.split(" ").map(Number);
  const count = numbers.length === 1 ? "1 sentence needs" : `${numbers.length} sentences need`;
  return (
    <section class="banner" aria-label="Sentences that need correcting">
      <strong>{count} correcting</strong>
      <span>before Finish:</span>
      <SentenceLinks numbers={numbers} onJump={onJump} />
    </section>
  );
});

/** Links that a banner holds at most; Next invalid leads to the others too. */
const MOST_LINKS = 12;

/** A button for each sentence. */
function SentenceLinks({ numbers, onJump }: {
  readonly numbers: readonly number[];
  readonly onJump: (index: number) => void;
}) {
  const more = numbers.length - MOST_LINKS;
  return (
    <span class="links">
      {numbers.slice(0, MOST_LINKS).map((number) => (
        <button
          key={number}
          type="button"
          class="link"
          aria-label={`Sentence ${number}`}
          onClick={() => onJump(number - 1)}
        >
          {number}
        </button>
      ))}
      {more > 0 && <span>and {more} more</span>}
    </span>
  );
}

/** Why a second tab of the same run changes nothing, and the way on once the other is gone. */
export function ReadOnlyBanner({ takeOver }: { readonly takeOver: (() => void) | undefined }) {
  return (
    <div class="banner looking" role="status">
      <span>
        {takeOver
          ? "The other tab with this file is closed."
          : "This file is open in another tab, which has the right to change it. Here you can only " +
            "look. To rate here, close the other tab."}
      </span>
      {takeOver && <button type="button" onClick={takeOver}>Rate here now</button>}
    </div>
  );
}
