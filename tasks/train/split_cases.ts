import { readLabelledCases } from "../../lib/factuality/cases/case_formats.ts";
import type { CaseSource } from "../../lib/factuality/cases/case_source.ts";
import type { LabelledCase } from "../../lib/factuality/cases/labelled_case.ts";
import { ruleSplitter } from "../../lib/factuality/claims/rule_splitter.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import type { Split } from "../../lib/factuality/training/country_split.ts";
import {
  entitySplit,
  requireNoLeak,
  type SplitShares,
} from "../../lib/factuality/training/heads/entity_split.ts";
import { withoutHeldOutClaims } from "../../lib/factuality/training/heads/held_out_claims.ts";
import type { KnowledgeCase } from "../../lib/factuality/training/knowledge_case.ts";
import { KNOWLEDGE_SEED, knowledgeClaims } from "../../lib/factuality/training/knowledge_claims.ts";
import { shownPath } from "../../lib/files/shown_path.ts";
import { randomSource } from "../../lib/stats/random.ts";

/** A labelled case and what it is for. */
export interface PlacedCase {
  readonly case: LabelledCase;
  readonly split: Split;
}

/**
 * The claims that the verifier that ships was trained on, with the same countries held out; without the
 * few to learn from that stand in the same words for a held-out country ("Defense is the
 * responsibility of the US.").
 */
export async function syntheticCases(): Promise<readonly KnowledgeCase[]> {
  const cases = await knowledgeClaims(await factbookFields(FACTUALITY_PATHS.cache), {
    ...{ seed: KNOWLEDGE_SEED, prosePerCountry: 4, factsPerCountry: 2 },
    splitter: ruleSplitter(),
  });
  return withoutHeldOutClaims(cases);
}

/**
 * The cases of all files, each with its split: their own where they have one, else by lot so that
 * nothing related is on both sides.
 * @throws {Error} for a file without cases, or splits that leak or are given to some rows only.
 */
export async function fileCases(
  sources: readonly CaseSource[],
  shares: SplitShares,
  seed: number,
  tell: (words: string) => void,
): Promise<readonly PlacedCase[]> {
  const cases: LabelledCase[] = [];
  for (const source of sources) cases.push(...await casesOf(source, tell));
  return placed(cases, shares, seed);
}

async function casesOf({ format, path }: CaseSource, tell: (words: string) => void) {
  const { cases, damaged, leftOut } = await readLabelledCases(format, path);
  const blank = cases.filter(({ passages }) => passages.length === 0).length;
  tell(
    `${shownPath(path)}: ${cases.length} cases, ${blank} of them without a source; ` +
      `${damaged.length} damaged lines, ${leftOut.length} left out.`,
  );
  if (cases.length > 0) return cases;
  throw new RangeError(
    `Cannot train: ${path} has no case. ${
      damaged[0]?.reason ?? leftOut[0]?.reason ?? "It is empty"
    }.`,
  );
}

function placed(
  cases: readonly LabelledCase[],
  shares: SplitShares,
  seed: number,
): readonly PlacedCase[] {
  if (cases.length === 0) return [];
  const own = cases.filter(({ split }) => split !== undefined).length;
  if (own > 0 && own < cases.length) {
    throw new RangeError(
      `Cannot train: ${own} of ${cases.length} cases say what split they are in. All must, or none.`,
    );
  }
  const splits = own > 0
    ? cases.map(({ split }) => split!)
    : entitySplit(cases, shares, randomSource(`${seed}/split`));
  requireNoLeak(cases, splits);
  return cases.map((one, i) => ({ case: one, split: splits[i]! }));
}
