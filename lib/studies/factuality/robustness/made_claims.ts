/** Training claims made by one change in a claim, its source, or both. */
import { choose, type RandomSource, randomSource } from "../../../stats/random.ts";
import { sentencesOf } from "../../../factuality/claims/sentences.ts";
import { type FactbookField } from "../../../factuality/retrieval/factbook.ts";
import { KNOWLEDGE_SEED } from "../claims/knowledge_claims.ts";
import type { TrainingCase } from "../../../factuality/own/training/pairs.ts";
import { countryMaterial } from "../claims/statements.ts";
import { knowledgeTools, makeVariant } from "../../../factuality/own/variants/make_variant.ts";
import { peopleIn } from "../../../factuality/own/variants/perturbations.ts";
import {
  CONTROLS,
  labelOf,
  PERTURBATIONS,
  seenInTraining,
  type VariantKind,
  type VariantTools,
} from "../../../factuality/own/variants/variant.ts";
import { claimsAbout, splitsOf } from "./cases.ts";

/** Kinds of changes that apply to claim and source alike. */
const OF_BOTH: readonly VariantKind[] = ["name", "place", "date", "digits", "number", "unit"];

/** Kinds of changes, rarest first. Most claims have a verb to negate or a number to change. */
const RAREST_FIRST: readonly VariantKind[] = [
  "roles",
  "quantifier",
  "unit",
  "negation",
  "name",
  "place",
  "date",
  "digits",
  "number",
];

/** Share of other sets' supported claims that are varied. */
const VARIED = 0.5;

/** Names of sets whose sentences describe pictures, too short for names, numbers and clauses. */
const PLAIN_SETS = /snli|scone|breaking|negation|seminli/;

type Passages = TrainingCase["passages"];

/**
 * Makes training cases from supported ones by one change. The changed claim is unsupported. Where
 * the source can be changed too, the new claim with the new source is supported, and the old claim
 * with it is not, so that neither text alone reveals the label. A change that preserves truth gives
 * a supported case. `set` names the kind: `made roles`.
 */
export function* madeClaims(
  cases: Iterable<TrainingCase>,
  fields: readonly FactbookField[],
): Generator<TrainingCase> {
  const known = [...cases].filter(({ label, set, passages }) =>
    label === "supported" && passages.length > 0 && !PLAIN_SETS.test(set)
  );
  const texts = known.flatMap(({ passages }) => passages.map(({ text }) => text));
  const people = [...new Set(texts.flatMap(peopleIn))].sort();
  const tools = { ...knowledgeTools(fields), people, about: "" };
  const read = new Set<string>();
  for (const one of known) {
    const random = randomSource(`${KNOWLEDGE_SEED}/made/${one.set}/${one.id}`);
    if (random.next() < VARIED) yield* variantsOf(one, "made", tools, random);
    const text = one.passages.map((passage) => passage.text).join(" ");
    if (!read.has(text)) yield* nameExchanges(one, text, random);
    read.add(text);
  }
}

/** Capitalised words at the beginning of a sentence or title that are no names. */
const NO_NAME =
  "(?:The|An?|He|She|It|Its|They|We|You|I|His|Her|Their|Our|This|That|These|Those|And|But|Or|Not|As|If|" +
  "So|For|From|To|With|After|Before|Since|While|When|Where|Apart|There|What|How|All|Both|Some|Many|" +
  "Most|One|Two|Conditions|President|Season|Series|Part|No)";
const NAMED =
  `(?!${NO_NAME}\\b)\\p{Lu}[\\p{L}-]+(?: (?:of |de )?(?!${NO_NAME}\\b)\\p{Lu}[\\p{L}-]+)*`;
/** Two names around an asymmetric relation. */
const TWO_NAMED = new RegExp(
  `(?<=^|[,;] |\\b(?:when|after|that|where|and|the) )(?<one>${NAMED}) ` +
    `(?<act>(?:[\\p{Ll}-]+ ){1,7})(?<other>${NAMED})` +
    "(?=[,.;)]| (?:in|on|for|and|by|to|from|with|during|at|after|as|of|until|but|who|which|was|is)\\b)",
  "u",
);
const ONE_WAY = /ed |\b(?:by|from|won|became|wrote|led|beat|sold|bought|left) |(?:is|was) .*of /u;
const EITHER_WAY =
  /\b(?:or|with|met|meets|married|between|against|near|like|than|on|in|actors) $|\b(?:married|border\w*|met|joined|and|equals?) /u;

