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
  return (
    <div class="next-bar">
      <button type="button" title="Ctrl+Shift+Enter" onClick={() => go({ kind: "back" })}>
        ← Back
      </button>
      <div class="message">
        <p role="status">{message}</p>
        {unfinished.length > 0 && (
          <p class="unfinished">
            Go to sentence:{" "}
            <SentenceLinks
              numbers={unfinished.map((index) => index + 1)}
              onJump={(index) => go({ kind: "jump", index })}
            />
          </p>
        )}
      </div>
      {!readOnly && (
        <button
          type="button"
          id={FINISH_ID}
          class={finishable ? "primary" : ""}
          onClick={() => go({ kind: "finish" })}
        >
          Finish
        </button>
      )}
      <button
        type="button"
        id={NEXT_ID}
        class={finishable ? "" : "primary"}
        title="Ctrl+Enter"
        onClick={() => go({ kind: "next" })}
      >
        Next →
      </button>
    </div>
  );
}

/** Links that a banner holds at most; Next invalid leads to the others too. */
const MOST_LINKS = 12;

/** How many sentences break a rule, with a link to each. */
export const InvalidBanner = shallowMemo(({ invalid, onJump }: {
  /** Numbers of sentences as the rater counts them, joined by spaces; empty for none. */
  readonly invalid: string;
  readonly onJump: (index: number) => void;
}) => {
  if (invalid === "") return null;
  const numbers = invalid.split(" ").map(Number);
  return (
    <section class="banner" aria-label="Sentences that need correcting">
      <strong>
        {numbers.length === 1 ? "1 sentence needs" : `${numbers.length} sentences need`} correcting
      </strong>
      <span>before Finish:</span>
      <SentenceLinks numbers={numbers} onJump={onJump} />
    </section>
  );
});

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

/** Why a second tab of the same run changes nothing, and the way on once it could. */
export function ReadOnlyBanner({ takeOver }: {
  /** Undefined while another tab has the run. */
  readonly takeOver: (() => void) | undefined;
}) {
  return (
    <div class="banner looking" role="status">
      {takeOver
        ? (
          <>
            <span>The other tab with this file is closed.</span>
            <button type="button" onClick={takeOver}>Rate here now</button>
          </>
        )
        : (
          <span>
            This file is open in another tab, which has the right to change it. Here you can only
            look. To rate here, close the other tab.
          </span>
        )}
    </div>
  );
}
