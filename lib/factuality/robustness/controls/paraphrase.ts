import { type EnglishToken, readEnglish } from "../../claims/english.ts";
import { changeBetween, oneOf, type TextChange, type VariantRule } from "../variant.ts";

const WORD = "\\p{Lu}[\\p{L}-]*";
/** "Since" and its like begin a sentence with a capital, and are no part of a name. */
const OWNER = "(?!(?:Under|Since|After|Following|In|On|With|During|By|From|Despite|Although|When|" +
  "While|As|At|Before|Until|Through|Of|And|For|Like|Both)\\b)" +
  `(?:(?:[Tt]he )?${WORD}(?: ${WORD})*|[Tt]he \\p{Ll}+)`;

/** What belongs to a place whichever way it is said: "the island of Bali" is not Bali's. */
const BELONGINGS = "capital|population|government|president|economy|parliament|constitution|" +
  "borders?|coast|coastline|territory|leader|people|king|army|military|flag|history|area|" +
  "inhabitants|ruler|legislature|prime minister|climate|anthem|currency|total area|land area|" +
  "highest point|mean elevation|official language|birth rate|death rate|chief export|" +
  "main agricultural product|national anthem|fertility rate|voting age|railway network";

const OF = new RegExp(
  `(?<![\\p{L}] of )[Tt]he (${BELONGINGS}) of (${OWNER})(?![\\p{L}'’-]| \\p{Lu}| and )`,
  "gu",
);
const OWNERS = new RegExp(
  `(?<![\\p{L}'’-]|\\b(?:of|and) |\\b[Tt]he |\\p{Lu}[\\p{L}-]* )(${OWNER})['’]s? (?=\\p{Ll})`,
  "gu",
);

/** The same in other words: "the capital of Y" ↔ "Y's capital", "A was ruled by B" ↔ "B ruled A". */
export const paraphrase: VariantRule = (text, _tools, random) => {
  const possessives = [...ownersFirst(text), ...ownersLast(text)];
  const voices = otherVoice(text);
  return voices.length > 0 ? oneOf(voices, random) : oneOf(possessives, random);
};

function ownersFirst(text: string): readonly TextChange[] {
  return [...text.matchAll(OF)].map(({ 0: whole, 1: thing, 2: owner, index }) => {
    const name = index === 0 ? capital(owner!) : owner!;
    const to = `${name}${/s$/u.test(name) ? "'" : "'s"} ${thing}`;
    return { start: index, end: index + whole.length, to };
  });
}

function ownersLast(text: string): readonly TextChange[] {
  const { tokens } = readEnglish(text);
  return [...text.matchAll(OWNERS)].flatMap(({ 0: whole, 1: owner, index }) => {
    const from = index + whole.length;
    const thing = nounPhrase(tokens.filter(({ start }) => start >= from));
    if (thing === undefined || /^(?:the )?(?:it|that|there|he|she|let)$/iu.test(owner!)) return [];
    const the = index === 0 ? "The" : "the";
    const name = owner!.replace(/^The /u, "the ");
    const words = text.slice(from, thing.end);
    return [{ start: index, end: thing.end, to: `${the} ${words} of ${name}` }];
  });
}

/** Adjectives and nouns up to the last noun; undefined where more belongs to it. */
function nounPhrase(tokens: readonly EnglishToken[]): EnglishToken | undefined {
  const end = tokens.findIndex(({ partOfSpeech }) => !/^(?:ADJ|NOUN)$/u.test(partOfSpeech));
  const last = tokens[(end < 0 ? tokens.length : end) - 1];
  const next = end < 0 ? undefined : tokens[end];
  if (end === 0 || last?.partOfSpeech !== "NOUN") return undefined;
  return next === undefined || /^(?:AUX|VERB|PUNCT|ADP)$/u.test(next.partOfSpeech) &&
      !/^(?:of|for|-|['’]s?)$/u.test(next.normal)
    ? last
    : undefined;
}

const THING = "(?:(?:[Tt]he |[Aa]n? )?[\\p{L}'’.-]+(?: [\\p{L}'’.-]+){0,4})";
const WHEN = "( (?:in|on|during|until|since) [^,;]{3,30})?";
const PASSIVE = new RegExp(
  `^(${THING}) (?:was|were) (\\p{Ll}+ed|held|led|built|won|overthrown) by (${THING}?)${WHEN}\\.$`,
  "u",
);
const ACTIVE = new RegExp(
  `^(${THING}) (\\p{Ll}+ed|held|led|built|won) (the \\p{Lu}?[\\p{L} -]+?|\\p{Lu}[\\p{L} -]+?)${WHEN}\\.$`,
  "u",
);
const TRANSITIVE =
  /^(?:colonized|annexed|occupied|invaded|defeated|ruled|conquered|captured|seized|recognized|discovered|founded|settled|controlled|administered|won|held|built|led|adopted|established|purchased|acquired|designed|composed|explored|destroyed|overthrown|introduced|launched|signed|hosted|created|developed|operated|claimed|abolished)$/u;

function otherVoice(text: string): readonly TextChange[] {
  const passive = PASSIVE.exec(text);
  if (passive !== null && TRANSITIVE.test(passive[2]!)) {
    const [, thing, verb, doer, when = ""] = passive as unknown as string[];
    const past = verb === "overthrown" ? "overthrew" : verb;
    return isPlain(thing!) && isPlain(doer!)
      ? [changeBetween(text, `${capital(doer!)} ${past} ${small(thing!)}${when}.`)]
      : [];
  }
  const active = ACTIVE.exec(text);
  if (active === null || !TRANSITIVE.test(active[2]!)) return [];
  const [, doer, verb, thing, when = ""] = active as unknown as string[];
  const be = /s$/u.test(thing!) && !/ss$/u.test(thing!) ? "were" : "was";
  return isPlain(doer!) && isPlain(thing!)
    ? [changeBetween(text, `${capital(thing!)} ${be} ${verb} by ${small(doer!)}${when}.`)]
    : [];
}

/** Without a verb or clause of its own. */
const isPlain = (words: string) =>
  !/\b(?:and|or|which|that|who|is|was|were|be|to|by|not|been|being|after|when|it|from|into|with|for|as|at|on|in)\b/u
    .test(words) &&
  readEnglish(words).tokens.every(({ partOfSpeech }) =>
    !/^(?:VERB|AUX|PRON|ADV)$/u.test(partOfSpeech)
  );

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
const small = (words: string) =>
  words.replace(/^(?:The|A|An) /u, (article) => article.toLowerCase());
