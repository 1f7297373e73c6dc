import { chance, choose, type RandomSource } from "../../stats/random.ts";
import { type ClaimSplitter, type Passage, sourcePassage } from "../types.ts";
import type { NamePool } from "./edits.ts";
import type { Split } from "./splits.ts";
import { type CountryMaterial, type Fact, factSentence, type Statement } from "./statements.ts";

/** What the source of a case looks like. */
export type SourceForm = "sentence" | "passage" | "passages" | "web" | "written";

/** The sentence a claim rests on (undefined where it is to be missing) among its neighbours. */
export interface Context {
  readonly before: readonly string[];
  readonly target: string | undefined;
  readonly after: readonly string[];
  readonly title: string;
  readonly section: string;
  /** Passages about other things. */
  readonly others: readonly Passage[];
}

/** Draws the sources of a case. Each form may lack the target; then its neighbours stand alone. */
export function composeSources(
  form: SourceForm,
  context: Context,
  random: RandomSource,
): readonly Passage[] {
  switch (form) {
    case "sentence":
      return [sourcePassage(fewSentences(context, random))];
    case "passage":
      return [ownPassage(context)];
    case "passages":
      return random.shuffle([ownPassage(context), ...someOthers(context, random)]);
    case "web":
      return [sourcePassage(webText(context, random))];
    case "written":
      return [sourcePassage(whole(context))];
  }
}

function whole({ before, target, after }: Context): string {
  return [...before, ...(target === undefined ? [] : [target]), ...after].join(" ");
}

function ownPassage(context: Context): Passage {
  const { title, section } = context;
  const text = whole(context);
  return { id: `${title}/${section}`, text, collection: "knowledge base", title, section };
}

/** The target alone or with one neighbour; without it, one or two neighbours. */
function fewSentences({ before, target, after, others }: Context, random: RandomSource): string {
  const neighbours = [...before.slice(-1), ...after.slice(0, 1)];
  const beside = neighbours.length > 0 ? choose(random, neighbours) : "";
  if (target !== undefined) {
    if (beside === "" || chance(random, 0.6)) return target;
    return before.includes(beside) ? `${beside} ${target}` : `${target} ${beside}`;
  }
  if (beside !== "") return chance(random, 0.6) ? beside : neighbours.join(" ");
  return others.length > 0 ? choose(random, others).text : "";
}

function someOthers({ others }: Context, random: RandomSource): readonly Passage[] {
  return random.sample(others, Math.min(others.length, 2 + random.integer(5)));
}

/** As a crawler cuts it: begun and ended in mid-sentence, with headings, lists and other matter. */
function webText(context: Context, random: RandomSource): string {
  const { title, section, others } = context;
  const parts = [
    chance(random, 0.3) ? `${title} - ${section}` : "",
    chance(random, 0.6) ? cutHead(someText(others, random), random) : "",
    chance(random, 0.2) ? choose(random, NOISE) : "",
    excerpt(context, random),
    chance(random, 0.2) ? choose(random, NOISE) : "",
    chance(random, 0.6) ? cutTail(someText(others, random), random) : "",
  ];
  const text = parts.filter((part) => part !== "").join(chance(random, 0.2) ? "\n" : " ");
  // Where nothing at all was left of a page, something of it must be a source all the same.
  return text === "" ? NOISE[0]! : text;
}

const NOISE = [
  "Share this article.",
  "Read more:",
  "See also",
  "[ edit ]",
  "Last updated 3 days ago | 5 min read",
  "Main article:",
  "References [1] [2]",
  "* Overview * History * People",
  "Photo: courtesy of the author.",
  "Sign up for our newsletter!",
];

function excerpt({ before, target, after }: Context, random: RandomSource): string {
  return whole({
    before: before.slice(before.length - random.integer(4)),
    target,
    after: after.slice(0, random.integer(4)),
    title: "",
    section: "",
    others: [],
  });
}

function someText(others: readonly Passage[], random: RandomSource): string {
  return others.length > 0 ? choose(random, others).text : "";
}

function cutHead(text: string, random: RandomSource): string {
  const words = text.split(" ");
  return words.slice(-Math.min(words.length, 10 + random.integer(70))).join(" ");
}

function cutTail(text: string, random: RandomSource): string {
  return text.split(" ").slice(0, 10 + random.integer(70)).join(" ");
}

/** Why a source does not tell: the statement was taken out, or it is about something else. */
export type Missing = "removed" | "other topic" | "other country";

/** Another topic or another country, as likely. */
export function elsewhere(random: RandomSource): Missing {
  return chance(random, 0.5) ? "other topic" : "other country";
}

/** Sources that do not speak of it: other fields of the country, or the same field of another. */
export function otherSources(
  { material, kin }: Making,
  missing: Missing,
  form: SourceForm,
  ownSection: string,
  random: RandomSource,
): readonly Passage[] {
  const { passages, country } = missing === "other country" ? kin : material;
  const candidates = missing === "other country"
    ? passages.filter(({ section }) => section === ownSection)
    : passages.filter(({ section }) => section !== ownSection);
  const passage = choose(random, candidates.length > 0 ? candidates : passages);
  return composeSources(form, {
    before: [],
    target: passage.text,
    after: [],
    title: country,
    section: passage.section,
    others: passages.filter(({ id, section }) => id !== passage.id && section !== ownSection),
  }, random);
}

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

/** The field as the knowledge base has it, with the version's value. */
export function tableContext({ material }: Making, fact: Fact, version: Statement): Context {
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
export function writtenContext(
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
