/**
 * The specification's set of bare forms: two forms of one noun without a line.
 * Out of context both forms are words and neither is ungrammatical. A model is therefore scored by
 * its preference for the form attested in the text, not by acceptability.
 */
import { z } from "zod";
import { markdownTable } from "../../figures/table.ts";
import { likelihoodKey, type PairLikelihood } from "../../pairs/answers.ts";
import { clusteredStatistics, DESIGN, type Statistic } from "../../pairs/clustered.ts";
import { NORMALISATIONS, preference, shareStatistic } from "../../pairs/measures.ts";
import type { MinimalPair } from "../../pairs/pair.ts";
import { randomSource } from "../../stats/random.ts";
import { NOUN_PHENOMENA, type NounPhenomenon } from "./contrasts.ts";
import { attestedNouns, type LexiconEntry, type NounToken } from "./nouns.ts";
import { DECLENSIONS, decline, endingOf, type ParadigmCell } from "./paradigms.ts";
import { readRecords } from "./records.ts";
import { CASES, GENDERS, type GrammaticalNumber, NUMBERS } from "./rules.ts";
import { fromIast } from "./sounds.ts";
import { pausalWords, type Verse } from "./verses.ts";

const BARE_FORMS = z.strictObject({
  id: z.string().regex(/^bare_\d{4}$/),
  phenomenon: z.enum(NOUN_PHENOMENA),
  grammatical: z.string().min(1),
  ungrammatical: z.string().min(1),
  stem: z.string().min(1),
  context: z.literal(""),
  /** The specification's seven metadata fields; `number` is that of the first form. */
  metadata: z.strictObject({
    stem_class: z.string().min(1),
    gender: z.enum(GENDERS),
    number: z.enum(NUMBERS),
    correct_case: z.enum(CASES),
    incorrect_case: z.enum(CASES),
    ending_from: z.string(),
    ending_to: z.string(),
  }),
});

/** One line of `bare_contrast_sets.jsonl`, in the specification's schema. */
export type BareForms = Readonly<z.infer<typeof BARE_FORMS>>;

/** Declensions of the specification. */
const SPECIFIED: readonly string[] = ["a_masculine", "a_neuter", "ā_feminine"];

/** Share of case contrasts, 333 of 500; the others are number contrasts. */
const CASE_SHARE = 2 / 3;

interface BareOptions {
  readonly seed: number;
  /** Number of pairs of both kinds; fewer if the stems give fewer. */
  readonly targetSize: number;
  /** Number of nouns, the most frequent ones. */
  readonly maxStems: number;
}

/**
 * Selects form pairs of the most frequent nouns.
 * The declensions are the specification's three. The ordered changes (56 of case, 6 of number) take
 * turns. In each turn the noun with the fewest pairs gets the next one; a pair of an attested and
 * an unattested form is preferred. The seed breaks ties. Two forms with the same spelling make no
 * pair, and no two words are paired twice.
 * @param tokens nouns found by the extractor.
 */
export function bareContrasts(
  tokens: readonly NounToken[],
  isAttested: (form: string) => boolean,
  { seed, targetSize, maxStems }: BareOptions,
): readonly BareForms[] {
  const random = randomSource(seed);
  const specified = tokens.filter(({ entry }) => SPECIFIED.includes(entry.declension));
  const nouns = attestedNouns(specified, maxStems).nouns.map(({ entry }) => entry);
  const used = new Map(nouns.map((noun) => [noun, 0]));
  const words = new Set<string>();
  const ofCase = Math.round(CASE_SHARE * targetSize);
  const wanted = { case: ofCase, number: targetSize - ofCase };
  const chosen = NOUN_PHENOMENA.flatMap((phenomenon) => {
    const changes = random.shuffle(nouns).flatMap((noun) =>
      changesOf(noun, phenomenon).map((change) => {
        const [from, to] = [change.grammatical, change.ungrammatical].map(isAttested);
        const rank = from && !to ? 0 : to && !from ? 1 : 2;
        return { ...change, noun, rank };
      })
    );
    let turns = random.shuffle([...Map.groupBy(changes, ({ change }) => change).values()]);
    const chosen: typeof changes = [];
    while (chosen.length < wanted[phenomenon] && turns.length > 0) {
      turns = turns.slice(0, wanted[phenomenon] - chosen.length).flatMap((candidates) => {
        const open = candidates.filter(({ key }) => !words.has(key));
        if (open.length === 0) return [];
        const first = open.reduce((best, one) => {
          const lead = used.get(one.noun)! - used.get(best.noun)! || one.rank - best.rank;
          return lead < 0 ? one : best;
        });
        chosen.push(first);
        words.add(first.key);
        used.set(first.noun, used.get(first.noun)! + 1);
        return [open];
      });
    }
    return chosen;
  });
  return chosen.map(({ noun, from, to, phenomenon, grammatical, ungrammatical }, index) => ({
    id: `bare_${String(index + 1).padStart(4, "0")}`,
    ...{ phenomenon, grammatical, ungrammatical },
    stem: fromIast(noun.stem.replaceAll("-", "")),
    context: "",
    metadata: {
      stem_class: DECLENSIONS[noun.declension].label,
      gender: DECLENSIONS[noun.declension].gender,
      number: from.number,
      correct_case: from.case,
      incorrect_case: to.case,
      ending_from: endingOf(noun.declension, from),
      ending_to: endingOf(noun.declension, to),
    },
  }));
}

