import { cosine } from "../../models/encoder/cosine.ts";
import type { PassageIndex } from "./passage_index.ts";
import type { SentenceVectors } from "./sentence_vectors.ts";
import { namedTitles } from "./title_index.ts";

/** Passages of one title that are asked for their sections: a country has some 150. */
const MOST_PASSAGES = 500;

/**
 * Numbers of the passages under the titles that a claim names whose sections, so many a title, are
 * called what is nearest to the claim: "22% of Tonga is wooded" has no word of "Land use. … forest:
 * 12.4%" beside the name. The names of sections come again from title to title, so that hardly
 * anything is encoded for it.
 */
export async function nearestSections(
  index: PassageIndex,
  claim: string,
  vectors: SentenceVectors,
  { sections, signal }: { readonly sections: number; readonly signal?: AbortSignal | undefined },
): Promise<readonly number[]> {
  if (sections < 1) return [];
  const near: number[] = [];
  for (const { number } of namedTitles(index.titles, claim)) {
    const numbers = passagesUnder(index, number);
    const passages = index.store.read(numbers);
    const names = [...new Set(passages.map(({ section }) => section))].filter((name) =>
      name !== ""
    );
    const nearest = await nearestNames(claim, names, vectors, { sections, signal });
    near.push(...numbers.filter((_, at) => nearest.has(passages[at]!.section)));
  }
  return near;
}

function passagesUnder({ titles }: PassageIndex, title: number): readonly number[] {
  const numbers: number[] = [];
  let at = titles.titleOf.indexOf(title);
  while (at >= 0 && numbers.length < MOST_PASSAGES) {
    numbers.push(at);
    at = titles.titleOf.indexOf(title, at + 1);
  }
  return numbers;
}

async function nearestNames(
  claim: string,
  names: readonly string[],
  vectors: SentenceVectors,
  { sections, signal }: { readonly sections: number; readonly signal: AbortSignal | undefined },
): Promise<ReadonlySet<string>> {
  const [own, ...others] = await vectors.of([claim, ...names], signal);
  const scored = names.map((name, at) => ({ name, score: cosine(own!, others[at]!) }));
  const best = scored.sort((a, b) => b.score - a.score).slice(0, sections);
  return new Set(best.map(({ name }) => name));
}
