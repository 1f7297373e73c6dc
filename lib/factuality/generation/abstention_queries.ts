/** Questions about things that do not exist and, in the same words, about things that do. */
import { type RandomSource, randomSource } from "../../stats/random.ts";
import type { FactbookField } from "../retrieval/factbook.ts";
import { ABSTENTION_QUESTIONS, type AbstentionQuery, KNOWN_THINGS, QUERY_KINDS } from "./tables.ts";

type QueryKind = typeof QUERY_KINDS[number];

/** Shorter names are too often somebody's; longer ones read like a slip of the keyboard. */
const [SHORTEST, LONGEST] = [6, 9];
const MOST_TRIES = 2_000;

/** Whose names the letters of an invented one are learnt from, where its own kind has no names. */
const LIKE: Readonly<Partial<Record<QueryKind, QueryKind>>> = {
  species: "country",
  treaty: "city",
  battle: "city",
  film: "person",
};

/** What an invented species is; each is a word for real animals. */
const ANIMALS = ["heron", "gecko", "otter", "falcon", "viper", "marmot"];

/** Names that the reader of a list knew to be somebody's, though no source here has them. */
const USED_ELSEWHERE = ["tegali", "awiyya", "portown", "dunabe"];

/** Whether a word, in lower case, is one that somebody uses, or one letter away from such. */
type KnownWord = (word: string) => boolean;

/**
 * Queries of every kind, `perKind` of what exists and as many of what does not: false acceptance
 * means little without the refusals of what is there.
 * @throws {RangeError} where a kind has fewer known things, or where no new name comes up.
 */
