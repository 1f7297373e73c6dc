import { shallowMemo } from "../shallow_memo.ts";

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
  const count = numbers.length;
  return (
    <section class="banner" aria-label="Sentences that need correcting">
      <strong>
        {count === 1 ? "1 sentence needs correcting" : `${count} sentences need correcting`}
      </strong>
      <span>before Finish:</span>
      <SentenceLinks numbers={numbers} onJump={onJump} />
    </section>
  );
});

/** A button for each sentence. */
export function SentenceLinks({ numbers, onJump }: {
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
