/**
 * The specification's own set: two forms of one noun without a line, in its own schema. Out of context both
 * are words and neither is ungrammatical, so a model is not scored by acceptability but by whether it prefers
 * the form that the text has.
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
  /** The specification's seven fields. Its `number` is that of the first form. */
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

/** Share of contrasts of case: 333 of 500; the others are of number. */
const CASE_SHARE = 2 / 3;

interface BareOptions {
  readonly seed: number;
  /** Pairs of both kinds together; fewer where the stems give fewer. */
  readonly targetSize: number;
  /** Nouns that are used, the most frequent ones. */
  readonly maxStems: number;
}

/**
 * Pairs of forms of the most frequent nouns' paradigms, of the specification's three declensions. Each
 * ordered change, 56 of case and 6 of number, takes its turn, and in it the noun that has the fewest
 * pairs. Among that noun's cells a form that the text has, put against one
 * that it lacks, comes first; the seed breaks ties. Forms that are spelt alike make no pair, and no two
 * words are paired twice.
 * @param tokens nouns as the extractor found them.
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
    const found = random.shuffle(nouns).flatMap((noun) =>
      changesOf(noun, phenomenon).map((change) => {
        const [from, to] = [change.grammatical, change.ungrammatical].map(isAttested);
        const rank = from && !to ? 0 : to && !from ? 1 : 2;
        return { ...change, noun, rank };
      })
    );
    let turns = random.shuffle([...Map.groupBy(found, ({ change }) => change).values()]);
    const own: typeof found = [];
    while (own.length < wanted[phenomenon] && turns.length > 0) {
      turns = turns.slice(0, wanted[phenomenon] - own.length).flatMap((candidates) => {
        const open = candidates.filter(({ key }) => !words.has(key));
        if (open.length === 0) return [];
        const first = open.reduce((best, one) => {
          const lead = used.get(one.noun)! - used.get(best.noun)! || one.rank - best.rank;
          return lead < 0 ? one : best;
        });
        own.push(first);
        words.add(first.key);
        used.set(first.noun, used.get(first.noun)! + 1);
        return [open];
      });
    }
    return own;
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

/** Every two forms of a noun that differ in one dimension and are spelt differently. */
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

/** Every two cells that differ in case alone, or in number alone. */
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
 * Whether a form in Devanagari stands in the text as a word of its own, with -ṃ for -m and -o for -aḥ. A form
 * that is only there joined to a neighbour, or changed by it otherwise, counts as not attested.
 */
export function attestedForms(verses: readonly Verse[]): (form: string) => boolean {
  const words = pausalWords(verses);
  const found = new Set(words.flatMap((word) => [word, word.replace(/o$/u, "aḥ")]).map(fromIast));
  return (form) => found.has(form);
}

/** The pairs of `bare_contrast_sets.jsonl`. @throws {SyntaxError} naming the first damaged line. */
export const readBareForms = (path: string): readonly BareForms[] =>
  readRecords(path, (value) => BARE_FORMS.parse(value));

/** Two bare forms as a pair that is only scored. The other number is the one that has its ending. */
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
  const found = NUMBERS.find((number) =>
    declension !== undefined && number !== metadata.number &&
    endingOf(declension, { case: correct_case, number }) === ending_to
  );
  if (found !== undefined) return found;
  throw new SyntaxError(`Cannot read ${stem_class} ${gender}: no number has -${ending_to}.`);
}

/** How many of a pair's two forms the text has. */
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
 * The rows of `probe_statistics.csv` on bare forms, `bare` and by phenomenon (`bare.case`): first of the set
 * itself in how many pairs the text has one form, both or none, then for each model the attested-form score,
 * over the pairs with one.
 * @throws {RangeError} where a model has not scored a pair.
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
 * The bare forms counted by phenomenon: pairs, nouns, and in how many the text has one form, both or none; of
 * those with one, in how many that form is the shorter in characters, which a total favours without grammar.
 */
export function bareTable(
  bare: readonly BareForms[],
  isAttested: (form: string) => boolean,
): string {
  return markdownTable(
    ["", "pairs", "nouns", "one form attested", "both", "none", "the attested one is shorter"],
    [...NOUN_PHENOMENA, "all"].map((name) => {
      const own = bare.filter(({ phenomenon }) => name === "all" || phenomenon === name);
      const of = (wanted: typeof MEMBERS_ATTESTED[number]) =>
        own.filter((record) => attestedMembers(record, isAttested) === wanted);
      const shorter = of("one").filter(({ grammatical, ungrammatical }) => {
        const lead = ungrammatical.length - grammatical.length;
        return isAttested(grammatical) ? lead > 0 : lead < 0;
      });
      const nouns = new Set(own.map(({ stem }) => stem)).size;
      const counts = [of("one"), of("both"), of("none"), shorter].map(({ length }) => length);
      return [name, own.length, nouns, ...counts];
    }),
  );
}
