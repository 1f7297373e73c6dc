/** Gender agreement of adjectives, participles, demonstratives and numerals with their noun. */
import { flag, name, oneOf, type RowOf, table, text, wholeNumber } from "../../files/table.ts";
import { certifyParsed, changedLine, marksOf } from "./contrasts.ts";
import { wordThatCouldBe } from "./nouns.ts";
import { CELLS, decline, formatCell, type ParadigmCell, parseCell } from "./paradigms.ts";
import { type DeclensionClass, DEMONSTRATIVES, type Gender, GENDERS, MODIFIERS } from "./rules.ts";
import { couldBeChanged, fromIast, toIast } from "./sounds.ts";
import { OURS, SANSKRIT_PATHS } from "./study.ts";
import { exchangeForm } from "./verbs.ts";
import { LINE_LABELS, type Verse } from "./verses.ts";

export const MODIFIER_TREEBANK = table({
  path: SANSKRIT_PATHS.modifierTreebank,
  about:
    "a language model instructed as a Sanskritist, 23 November 2026: parses of modifiers and predicates that agree with a noun of their line",
  licence: OURS,
  maker: "what data/README.md names",
  columns: {
    verse: name("id of the verse in `verses.csv`"),
    line: oneOf(LINE_LABELS, "label of the line: a, b or c"),
    token: wholeNumber("position of the word that ends with the modifier, from 1", { min: 1 }),
    modifier: name("stem of the modifier, as in `rules/modifiers.csv`"),
    cell: name("case, number and gender, for example `acc.sg.n`"),
    noun: name("noun that the modifier agrees with, IAST in pausa"),
    noun_token: wholeNumber("position of the subject, from 1", { min: 1 }),
    role: oneOf(["attribute", "predicate"], "syntactic role of the modifier"),
    another: text("another word of the verse that agrees with the changed form; may be empty"),
    doubtful: flag("True where the reader was in doubt; such a word is in no pair"),
  },
  key: ({ verse, line, token, modifier }) => `${verse}.${line}.${token}.${modifier}`,
});
export type ParsedModifier = RowOf<typeof MODIFIER_TREEBANK>;
type Modifier = RowOf<typeof MODIFIERS>;

const BY_STEM = new Map(MODIFIERS.read().map((row) => [row.stem, row]));
const IRREGULAR = DEMONSTRATIVES.read();

/**
 * Returns a modifier's forms in one gender and cell.
 * The usual form comes first; the list is empty if no table has the modifier.
 */
export function formsOf(modifier: Modifier, gender: Gender, cell: ParadigmCell): readonly string[] {
  if (modifier.kind === "demonstrative" || modifier.kind === "numeral") {
    return IRREGULAR.filter((row) =>
      row.stem === modifier.stem && row.case === cell.case && row.number === cell.number
    ).map((row) => row[gender]);
  }
  const isFeminine = gender === "feminine";
  const stem = isFeminine ? modifier.feminine : modifier.stem;
  const isPronominal = modifier.kind === "pronominal";
  const declension: DeclensionClass = isPronominal
    ? `pronominal_${gender}`
    : isFeminine
    ? stem.endsWith("ī") ? "ī_feminine" : "ā_feminine"
    : `a_${gender}`;
  return decline(stem, declension).forms(cell);
}

/** Returns every gender and cell that a form of this modifier can be. */
function readingsOf(modifier: Modifier, form: string): readonly string[] {
  return GENDERS.flatMap((gender) =>
    CELLS.filter((cell) => formsOf(modifier, gender, cell).includes(form))
      .map((cell) => `${formatCell(cell)}.${gender[0]}`)
  );
}

type ModifierRejectionReason =
  | "reader_in_doubt"
  | "same_form"
  | "adverb_reading"
  | "stands_alone"
  | "another_subject"
  | "form_of_another_word"
  | "apart_from_its_noun"
  | "another_noun"
  | "hidden_by_sandhi"
  | "sandhi_would_change";
type Fault = readonly [reason: ModifierRejectionReason, detail: string];

/**
 * Returns the wrong gender: feminine for masculine or neuter, masculine for feminine.
 * The neuter does not serve: a neuter singular may be an adverb or a noun, and then is no error.
 */
const otherGender = (gender: Gender): Gender => gender === "feminine" ? "masculine" : "feminine";

/**
 * Returns the changed gender and cell. A dual changes number instead of gender: to singular, or to
 * plural for a demonstrative. A dual numeral stays dual and changes gender.
 */
