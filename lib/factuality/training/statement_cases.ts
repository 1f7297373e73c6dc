import type { RandomSource } from "../../stats/random.ts";
import { randomSource } from "../../stats/random.ts";
import type { ClaimSplitter } from "../claims/claim.ts";
import type { Passage } from "../retrieval/passage.ts";
import type { VerdictLabel } from "../verdicts/verdict.ts";
import type { Split } from "./country_split.ts";
import type { CountryMaterial, PlacedStatement } from "./country_material.ts";
import { factContrast, proseContrast } from "./contrasts.ts";
import { type Fact, factSentence } from "./fact_statements.ts";
import type { KnowledgeCase } from "./knowledge_case.ts";
import type { NamePool } from "./name_edits.ts";
import { chance, choose, chooseWeighted } from "./random_choice.ts";
import { reword, rounded } from "./rewordings.ts";
import { composeSources, type Context, type SourceForm } from "./sources.ts";
import type { Contrast, Statement } from "./statement.ts";
import { chooseStyle, dressed } from "./styles.ts";

/** What the cases of one country are made with. */
export interface Making {
  readonly split: Split;
  readonly material: CountryMaterial;
  /** Another country of the same split. */
  readonly kin: CountryMaterial;
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly pool: NamePool;
  readonly splitter: ClaimSplitter;
}

const PROSE_FORMS = { sentence: 30, passage: 20, passages: 20, web: 30, written: 0 };
const FACT_FORMS = { sentence: 15, passage: 25, passages: 20, web: 15, written: 25 };

/** Share of sentences that are also claimed with a detail more than the source has. */
const DETAILED = 0.5;

/** Where and when another sentence's end says something happened. */
const DETAIL =
  / ((?:in|during|since|after|with|from|near|under|because of|along) [^,;.:()]{6,45})\.?$/u;

/** A detail out of another passage of the country. */
function detailFor(
  { material }: Making,
  placed: PlacedStatement,
  random: RandomSource,
): string | undefined {
  const others = material.prose.filter(({ passage }) => passage.section !== placed.passage.section);
  const details = others.flatMap(({ statement }) => DETAIL.exec(statement.source)?.[1] ?? []);
  return details.length > 0 ? choose(random, details) : undefined;
}

/**
 * A claim with a detail that its source has not is not borne out; where the source has the detail
 * too, it is. Both, so that the detail alone tells nothing.
 */
function detailCases(
  supported: KnowledgeCase,
  detail: string,
  told: readonly Passage[],
): readonly KnowledgeCase[] {
  const claim = withDetail(supported.claim, detail);
  const made = (label: VerdictLabel, passages: readonly Passage[]) => ({
    ...supported,
    id: `${supported.id}/detail/${label}`,
    claim,
    label,
    passages,
    edit: "detail",
  });
  return [made("not enough info", supported.passages), made("supported", told)];
}

function withDetail(sentence: string, detail: string): string {
  const [, text = "", end = ""] = /^(.*?)([\s.;]*)$/su.exec(sentence)!;
  return `${text} ${detail}${end}`;
}

/** Four cases of a sentence, two of them supported; none where no contrast can be made of it. */
export async function proseCases(
  making: Making,
  placed: PlacedStatement,
  name: string,
  random: RandomSource,
): Promise<readonly KnowledgeCase[]> {
  const found = proseContrast(placed.statement, making.pool, random);
  if (found === undefined) return [];
  const contrast = await atomic(inEitherOrder(found, random), making.splitter, random);
  const form = chooseWeighted(random, PROSE_FORMS);
  const target = (version: 0 | 1) =>
    placed.pieces[placed.index]!
      .replace(placed.statement.source, () => contrast.versions[version].source);
  const context = (target: string | undefined): Context => ({
    before: placed.pieces.slice(0, placed.index),
    target,
    after: placed.pieces.slice(placed.index + 1),
    title: making.material.country,
    section: placed.passage.section,
    others: making.material.passages.filter(({ section }) => section !== placed.passage.section),
  });
  const sources = ([0, 1] as const).map((version) =>
    composeSources(form, context(target(version)), random)
  );
  const away = placed.pieces.length > 2 && chance(random, 0.6) ? "removed" : elsewhere(random);
  const made = fourCases(making, {
    name,
    contrast,
    form,
    sources: sources as [Sources, Sources],
    missing: away,
    without: away === "removed"
      ? composeSources(form, context(undefined), random)
      : otherSources(making, away, form, placed.passage, random),
    random,
  });
  const detail = chance(random, DETAILED) ? detailFor(making, placed, random) : undefined;
  if (detail === undefined) return made;
  const told = composeSources(form, context(withDetail(target(0), detail)), random);
  return [...made, ...detailCases(made[0]!, detail, told)];
}

/** Four cases of a value; none where no other value can stand in its place. */
export function factCases(
  making: Making,
  fact: Fact,
  name: string,
  random: RandomSource,
): readonly KnowledgeCase[] {
  const found = factContrast(fact, making.values, random);
  if (found === undefined) return [];
  const contrast = inEitherOrder(found, random);
  const form = chooseWeighted(random, FACT_FORMS);
  const inTable = form === "passage" || form === "passages";
  const contexts = ([0, 1] as const).map((version) =>
    inTable
      ? tableContext(making, fact, contrast.versions[version])
      : writtenContext(making, fact, contrast.versions[version], random)
  );
  const context = contexts[0]!;
  const bare = { ...context, target: undefined };
  // Taken out of a table, its neighbours (men, women) would still tell something of it.
  const away = !inTable && context.before.length + context.after.length > 0
    ? "removed"
    : elsewhere(random);
  const own = { id: "", section: fact.field.field } as Passage;
  return fourCases(making, {
    name,
    contrast,
    form,
    sources: contexts.map((one) => composeSources(form, one, random)) as [Sources, Sources],
    missing: away,
    without: away === "removed"
      ? composeSources(form, bare, random)
      : otherSources(making, away, form, own, random),
    random,
  });
}