/** Returns all pairs of a noun's forms that differ in one dimension. Their spelling differs too. */
function changesOf({ stem, declension }: LexiconEntry, phenomenon: NounPhenomenon) {
  const { forms } = decline(stem, declension);
  const written = (cell: ParadigmCell) => fromIast(forms(cell)[0]!);
  return swaps(phenomenon).flatMap(({ from, to }) => {
    const [grammatical, ungrammatical] = [written(from), written(to)];
    if (grammatical === ungrammatical) return [];
    const change = `${from[phenomenon]} > ${to[phenomenon]}`;
    const key = `${grammatical} ${ungrammatical}`;
    return [{ from, to, phenomenon, change, grammatical, ungrammatical, key }];
  });
}

/** Returns all pairs of cells that differ in case or number alone. */
function swaps(
  phenomenon: NounPhenomenon,
): readonly { readonly from: ParadigmCell; readonly to: ParadigmCell }[] {
  return CASES.flatMap((name) =>
    NUMBERS.flatMap((number) => {
      const from: ParadigmCell = { case: name, number };
      const others: readonly ParadigmCell[] = phenomenon === "case"
        ? CASES.filter((other) => other !== name).map((other) => ({ case: other, number }))
        : NUMBERS.filter((other) => other !== number).map((other) => (
          { case: name, number: other }
        ));
      return others.map((to) => ({ from, to }));
    })
  );
}

/**
 * Returns a test for separate Devanagari words of the text.
 * -ṃ counts as -m and -o as -aḥ. A form joined to a neighbour or changed by it otherwise is not
 * attested.
 */
export function attestedForms(verses: readonly Verse[]): (form: string) => boolean {
  const words = pausalWords(verses);
  const attested = new Set(
    words.flatMap((word) => [word, word.replace(/o$/u, "aḥ")]).map(fromIast),
  );
  return (form) => attested.has(form);
}

/**
 * Reads the pairs of `bare_contrast_sets.jsonl`.
 * @throws {SyntaxError} naming the first damaged line.
 */
export const readBareForms = (path: string): readonly BareForms[] =>
  readRecords(path, (value) => BARE_FORMS.parse(value));

/** Returns two bare forms as a pair for scoring only. */
export function pairOfBareForms(record: BareForms): MinimalPair<NounPhenomenon> {
  const { id, phenomenon, grammatical, ungrammatical, context, metadata } = record;
  const { number, correct_case, incorrect_case } = metadata;
  const change = phenomenon === "case"
    ? [correct_case, incorrect_case]
    : [number, otherNumber(record)];
  const errorType = change.join("_to_");
  return { id, phenomenon, grammatical, ungrammatical, target: grammatical, errorType, context };
}

function otherNumber({ metadata }: BareForms): GrammaticalNumber {
  const { stem_class, gender, correct_case, ending_to } = metadata;
  const declension = SPECIFIED.map((name) => name as keyof typeof DECLENSIONS).find((name) =>
    DECLENSIONS[name].label === stem_class && DECLENSIONS[name].gender === gender
  );
  const number = NUMBERS.find((number) =>
    declension !== undefined && number !== metadata.number &&
    endingOf(declension, { case: correct_case, number }) === ending_to
  );
  if (number !== undefined) return number;
  throw new SyntaxError(`Cannot read ${stem_class} ${gender}: no number has -${ending_to}.`);
}

/** Number of a pair's forms that the text attests. */
const MEMBERS_ATTESTED = ["none", "one", "both"] as const;

const attestedMembers = (
  { grammatical, ungrammatical }: BareForms,
  has: (form: string) => boolean,
) => MEMBERS_ATTESTED[Number(has(grammatical)) + Number(has(ungrammatical))]!;