function changeOf(
  modifier: Modifier,
  gender: Gender,
  cell: ParadigmCell,
): readonly [Gender, ParadigmCell] {
  if (cell.number !== "dual") return [otherGender(gender), cell];
  if (modifier.kind === "numeral") {
    return [gender === "neuter" ? "masculine" : otherGender(gender), cell];
  }
  return [gender, { ...cell, number: modifier.kind === "demonstrative" ? "plural" : "singular" }];
}

/**
 * Returns the token with another modifier gender, or an objection.
 * `lines` are the whole verse. Pure. The reasons why the change is no error are tested in this
 * order:
 * - the reader was in doubt;
 * - the form agrees as well;
 * - a pronoun may go with an understood noun, "in all (quarters)";
 * - the modifier or its noun is also an adverb (accusative singular in -am, trividhā "in three
 * ways") or a noun;
 * - a word of the verse has its gender, case and number, according to the reader, the lexicon or
 * its ending; or gatim is understood;
 * - it is an oblique attribute that may stand as a noun or is not adjacent to its noun;
 * - sandhi conceals it or would change.
 */
export function contrastModifier(
  parsed: ParsedModifier,
  modifier: Modifier,
  line: string,
  lines: readonly string[] = [line],
): { readonly written: string; readonly form: string; readonly cells: readonly string[] } | Fault {
  const [gender, cell] = genderAndCell(parsed);
  const [to, toCell] = changeOf(modifier, gender, cell);
  const [from] = formsOf(modifier, gender, cell);
  const [form] = formsOf(modifier, to, toCell);
  if (parsed.doubtful) return ["reader_in_doubt", parsed.noun];
  if (from === undefined || form === undefined) return ["same_form", "no such form"];
  const cells = readingsOf(modifier, form);
  if (form === from || cells.includes(parsed.cell)) return ["same_form", form];
  // imāṃ jñānam upāśritya: “to her, to knowledge”.
  const standsAlone = modifier.kind === "pronominal" ||
    modifier.kind === "demonstrative" && cell.number !== "dual";
  if (standsAlone) return ["stands_alone", form];
  // puṣpitaṃ vācaṃ vadanti: “floridly”; sukham uttamopaiti: “easily the best woman comes”.
  const isAttribute = parsed.role === "attribute";
  const isAdverb = ["adjective", "participle"].includes(modifier.kind) &&
      to === "masculine" && formatCell(cell) === "acc.sg" ||
    modifier.kind === "adjective" && /vidhā$/u.test(form) ||
    isAttribute && /^(?:su|duḥ)kham$/u.test(parsed.noun);
  if (isAdverb) return ["adverb_reading", form];
  // A masculine as predicate may denote the person meant: “who holds it, he is passionate”.
  if (to === "masculine" && parsed.role === "predicate") return ["another_subject", form];
  // kulakṣayakṛtām is also “of those who destroy the family”: a root noun in -t (Whitney § 383).
  // saṃsthā and apratiṣṭhā are also nouns of action, “an abiding in himself”; rakṣitā is also “a guardian”.
  // samām is also “for a year”.
  // yogasañjñitā is also “that it is named yoga”, of sañjñin.
  if (/[kh]ṛtām$|sañjñitām?$|(?:sth|ṣṭh)ām?$|rakṣitā$|^samām$/u.test(form)) {
    return ["form_of_another_word", form];
  }
  if (parsed.another !== "") return ["another_noun", parsed.another];
  const words = lines.map((text) => text.split(" ").map(toIast));
  const another = wordThatCouldBe(toCell, [to], words) ??
    (to === "feminine"
      ? words.flat().find((word) => FEMININE[formatCell(toCell)]?.test(word))
      : undefined);
  if (another !== undefined && to !== gender) return ["another_noun", another];
  // icchādveṣasamutthayā: “by her who has come of desire and hate, by delusion”.
  const isDirect = toCell.case === "nominative" || toCell.case === "accusative";
  if (!isDirect && isAttribute) return ["stands_alone", form];
  const tokens = line.split(" ").map(toIast);
  // padaṃ gacchanty anāmayām: “to a place they go, to the path (gatim) without illness”.
  const going = to === "feminine" && formatCell(toCell) === "acc.sg" && isAttribute
    ? tokens.find((word) => GOING.test(word))
    : undefined;
  if (going !== undefined) return ["another_noun", `gatim with ${going}`];
  const between = tokens.slice(
    Math.min(parsed.token, parsed.noun_token),
    Math.max(parsed.token, parsed.noun_token) - 1,
  );
  if (isAttribute && between.some((word) => word !== "ca")) {
    return ["apart_from_its_noun", between.join(" ")];
  }
  const [token, next] = [tokens[parsed.token - 1]!, tokens[parsed.token]];
  const written = exchangeForm(token, from, form, next);
  if (written === undefined) return ["sandhi_would_change", form];
  // A visarga may have been lost: -ā of a singular, -āḥ of a plural.
  const isHidden = couldBeChanged(written, next) && readingsOf(modifier, `${form}ḥ`).length > 0;
  if (isHidden) return ["hidden_by_sandhi", form];
  const first = `${formatCell(toCell)}.${to[0]}`;
  return { written, form, cells: [first, ...cells.filter((other) => other !== first)] };
}

