import type { RandomSource } from "../../stats/random.ts";
import type { KnowledgeCase } from "./knowledge_case.ts";
import { chance, choose } from "./random_choice.ts";
import { OPINIONS } from "./styles.ts";

/**
 * Two statements in one claim, from two statements of a country with their cases:
 * borne out when both are; refuted when the second is; not enough when the second is missing. One
 * set of four a country.
 */
export function combinedCases(
  groups: readonly (readonly KnowledgeCase[])[],
  random: RandomSource,
): readonly KnowledgeCase[] {
  const usable = groups.filter(([first]) =>
    first!.claim.length < 140 && first!.claim.endsWith(".")
  );
  if (usable.length < 2) return [];
  const [one, other] = random.sample(usable, 2) as [
    readonly KnowledgeCase[],
    readonly KnowledgeCase[],
  ];
  const turned = chance(random, 0.5);
  return other.slice(0, 4).map((second) => {
    const first = one[0]!;
    const claims = turned ? [second.claim, first.claim] : [first.claim, second.claim];
    return {
      ...second,
      id: `${second.id}/two`,
      kind: "two statements" as const,
      claim: `${claims[0]!.replace(/\.$/u, "")}, and ${claims[1]}`,
      passages: turned
        ? [...second.passages, ...first.passages]
        : [...first.passages, ...second.passages],
    };
  });
}

/** What somebody says of themselves, with or without a true statement: no source bears it out. */
export function opinionCases(
  groups: readonly (readonly KnowledgeCase[])[],
  country: string,
  random: RandomSource,
): readonly KnowledgeCase[] {
  if (groups.length === 0) return [];
  const supported = choose(random, groups)[0]!;
  const opinion = choose(random, OPINIONS).replaceAll(/\bC\b/gu, () => country);
  return [{
    ...supported,
    id: `${supported.id}/opinion`,
    kind: "opinion",
    label: "not enough info",
    edit: "opinion",
    claim: chance(random, 0.5) ? opinion : `${supported.claim} ${opinion}`,
  }];
}
