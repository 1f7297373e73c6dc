import type { Notice } from "../../lib/translation/session/session.ts";
import { SentenceLinks } from "./banner.tsx";
import { FINISH_ID, NEXT_ID } from "./places.ts";
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
  return (
    <div class="next-bar">
      <button type="button" title="Ctrl+Shift+Enter" onClick={() => go({ kind: "back" })}>
        ← Back
      </button>
      <div class="message">
        <p role="status">{message}</p>
        {notice?.kind === "not-finished" && <Unfinished notice={notice} go={go} />}
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

function Unfinished({ notice: { incomplete, invalid }, go }: {
  readonly notice: Extract<Notice, { readonly kind: "not-finished" }>;
  readonly go: Dispatch;
}) {
  const numbers = [...new Set([...invalid, ...incomplete])].map((index) => index + 1);
  return (
    <p class="unfinished">
      Go to sentence:{" "}
      <SentenceLinks
        numbers={numbers.sort((one, other) => one - other)}
        onJump={(index) => go({ kind: "jump", index })}
      />
    </p>
  );
}