/** Sentences of sources with two names: unchanged, and with the names exchanged. */
function* nameExchanges(
  one: TrainingCase,
  text: string,
  random: RandomSource,
): Generator<TrainingCase> {
  const changes = sentencesOf(text).flatMap((sentence) => {
    const match = TWO_NAMED.exec(sentence.text);
    const { one: first = "", act = "", other = "" } = match?.groups ?? {};
    const isLong = sentence.text.split(" ").length > LONGEST_EXCHANGED;
    if (match === null || isLong || !ONE_WAY.test(act) || EITHER_WAY.test(act)) return [];
    if (first.includes(other) || other.includes(first)) return [];
    const to = `${other} ${act}${first}`;
    return [{ claim: sentence.text, changed: sentence.text.replace(match[0], () => to) }];
  });
  if (changes.length === 0) return;
  const { claim, changed } = choose(random, changes);
  const base = { ...one, set: "made exchanged" };
  yield { ...base, id: `${one.id}/sentence`, claim, label: "supported" };
  yield { ...base, id: `${one.id}/exchanged`, claim: changed, label: labelOf("roles") };
}

/** Maximum length in words of a sentence whose names are exchanged. */
const LONGEST_EXCHANGED = 40;

/** Statements of the knowledge base with their variants; `set` names the kind. */
export function* countryVariants(fields: readonly FactbookField[]): Generator<TrainingCase> {
  const countries = countryMaterial(fields);
  const parts = splitsOf(countries);
  const tools = knowledgeTools(fields);
  for (const material of countries) {
    const { code, country: cluster } = material;
    const split = parts.get(code)!;
    if (split === "test" || cluster.includes(",")) continue;
    const base = { split, set: "factbook original", label: "supported", cluster } as const;
    for (const { id, isProse, text: claim, passage } of claimsAbout(material, "made")) {
      if (isProse && !/^\S+(?: \S+){5,39}\.$/u.test(claim)) continue;
      const one: TrainingCase = { ...base, id: `${id}/original`, claim, passages: [passage] };
      const random = randomSource(`${KNOWLEDGE_SEED}/made/${one.id}`);
      const variants = [...variantsOf(one, "factbook", { ...tools, about: cluster }, random)];
      if (variants.length > 0) yield one;
      yield* variants;
    }
  }
}

/** One change that makes the claim false, and one that does not, where possible. */
function* variantsOf(
  one: TrainingCase,
  maker: string,
  tools: Omit<VariantTools, "source">,
  random: RandomSource,
): Generator<TrainingCase> {
  const claimTools = { ...tools, source: one.passages.map(({ text }) => text).join(" ") };
  const made = (kinds: readonly VariantKind[]) => {
    for (const kind of kinds) {
      const variant = makeVariant(kind, one.claim, claimTools, random);
      if (variant !== undefined) return variant;
    }
    return undefined;
  };
  const trainingCase = (
    kind: VariantKind,
    name: string,
    rest: Partial<TrainingCase>,
  ): TrainingCase => (
    { ...one, set: `${maker} ${kind}`, id: `${one.id}/${kind}${name}`, ...rest }
  );
  const wrong = made(random.next() < 0.5 ? RAREST_FIRST : random.shuffle([...PERTURBATIONS]));
  if (wrong !== undefined) {
    const { kind, text: claim, from, to } = wrong;
    yield trainingCase(kind, "", { claim, label: labelOf(kind) });
    if (OF_BOTH.includes(kind) && from.length > 1 && claimTools.source.includes(from)) {
      const passages: Passages = one.passages.map((passage) => (
        { ...passage, text: passage.text.replaceAll(from, () => to) }
      ));
      yield trainingCase(kind, "/both", { claim, passages, label: "supported" });
      yield trainingCase(kind, "/source", { passages, label: labelOf(kind) });
    }
  }
  const control = made(random.shuffle(CONTROLS.filter((kind) => seenInTraining(kind) === "yes")));
  if (control !== undefined) {
    yield trainingCase(control.kind, "", { claim: control.text, label: labelOf(control.kind) });
  }
}
