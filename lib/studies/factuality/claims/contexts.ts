/** Sources of claims in several forms, with or without the supporting passage. */
import { bernoulli, choose, type RandomSource } from "../../../stats/random.ts";
import { type ClaimSplitter, type Passage, sourcePassage } from "../../../factuality/types.ts";
import type { NamePool } from "./edits.ts";
import type { Split } from "../../../factuality/own/training/splits.ts";
import { type CountryMaterial, type Fact, factSentence, type Statement } from "./statements.ts";

/** Form of a case's source. */
export type SourceForm = "sentence" | "passage" | "passages" | "web" | "written";

/** A target sentence with its neighbours; undefined where the target is removed. */
export interface Context {
  readonly before: readonly string[];
  readonly target: string | undefined;
  readonly after: readonly string[];
  readonly title: string;
  readonly section: string;
  /** Passages about other topics. */
  readonly others: readonly Passage[];
}

/** Material and settings for the cases of one country. */
export interface CaseMaterial {
  readonly split: Split;
  readonly material: CountryMaterial;
  /** Another country of the same split. */
  readonly kin: CountryMaterial;
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly pool: NamePool;
  readonly splitter: ClaimSplitter;
}

/** Composes the sources of a case. Without a target, its neighbours stand alone. */
export function composeSources(form: SourceForm, context: Context, random: RandomSource) {
  if (form === "sentence") return [sourcePassage(fewSentences(context, random))];
  if (form === "web") return [sourcePassage(webText(context, random))];
  const text = whole(context);
  if (form === "written") return [sourcePassage(text)];
  const { title, section, others } = context;
  const mainPassage = {
    id: `${title}/${section}`,
    text,
    collection: "knowledge base",
    title,
    section,
  };
  if (form === "passage") return [mainPassage];
  const some = random.sample(others, Math.min(others.length, 2 + random.integer(5)));
  return random.shuffle([mainPassage, ...some]);
}

const whole = ({ before, target, after }: Pick<Context, "before" | "target" | "after">) =>
  [...before, target ?? [], ...after].flat().join(" ");

/** Returns the target alone or with one neighbour; without it, one or two neighbours. */
function fewSentences({ before, target, after, others }: Context, random: RandomSource): string {
  const neighbours = [...before.slice(-1), ...after.slice(0, 1)];
  const neighbour = neighbours.length > 0 ? choose(random, neighbours) : "";
  if (target !== undefined) {
    if (neighbour === "" || bernoulli(random, 0.6)) return target;
    return before.includes(neighbour) ? `${neighbour} ${target}` : `${target} ${neighbour}`;
  }
  if (neighbour !== "") return bernoulli(random, 0.6) ? neighbour : neighbours.join(" ");
  return others.length > 0 ? choose(random, others).text : "";
}

const NOISE =
  ("Share this article./Read more:/See also/[ edit ]/Last updated 3 days ago | 5 min read/" +
    "Main article:/References [1] [2]/* Overview * History * People/Photo: courtesy of the author./" +
    "Sign up for our newsletter!").split("/");

/**
 * Simulates a web page: it begins and ends in mid-sentence and has headings, lists and other
 * content.
 */
function webText(context: Context, random: RandomSource): string {
  const { title, section, others, before, target, after } = context;
  const noise = () => bernoulli(random, 0.2) ? choose(random, NOISE) : "";
  const cut = (end: "head" | "tail") => {
    if (!bernoulli(random, 0.6)) return "";
    const words = (others.length > 0 ? choose(random, others).text : "").split(" ");
    const count = 10 + random.integer(70);
    return (end === "head" ? words.slice(-count) : words.slice(0, count)).join(" ");
  };
  const parts = [
    bernoulli(random, 0.3) ? `${title} - ${section}` : "",
    cut("head"),
    noise(),
    whole({
      before: before.slice(before.length - random.integer(4)),
      target,
      after: after.slice(0, random.integer(4)),
    }),
    noise(),
    cut("tail"),
  ];
  const text = parts.filter((part) => part !== "").join(bernoulli(random, 0.2) ? "\n" : " ");
  // A source must not be empty.
  return text === "" ? NOISE[0]! : text;
}

/**
 * Reasons for missing information: the statement was removed, or the source has another topic or
 * country.
 */
export type Missing = "removed" | "other topic" | "other country";

/** Draws another topic or another country with equal probability. */
export const randomMissing = (random: RandomSource): Missing =>
  bernoulli(random, 0.5) ? "other topic" : "other country";

/** Sources without the information: other fields of the country, or the same field of another. */
export function otherSources(
  { material, kin }: CaseMaterial,
  missing: Missing,
  form: SourceForm,
  ownSection: string,
  random: RandomSource,
): readonly Passage[] {
  const isAbroad = missing === "other country";
  const { passages, country: title } = isAbroad ? kin : material;
  const candidates = passages.filter((one) => (one.section === ownSection) === isAbroad);
  const { id, text, section } = choose(random, candidates.length > 0 ? candidates : passages);
  const others = passages.filter((one) => one.id !== id && one.section !== ownSection);
  const context = { before: [], target: text, after: [], title, section, others };
  return composeSources(form, context, random);
}

/** Context about the country around the statement. */
export function countryContext({ material }: CaseMaterial, section: string) {
  const others = material.passages.filter((passage) => passage.section !== section);
  return { title: material.country, section, others };
}

/** Context from the knowledge base's field, with the version's value. */
export function tableContext(making: CaseMaterial, { field }: Fact, version: Statement): Context {
  const passage = making.material.passages.find(({ section, text }) =>
    section === field.field && text.includes(field.text)
  );
  const text = passage?.text ?? field.text;
  const start = text.indexOf(field.text);
  // A removed "total: 643,801 sq km" is removed as a whole.
  const label = text.slice(0, start).endsWith(`${field.subfield}: `) ? `${field.subfield}: ` : "";
  const trimmed = (part: string) => part.trim() === "" ? [] : [part.trim()];
  const before = trimmed(text.slice(0, start - label.length));
  const after = trimmed(text.slice(start + field.text.length));
  const target = `${label}${version.source}`;
  return { before, target, after, ...countryContext(making, field.field) };
}

/**
 * Context with the value in running text, among other values. Its wording differs from the claim's.
 */
export function writtenContext(
  making: CaseMaterial,
  fact: Fact,
  version: Statement,
  random: RandomSource,
): Context {
  const otherFacts = making.material.facts.filter(({ template }) =>
    template.field !== fact.template.field
  );
  const others = random.sample(otherFacts, Math.min(otherFacts.length, random.integer(8)))
    .map((other) => factSentence(other, other.value, random));
  const cut = random.integer(others.length + 1);
  const sentences = Array.from({ length: 4 }, () => factSentence(fact, version.value, random));
  return {
    before: others.slice(0, cut),
    target: sentences.find((sentence) => sentence !== version.claim) ?? sentences[0],
    after: others.slice(cut),
    ...countryContext(making, fact.field.field),
  };
}
