import type { ClaimNote } from "./claim.ts";
import { type Clause, type ClauseParts, partsOf, subjectOf, wordsText } from "./clause.ts";
import { isName } from "./noun_phrase.ts";
import { isFinite } from "./verb_forms.ts";
import { isPersonName, saysPerson } from "./people.ts";
import { isPerson } from "./split_occupations.ts";
import { isPossessive, suppliedWord, type Word } from "./word.ts";

type Gender = "he" | "she" | "it" | "they";

/** Whom a pronoun would mean, as far as the text has got. */
export interface Focus {
  /** The last named subject, in its fullest form so far. */
  readonly name: string;
  /** How the text speaks of it; undefined while it has not said. */
  readonly gender: Gender | undefined;
  /** The text has said something of it that is said of people. */
  readonly isPerson: boolean;
  /** Another subject or person has been named since: a pronoun could mean either. */
  readonly rivals: ReadonlySet<Gender>;
}

/** A clause with its pronoun put right or marked, and what the next one is read with. */
export interface Resolved {
  readonly clause: Clause;
  readonly focus: Focus | undefined;
}

const GENDERS: Readonly<Record<string, Gender>> = {
  he: "he",
  his: "he",
  him: "he",
  she: "she",
  her: "she",
  it: "it",
  its: "it",
  they: "they",
  their: "they",
};
const POINTING = ["this", "that", "these", "those"];
const MALE = /^(?:actor|king|prince|father|son|brother|husband|sir|mr\.?|lord|man|duke|emperor)$/;
const FEMALE =
  /^(?:actress|queen|princess|mother|daughter|sister|wife|mrs\.?|ms\.?|miss|lady|woman|empress|duchess)$/;

/** Reads the pronoun of a clause's subject: as the last named subject where nothing speaks against. */
export function resolvePronoun(clause: Clause, focus: Focus | undefined): Resolved {
  const parts = partsOf(clause.words);
  if (!parts) return { clause, focus };
  const { subjectStart, subjectEnd } = parts;
  const subject = subjectOf(clause.words, parts);
  const first = subject[0]!;
  if (POINTING.includes(first.normal) && subjectEnd === subjectStart + 1) {
    return { clause: unresolved(clause, first), focus };
  }
  const at = pronounIn(clause.words, parts);
  const gender = at === undefined ? undefined : GENDERS[clause.words[at]!.normal];
  if (at === undefined || gender === undefined) {
    return { clause, focus: clause.aside ? focus : refocused(clause.words, subject, focus) };
  }
  const pronoun = clause.words[at]!;
  if (isExpletive(clause.words, parts)) return { clause, focus };
  const isLed = namesAnother(clause.words.slice(0, subjectStart));
  if (!focus || isLed || !fits(focus, gender)) {
    return { clause: unresolved(clause, pronoun), focus };
  }
  const resolved = withName(clause, at, focus.name, isPossessive(pronoun.normal));
  return { clause: resolved, focus: { ...focus, gender } };
}

/** "he" as the subject, or "his" within it where no name comes before ("some of his films"). */
function pronounIn(
  words: readonly Word[],
  { subjectStart, subjectEnd }: ClauseParts,
): number | undefined {
  for (let index = subjectStart; index < subjectEnd; index++) {
    const { partOfSpeech, normal, enclosed, own } = words[index]!;
    if (partOfSpeech === "PROPN" || enclosed && own) return undefined;
    const isWhole = subjectEnd === subjectStart + 1 && partOfSpeech === "PRON";
    if (normal in GENDERS && (isWhole || isPossessive(normal))) return index;
  }
  return undefined;
}

/** "Although Norway rejected it, …": a subject nearer than the last sentence's. */
function namesAnother(lead: readonly Word[]): boolean {
  return lead.some(({ partOfSpeech }) => partOfSpeech === "PROPN") &&
    lead.some((_, index) => index > 0 && isFinite(lead, index));
}