/** Verbs of motion that take a path or goal. */
const GOING = /y[āa]nti$|yāti$|gacchant[iy]|gacchati|paiti|viśant[iy]/u;

/** Endings of action nouns in -ti, in the lexicon or not: kṣāntir, gatiṃ. */
const FEMININE: Readonly<Record<string, RegExp>> = {
  "nom.sg": /(?:t|ṭ|dh)i[ḥrsś]/u,
  "acc.sg": /(?:t|ṭ|dh)i[mṃ]/u,
};

function genderAndCell({ cell }: ParsedModifier): readonly [Gender, ParadigmCell] {
  const [kase, number, letter] = cell.split(".");
  const gender = GENDERS.find((name) => name[0] === letter);
  if (gender === undefined) throw new SyntaxError(`Cannot read "${cell}": write it as acc.sg.n.`);
  return [gender, parseCell(`${kase}.${number}`)];
}

/**
 * Changes the gender of every parsed modifier.
 * Each change is certified or refused with the reason. Pure.
 */
export function modifierContrasts({ verses }: { readonly verses: readonly Verse[] }) {
  return certifyParsed(
    verses,
    MODIFIER_TREEBANK.read(),
    (parsed, verse, line) => {
      const modifier = BY_STEM.get(parsed.modifier);
      if (modifier === undefined) return undefined;
      const lines = verse.lines.map(({ text }) => text);
      const outcome = contrastModifier(parsed, modifier, line, lines);
      if ("written" in outcome) return [propose(parsed, modifier, verse, line, outcome)];
      const [reason, why] = outcome;
      const detail = `${parsed.modifier} ${parsed.cell}: ${why}`;
      return [{ phenomenon: "adjective_agreement", reason, detail }];
    },
    ({ verse, line, modifier }) =>
      `Cannot read ${MODIFIER_TREEBANK.path}: ${verse}.${line} ${modifier} ` +
      "is not in modifiers.csv, or there is no such line. Mend the row, or add the stem.",
  );
}

/** Returns the line with the changed modifier as a proposal. */
function propose(
  parsed: ParsedModifier,
  modifier: Modifier,
  verse: Verse,
  text: string,
  { written, form, cells }: Exclude<ReturnType<typeof contrastModifier>, Fault>,
) {
  const changed = fromIast(written);
  const line = changedLine(verse, text, parsed.token, changed);
  const [gender, cell] = genderAndCell(parsed);
  const other = GENDERS.find((name) => cells[0]!.endsWith(`.${name[0]}`))!;
  const number = parseCell(cells[0]!.slice(0, 6)).number;
  const isGender = other !== gender;
  return {
    ...line,
    phenomenon: "adjective_agreement" as const,
    errorType: isGender ? `${gender}_to_${other}` : `${cell.number}_to_${number}`,
    rule: isGender ? "SK_GENDER" : "SK_DUAL",
    lemma: modifier.stem,
    construction: `${isGender ? "gender" : "dual"} ${parsed.role} ${modifier.kind} ${
      formatCell(cell)
    }`,
    cellFrom: parsed.cell,
    cellTo: cells.join("/"),
    checks: [
      `it agrees with ${parsed.noun} (${parsed.role}), ${parsed.cell}, in the same line`,
      "no cell of the new form agrees with it",
      `no word of the verse is ${cells[0]}, which it could go with`,
      "the new form is no adverb",
      "neither neighbour's sandhi changes, and none hides the form",
    ],
    marks: marksOf(changed, line.target),
    explanation:
      `${fromIast(form)} is ${isGender ? other : number}, and ${fromIast(parsed.noun)}, ` +
      `which it is to agree with, ${isGender ? gender : cell.number}.`,
    tier: parsed.role === "predicate" ? 1 as const : 2 as const,
  };
}
