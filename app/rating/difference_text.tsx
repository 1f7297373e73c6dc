import type { DifferencePart } from "../../lib/translation/difference.ts";

/**
 * A text whose words are marked the more strongly the fewer translations have them: by shade and by
 * the weight of a line beneath, never by colour alone.
 */
export function DifferenceText({ parts }: { readonly parts: readonly DifferencePart[] }) {
  return (
    <>
      {stretches(parts).map(({ text, rarity }, index) =>
        rarity === 0 ? text : <mark key={index} class={`rarity-${rarity}`}>{text}</mark>
      )}
    </>
  );
}

interface Stretch {
  readonly text: string;
  readonly rarity: number;
}

/** Neighbours of the same rarity are one mark; spaces have none, so that only words are lined. */
function stretches(parts: readonly DifferencePart[]): readonly Stretch[] {
  const joined: Stretch[] = [];
  for (const { text, share } of parts) {
    const rarity = text.trim() === "" ? 0 : rarityOf(share);
    const last = joined.at(-1);
    if (last?.rarity === rarity) joined[joined.length - 1] = { text: last.text + text, rarity };
    else joined.push({ text, rarity });
  }
  return joined;
}

/** 3: none or one of eleven others has it; 2: up to a quarter; 1: up to half; 0: most have it. */
function rarityOf(share: number): number {
  return [0.5, 0.25, 0.1].filter((limit) => share <= limit).length;
}
