import type { RandomSource } from "../../stats/random.ts";
import type { ClaimSplitter } from "../claims/claim.ts";
import { fourCases, type Sources } from "./case_group.ts";
import { inEitherOrder, proseContrast } from "./contrasts.ts";
import type { PlacedStatement } from "./country_material.ts";
import { detailCases, detailFor, withDetail } from "./detail_cases.ts";
import type { KnowledgeCase } from "./knowledge_case.ts";
import type { Making } from "./making.ts";
import { elsewhere, otherSources } from "./missing_sources.ts";
import { chance, choose, chooseWeighted } from "./random_choice.ts";
import { composeSources, type Context } from "./sources.ts";
import type { Contrast } from "./statement.ts";

const FORMS = { sentence: 30, passage: 20, passages: 20, web: 30, written: 0 };

/** Share of sentences that are also claimed with a detail more than the source has. */
const DETAILED = 0.5;

/**
 * Four cases of a sentence, two of them supported, and for some two with a detail more; none where
 * no contrast can be made of it.
 */
export async function proseCases(
  making: Making,
  placed: PlacedStatement,
  name: string,
  random: RandomSource,
): Promise<readonly KnowledgeCase[]> {
  const { pool, splitter, material } = making;
  const found = proseContrast(placed.statement, pool, random);
  if (found === undefined) return [];
  const contrast = await atomic(inEitherOrder(found, random), splitter, random);
  const form = chooseWeighted(random, FORMS);
  const compose = (target: string | undefined) =>
    composeSources(form, contextOf(making, placed, target), random);
  const [first, second] = contrast.versions.map(({ source }) =>
    placed.pieces[placed.index]!.replace(placed.statement.source, () => source)
  ) as [string, string];
  const sources: [Sources, Sources] = [compose(first), compose(second)];
  const missing = placed.pieces.length > 2 && chance(random, 0.6) ? "removed" : elsewhere(random);
  const without = missing === "removed"
    ? compose(undefined)
    : otherSources(making, missing, form, placed.passage.section, random);
  const made = fourCases(making, { name, contrast, form, sources, missing, without, random });
  const detail = chance(random, DETAILED) ? detailFor(material, placed, random) : undefined;
  if (detail === undefined) return made;
  return [...made, ...detailCases(made[0]!, detail, compose(withDetail(first, detail)))];
}

/** The sentence's place, with `target` or nothing in it. */
function contextOf(
  { material }: Making,
  { pieces, index, passage }: PlacedStatement,
  target: string | undefined,
): Context {
  return {
    before: pieces.slice(0, index),
    target,
    after: pieces.slice(index + 1),
    title: material.country,
    section: passage.section,
    others: material.passages.filter(({ section }) => section !== passage.section),
  };
}

/** One claim of a sentence of several, where the versions differ; the whole sentence for some. */
async function atomic(
  contrast: Contrast,
  splitter: ClaimSplitter,
  random: RandomSource,
): Promise<Contrast> {
  if (chance(random, 0.25)) return contrast;
  const [a, b] = await Promise.all(
    contrast.versions.map(async ({ claim }) => (await splitter.split(claim)).claims),
  );
  if (a!.length !== b!.length) return contrast;
  const differing = a!.keys().filter((i) => a![i]!.text !== b![i]!.text).toArray();
  if (differing.length === 0) return contrast;
  const chosen = choose(random, differing);
  const [first, second] = contrast.versions;
  return {
    edit: contrast.edit,
    versions: [{ ...first, claim: a![chosen]!.text }, { ...second, claim: b![chosen]!.text }],
  };
}