/** The field as the knowledge base has it, with the version's value. */
function tableContext({ material }: Making, fact: Fact, version: Statement): Context {
  const { field } = fact;
  const passage = material.passages.find(({ section, text }) =>
    section === field.field && text.includes(field.text)
  );
  const text = passage?.text ?? field.text;
  const start = text.indexOf(field.text);
  // "total: 643,801 sq km" goes as a whole, where it is taken out.
  const label = text.slice(0, start).endsWith(`${field.subfield}: `) ? `${field.subfield}: ` : "";
  const ends = [start - label.length, start + field.text.length] as const;
  const texts = [text.slice(0, ends[0]), text.slice(ends[1])].map((part) =>
    part.trim() === "" ? [] : [part.trim()]
  );
  return {
    before: texts[0]!,
    target: `${label}${version.source}`,
    after: texts[1]!,
    title: field.country,
    section: field.field,
    others: material.passages.filter(({ section }) => section !== field.field),
  };
}

/** The value in running text, in other words than the claim's, among other values. */
function writtenContext(
  { material }: Making,
  fact: Fact,
  version: Statement,
  random: RandomSource,
): Context {
  const rest = material.facts.filter(({ template }) => template.field !== fact.template.field);
  const others = random.sample(rest, Math.min(rest.length, random.integer(8)))
    .map((other) => factSentence(other, other.value, random));
  const cut = random.integer(others.length + 1);
  const told = Array.from(
    { length: 4 },
    () => factSentence(fact, version.value, random),
  );
  return {
    before: others.slice(0, cut),
    target: told.find((sentence) => sentence !== version.claim) ?? told[0],
    after: others.slice(cut),
    title: fact.field.country,
    section: fact.field.field,
    others: material.passages.filter(({ section }) => section !== fact.field.field),
  };
}

type Missing = "removed" | "other topic" | "other country";

function elsewhere(random: RandomSource): Missing {
  return chance(random, 0.5) ? "other topic" : "other country";
}

/** Sources that do not speak of it: other fields of the country, or the same field of another. */
function otherSources(
  { material, kin }: Making,
  missing: Missing,
  form: SourceForm,
  own: Passage,
  random: RandomSource,
): readonly Passage[] {
  const { passages, country } = missing === "other country" ? kin : material;
  const candidates = missing === "other country"
    ? passages.filter(({ section }) => section === own.section)
    : passages.filter(({ section }) => section !== own.section);
  const passage = choose(random, candidates.length > 0 ? candidates : passages);
  return composeSources(form, {
    before: [],
    target: passage.text,
    after: [],
    title: country,
    section: passage.section,
    others: passages.filter(({ id, section }) => id !== passage.id && section !== own.section),
  }, random);
}

type Sources = readonly Passage[];

interface Parts {
  readonly name: string;
  readonly contrast: Contrast;
  readonly form: SourceForm;
  /** With the first version's sentence in them, and with the second's. */
  readonly sources: readonly [Sources, Sources];
  readonly without: Sources;
  readonly missing: Missing;
  readonly random: RandomSource;
}

function fourCases(making: Making, parts: Parts): readonly KnowledgeCase[] {
  const { contrast, form, sources, without, missing, random } = parts;
  const claims = claimsOf(contrast, random);
  const made = (
    label: VerdictLabel,
    claim: string,
    passages: Sources,
    edit: string,
    name: string = label,
  ) => ({
    id: `${making.material.code}/${parts.name}/${name}`,
    claim,
    passages,
    label,
    cluster: making.material.country,
    set: "factbook claims",
    split: making.split,
    kind: contrast.versions[0].kind,
    edit,
    form,
  });
  return [
    made("supported", claims[0], sources[0], contrast.edit),
    made("refuted", claims[1], sources[0], contrast.edit),
    made("not enough info", choose(random, claims), without, missing),
    made("supported", claims[1], sources[1], contrast.edit, "supported too"),
  ];
}

/** Both versions reworded and dressed alike; unchanged where rewording made them the same. */
function claimsOf({ versions }: Contrast, random: RandomSource): [string, string] {
  const style = chooseStyle(versions[0], random);
  const seed = random.integer(0x100000000);
  const told = (change: (claim: string, random: RandomSource) => string) =>
    versions.map((version) => {
      const own = randomSource(seed);
      return dressed(change(version.claim, own), style, version, randomSource(seed + 1));
    }) as [string, string];
  const plain = told((claim) => claim);
  const changed = told(reword);
  const [a, b] = versions.map(({ claim }) => rounded(claim));
  if (a !== undefined && b !== undefined && farApart(a, b) && chance(random, 0.25)) {
    return told((claim) => rounded(claim)!);
  }
  return changed[0] === changed[1] ? plain : changed;
}

/** Rounding must not make a true statement of a false one. */
function farApart(a: string, b: string): boolean {
  const [x, y] = [a, b].map((text) => Number(/\d[\d,]*/u.exec(text)![0].replaceAll(",", "")));
  return Math.abs(x! - y!) > 0.05 * Math.max(x!, y!);
}

function inEitherOrder({ edit, versions: [a, b] }: Contrast, random: RandomSource): Contrast {
  return { edit, versions: chance(random, 0.5) ? [a, b] : [b, a] };
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
