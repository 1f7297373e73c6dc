import { type RandomSource, randomSource } from "../../stats/random.ts";
import { type KnownThings, knownThings } from "./known_things.ts";
import type { KnownWord } from "./known_words.ts";
import { letterModel } from "./letter_model.ts";
import type { AbstentionQuery } from "./query.ts";
import { KIND_PATTERNS, QUERY_KINDS, type QueryKind } from "./query_kinds.ts";
import type { FactbookField } from "../retrieval/factbook_fields.ts";

/** Shorter names are too often somebody's; longer ones read like a slip of the keyboard. */
const [SHORTEST, LONGEST] = [6, 9];
const MOST_TRIES = 2_000;

/** Whose names the letters of an invented one are learnt from, where its own kind has no names. */
const LIKE: Readonly<Partial<Record<QueryKind, QueryKind>>> = {
  ...{ species: "country", treaty: "city", battle: "city", film: "person" },
};

/** What an invented species is; each is a word for real animals. */
const ANIMALS = ["heron", "gecko", "otter", "falcon", "viper", "marmot"];

/** Names that the reader of a list knew to be somebody's, though no source here has them. */
const USED_ELSEWHERE: ReadonlySet<string> = new Set(["tegali", "awiyya", "portown", "dunabe"]);

export interface QueryOptions {
  readonly fields: readonly FactbookField[];
  readonly isKnown: KnownWord;
  /** Queries a kind, of those that exist and of those that do not. */
  readonly perKind: number;
  readonly seed: number;
}

/**
 * Questions about things that do not exist and, in the same words, about things that do: false
 * acceptance means little without the refusals of what is there. Depends on the seed alone.
 * @throws {RangeError} where a kind has fewer known things than are asked for, or where no new name
 * comes up.
 */
export function abstentionQueries(options: QueryOptions): readonly AbstentionQuery[] {
  const things = knownThings(options.fields);
  const taken = new Set<string>();
  return QUERY_KINDS.flatMap((kind) => {
    const random = randomSource(`${options.seed}/abstention/${kind}`);
    const real = random.sample(things[kind], options.perKind);
    const invented = Array.from(
      { length: options.perKind },
      (_, i) => inventedName(kind, i, { things, taken, random, isKnown: options.isKnown }),
    );
    return [...queriesOf(kind, true, real), ...queriesOf(kind, false, invented)];
  });
}

function queriesOf(
  kind: QueryKind,
  exists: boolean,
  names: readonly string[],
): readonly AbstentionQuery[] {
  const { name: form, questions } = KIND_PATTERNS[kind];
  return names.map((own, i) => {
    const name = form.replace("{}", own);
    const question = questions[i % questions.length]!.replace("{}", name);
    return { id: `${kind}-${exists ? "real" : "invented"}-${i + 1}`, kind, exists, name, question };
  });
}

interface Inventing {
  readonly things: KnownThings;
  /** Words that were given already. */
  readonly taken: Set<string>;
  readonly isKnown: KnownWord;
  readonly random: RandomSource;
}

function inventedName(kind: QueryKind, index: number, inventing: Inventing): string {
  const samples = inventing.things[LIKE[kind] ?? kind];
  if (kind === "person") {
    const [given, family] = [0, 1].map((part) =>
      samples.map((name) => name.split(" ")[part] ?? "")
    );
    return `${newWord(given!, inventing)} ${newWord(family!, inventing)}`;
  }
  const word = newWord(samples.flatMap((name) => name.split(/[ '’-]/u)), inventing);
  return kind === "species" ? `${word} ${ANIMALS[index % ANIMALS.length]}` : word;
}

/** A word like the samples that nobody uses, with a capital letter. */
function newWord(samples: readonly string[], { taken, isKnown, random }: Inventing): string {
  const draw = letterModel(samples);
  for (let i = 0; i < MOST_TRIES; i++) {
    const word = draw(random);
    const fits = word.length >= SHORTEST && word.length <= LONGEST && /^[a-z]+$/.test(word);
    if (!fits || taken.has(word) || USED_ELSEWHERE.has(word) || isKnown(word)) continue;
    taken.add(word);
    return word[0]!.toUpperCase() + word.slice(1);
  }
  throw new RangeError(
    `Cannot invent a name: ${MOST_TRIES} words drawn from ${samples.length} names are all in use.`,
  );
}