/** "It was discovered that": stands for nothing before it. */
function isExpletive(words: readonly Word[], parts: ClauseParts): boolean {
  return words[parts.subjectStart]!.normal === "it" && words[parts.verb]!.lemma === "be" &&
    words.slice(parts.verb, parts.main + 4).some(({ normal }) => ["that", "to"].includes(normal));
}

function fits({ gender, rivals, isPerson }: Focus, pronoun: Gender): boolean {
  if (rivals.has(pronoun)) return false;
  if (gender !== undefined) return gender === pronoun;
  return pronoun === "it" ? !isPerson : pronoun !== "they" && isPerson;
}

function unresolved(clause: Clause, { text }: Word): Clause {
  const note: ClaimNote = { kind: "pronoun unresolved", pronoun: text };
  return { ...clause, notes: [...clause.notes, note] };
}

function withName(clause: Clause, at: number, name: string, isOwner: boolean): Clause {
  const { text, spaced } = clause.words[at]!;
  const word = { ...suppliedWord(name, "PROPN"), spaced };
  const possessive = { ...suppliedWord("'s", "PART"), spaced: false };
  const words = [
    ...clause.words.slice(0, at),
    word,
    ...(isOwner ? [possessive] : []),
    ...clause.words.slice(at + 1),
  ];
  const note: ClaimNote = { kind: "pronoun resolved", pronoun: text, to: name };
  const notes = clause.notes.map((other) =>
    other.kind === "subject supplied" && other.subject === text
      ? { ...other, subject: name }
      : other
  );
  return { ...clause, words, notes: [...notes, note] };
}

function refocused(
  words: readonly Word[],
  subject: readonly Word[],
  focus: Focus | undefined,
): Focus | undefined {
  const isNamed = isName(subject) &&
    !subject.some(({ normal }) => normal === "and" || normal === "'s");
  if (!isNamed) return focus && withRivals(focus, subject);
  const said = wordsText(subject);
  const isSame = focus !== undefined && isFormOf(focus.name, said);
  const name = isSame && focus.name.length > said.length ? focus.name : said;
  const gender = genderSaid(words) ?? (isSame ? focus.gender : undefined);
  const isPerson = isSame && focus.isPerson || gender === "he" || gender === "she" ||
    isPersonName(subject) || saysPerson(words);
  return { name, gender, isPerson, rivals: new Set() };
}

/** A common noun as subject: "it" and "they" may mean that; of a person, "he" and "she" too. */
function withRivals(focus: Focus, subject: readonly Word[]): Focus {
  const last = subject.at(-1)!;
  const first = subject[0]!;
  if (last.partOfSpeech !== "NOUN" && last.partOfSpeech !== "PROPN") return focus;
  const rivals = new Set<Gender>(focus.rivals);
  rivals.add("it").add("they");
  if (MALE.test(last.normal)) rivals.add("he");
  if (FEMALE.test(last.normal)) rivals.add("she");
  if (first.partOfSpeech === "DET" && isPerson(last) || subject.some(isAnd)) {
    rivals.add("he").add("she");
  }
  return { ...focus, rivals };
}

function isAnd({ normal }: Word): boolean {
  return normal === "and";
}

/** What "is an actress", "was a king" says. */
function genderSaid(words: readonly Word[]): Gender | undefined {
  const parts = partsOf(words);
  const copula = parts && words[parts.verb]!.lemma === "be";
  if (!copula) return undefined;
  const noun = words.slice(parts.main + 1).find(({ partOfSpeech }, index, rest) =>
    partOfSpeech === "NOUN" && rest[index + 1]?.partOfSpeech !== "NOUN"
  );
  if (noun && FEMALE.test(noun.normal)) return "she";
  return noun && MALE.test(noun.normal) && noun.normal !== "actor" ? "he" : undefined;
}

/** "Ada Lovelace" and "Lovelace": the words of the one are among those of the other. */
function isFormOf(one: string, other: string): boolean {
  const plain = (name: string) => name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const [long, short] = [one, other].map((name) => plain(name).split(/\s+/))
    .sort((first, second) => second.length - first.length);
  return short!.every((word) => long!.includes(word));
}