export function abstentionQueries(
  fields: readonly FactbookField[],
  isKnown: KnownWord,
  perKind: number,
  seed: number,
): readonly AbstentionQuery[] {
  const things = knownThings(fields);
  const patterns = Map.groupBy(ABSTENTION_QUESTIONS.read(), ({ kind }) => kind);
  const taken = new Set(USED_ELSEWHERE);
  return QUERY_KINDS.flatMap((kind) => {
    const random = randomSource(`${seed}/abstention/${kind}`);
    const newWord = wordMaker(random, (word) => {
      const isNew = !taken.has(word) && !isKnown(word);
      if (isNew) taken.add(word);
      return isNew;
    });
    const asked = patterns.get(kind)!;
    const like = things[LIKE[kind] ?? kind];
    const invented = (index: number) => {
      const part = (at: number) => newWord(like.map((name) => name.split(" ")[at] ?? ""));
      if (kind === "person") return `${part(0)} ${part(1)}`;
      const word = newWord(like.flatMap((name) => name.split(/[ '’-]/u)));
      return kind === "species" ? `${word} ${ANIMALS[index % ANIMALS.length]}` : word;
    };
    const names = {
      real: random.sample(things[kind], perKind),
      invented: Array.from({ length: perKind }, (_, i) => invented(i)),
    };
    return (["real", "invented"] as const).flatMap((form) =>
      names[form].map((own, i) => {
        const name = asked[0]!.name.replace("{}", own);
        const question = asked[i % asked.length]!.question.replace("{}", name);
        return { id: `${kind}-${form}-${i + 1}`, kind, exists: form === "real", name, question };
      })
    );
  });
}

/** Makes words like some samples that nobody uses, with a capital letter. */
const wordMaker =
  (random: RandomSource, isNew: (word: string) => boolean) => (samples: readonly string[]) => {
    const draw = letterModel(samples);
    for (let i = 0; i < MOST_TRIES; i++) {
      const word = draw(random);
      const fits = word.length >= SHORTEST && word.length <= LONGEST && /^[a-z]+$/.test(word);
      if (fits && isNew(word)) return word[0]!.toUpperCase() + word.slice(1);
    }
    throw new RangeError(
      `Cannot invent a name: ${MOST_TRIES} words drawn from ${samples.length} names are all in use.`,
    );
  };

/** Letters that decide the next one: fewer make gibberish, more make copies. */
const CONTEXT = 2;
const [BEGIN, END] = ["\0", "\n"];

/** A Markov chain over letters (Shannon 1948, §3), each by the two before it. */
function letterModel(words: readonly string[]): (random: RandomSource) => string {
  const seen = words.filter((one) => one !== "").flatMap((word) => {
    const letters = [...BEGIN.repeat(CONTEXT), ...word.toLowerCase(), END];
    return letters.slice(CONTEXT)
      .map((letter, i) => ({ letter, context: letters.slice(i, i + CONTEXT).join("") }));
  });
  const followers = Map.groupBy(seen, ({ context }) => context);
  return (random) => {
    const drawn = [...BEGIN.repeat(CONTEXT)];
    while (drawn.at(-1) !== END) {
      // A context is always followed by something: it was read with what came after it.
      const next = followers.get(drawn.slice(-CONTEXT).join(""))!;
      drawn.push(next[random.integer(next.length)]!.letter);
    }
    return drawn.slice(CONTEXT, -1).join("");
  };
}

/** Names of things that exist, by kind, only the part that a kind's pattern leaves open. */
function knownThings(fields: readonly FactbookField[]) {
  const of = (field: string, subfield?: string) =>
    fields.filter((one) => one.field === field && (subfield ?? one.subfield) === one.subfield)
      .map(({ text }) => text);
  const parts = (texts: readonly string[], mark: RegExp) =>
    texts.flatMap((text) => text.split(mark));
  // Of more words most are in languages that say river or lake once more: "Hovsgol Nuur".
  const waters = (field: string) =>
    plainNames(
      parts(of(field), /;/u).map((text) =>
        // "Lake Tanganyika" and "Amazon river source" are asked about by the pattern of their kind.
        withoutNotes(text).replace(/^(?:Lake|Rio|River|Lago(?: de)?|Laguna(?: de)?)\s/u, "")
          .replace(/\s(?:river|River)\b.*$/u, "")
      ),
    ).filter((name) => /^\p{L}+$/u.test(name));
  const listed = KNOWN_THINGS.read();
  const list = (kind: string) => listed.filter((one) => one.kind === kind).map(({ name }) => name);
  const languages = parts(of("Languages", "Languages"), /[,;]/u)
    .map((text) => withoutNotes(text).replace(/\s*\d.*$/u, ""));
  return {
    species: list("species"),
    treaty: list("treaty"),
    battle: list("battle"),
    film: list("film"),
    country: plainNames(fields.map(({ country }) => country)),
    city: plainNames(of("Capital", "name").map(withoutNotes)),
    river: waters("Major rivers (by length in km)"),
    lake: waters("Major lakes (area sq km)"),
    language: plainNames(languages),
    person: plainNames(of("Executive branch", "chief of state").map(headOfState)),
  };
}

/** Plain names once each, in order: neither lists nor explanations. */
function plainNames(names: readonly string[]): readonly string[] {
  const plain = names.map((name) => name.trim())
    .filter((name) => /^\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,2}$/u.test(name));
  return [...new Set(plain)].sort();
}

/** Without brackets, lengths and notes: "Draa - 1,100 km". */
const withoutNotes = (text: string) =>
  text.replace(/\s+-\s.*$/u, "").replace(/\s*[([].*$/u, "").trim();

/** "President Abdelmadjid TEBBOUNE (since 2019)": given name and surname, this in capitals there. */
function headOfState(text: string): string {
  const title = /^(?:President|King|Queen|Emir|Sultan|Prince) /u;
  const [, given, family] =
    /^(\p{Lu}\p{Ll}+) (\p{Lu}{3,}) \(since/u.exec(text.replace(title, "")) ?? [];
  return given === undefined ? "" : `${given} ${family![0]}${family!.slice(1).toLowerCase()}`;
}

/** Shorter words are within one letter of almost anything. */
const SHORTEST_NEAR = 4;

/** Knows the words of texts and of a dictionary; one letter off counts, as a slip of the pen. */
export function knownWords(
  texts: Iterable<string>,
  inDictionary: (word: string) => boolean,
): KnownWord {
  const words = new Set<string>();
  for (const text of texts) {
    for (const [word] of plainLetters(text).matchAll(/[a-z]+/g)) words.add(word);
  }
  const isNear = (word: string) => word.length >= SHORTEST_NEAR && words.has(word);
  return (word) => {
    const plain = plainLetters(word);
    return words.has(plain) || inDictionary(plain) || oneEditAway(plain).some(isNear);
  };
}

/** Lower case, accents off: "São" is "sao". */
const plainLetters = (text: string) => text.normalize("NFD").replace(/\p{Mn}/gu, "").toLowerCase();

/** Every word that a letter left out, put in, changed or swapped with the next makes of one. */
function oneEditAway(word: string): readonly string[] {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  return Array.from({ length: word.length + 1 }, (_, i) => i).flatMap((i) => {
    const [before, after, rest] = [word.slice(0, i), word.slice(i), word.slice(i + 1)];
    return [
      ...letters.map((letter) => before + letter + after),
      ...after === "" ? [] : [before + rest, ...letters.map((letter) => before + letter + rest)],
      ...rest === "" ? [] : [`${before}${rest[0]}${after[0]}${rest.slice(1)}`],
    ];
  });
}

/** Ids of the third of the queries that the classifier may learn from, by their ids alone. */
export function developmentQueries(queries: readonly Pick<AbstentionQuery, "id">[]) {
  const ids = queries.map(({ id }) => id).sort();
  return new Set(randomSource("abstention/development").sample(ids, Math.round(ids.length / 3)));
}