const SCORES = NORMALISATIONS.map((name) =>
  shareStatistic<Record<"pairs" | typeof NORMALISATIONS[number], number>>(
    `attested_form_score_${name}`,
    `share of pairs of which the text has exactly one form where that form has the higher ` +
      `log-probability (${name.replace("_", " ")}); ties not right`,
    (counts) => counts[name],
    ({ pairs }) => pairs,
  )
);

const SHARES = MEMBERS_ATTESTED.map((name) => ({
  ...shareStatistic<Record<"pairs" | typeof MEMBERS_ATTESTED[number], number>>(
    `attested_${name}`,
    name === "one"
      ? "share of pairs of which the text has exactly one form"
      : `share of pairs of which the text has ${name === "both" ? "both forms" : "neither form"}`,
    (counts) => counts[name],
    ({ pairs }) => pairs,
  ),
  descriptive: true,
}));

/**
 * Returns the rows of `probe_statistics.csv` on bare forms.
 * The groups are `bare`, `bare.case` and so on. The first rows count the pairs of which the text
 * attests one form, both or none. Then, for each model, comes the share of pairs with one attested
 * form in which the model prefers it.
 * @throws {RangeError} if a model has not scored a pair.
 */
export function bareStatistics({ bare, isAttested, likelihoods, models }: {
  readonly bare: readonly BareForms[];
  readonly isAttested: (form: string) => boolean;
  readonly likelihoods: readonly PairLikelihood[];
  readonly models: readonly string[];
}): readonly Statistic[] {
  const rows = new Map(likelihoods.map((row) => [likelihoodKey(row), row]));
  const groups = [undefined, ...NOUN_PHENOMENA].map((only) => ({
    phenomenon: only ? `bare.${only}` : "bare",
    records: bare.filter(({ phenomenon }) => !only || phenomenon === only),
  }));
  const shares = groups.flatMap(({ phenomenon, records }) => {
    const counted = records.map((record) => {
      const attested = attestedMembers(record, isAttested);
      const counts = { pairs: 1, none: 0, one: 0, both: 0, [attested]: 1 };
      return { lemma: record.stem, sentence: record.id, counts };
    });
    return clusteredStatistics({ model: DESIGN, phenomenon }, counted, SHARES);
  });
  const scoreOf = (model: string, record: BareForms) => {
    const row = rows.get(likelihoodKey({ model, pairId: record.id }));
    if (row === undefined) {
      throw new RangeError(`Cannot score bare forms: ${model} has not scored ${record.id}.`);
    }
    const attested = isAttested(record.grammatical) ? "grammatical" : "ungrammatical";
    const [total, per_token, per_byte] = NORMALISATIONS.map((name) =>
      Number(preference(row, name) === attested)
    );
    const counts = { pairs: 1, total: total!, per_token: per_token!, per_byte: per_byte! };
    return { lemma: record.stem, sentence: record.id, counts };
  };
  const scores = models.flatMap((model) =>
    groups.flatMap(({ phenomenon, records }) => {
      const one = records.filter((record) => attestedMembers(record, isAttested) === "one");
      const counted = one.map((record) => scoreOf(model, record));
      return clusteredStatistics({ model, phenomenon }, counted, SCORES);
    })
  );
  return [...shares, ...scores];
}

/**
 * Returns a table of the bare forms by phenomenon.
 * It counts pairs, nouns, and the pairs of which the text attests one form, both or none. A last
 * column counts the pairs whose only attested form is also the shorter one, which a total score
 * favours without grammar.
 */
export function bareTable(
  bare: readonly BareForms[],
  isAttested: (form: string) => boolean,
): string {
  return markdownTable(
    ["", "pairs", "nouns", "one form attested", "both", "none", "the attested one is shorter"],
    [...NOUN_PHENOMENA, "all"].map((name) => {
      const group = bare.filter(({ phenomenon }) => name === "all" || phenomenon === name);
      const of = (wanted: typeof MEMBERS_ATTESTED[number]) =>
        group.filter((record) => attestedMembers(record, isAttested) === wanted);
      const shorter = of("one").filter(({ grammatical, ungrammatical }) => {
        const lead = ungrammatical.length - grammatical.length;
        return isAttested(grammatical) ? lead > 0 : lead < 0;
      });
      const nouns = new Set(group.map(({ stem }) => stem)).size;
      const counts = [of("one"), of("both"), of("none"), shorter].map(({ length }) => length);
      return [name, group.length, nouns, ...counts];
    }),
  );
}
