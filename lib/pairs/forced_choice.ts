/**
 * Forced-choice questions: templates, orders, and parsing of answers.
 * @module
 */
import { randomSource } from "../stats/random.ts";
import type { MinimalPair } from "./pair.ts";
import { interleaved } from "./select.ts";

export const ORDERS = ["A_gram", "B_gram"] as const;
export type Order = (typeof ORDERS)[number];
export type Letter = "A" | "B";

/**
 * Returns the specification's question as a template with `{sentence1}` and `{sentence2}`. It
 * optionally names a language.
 */
export function forcedChoiceTemplate(language?: string): string {
  const sentences = language ? `${language} sentences` : "sentences";
  return `Which of the following ${sentences} is grammatically correct? ` +
    "A: {sentence1} B: {sentence2} Answer with A or B only.";
}

/**
 * Converts a user's question to a template. `{a}` and `{b}` mark the sentences, `{language}` the
 * name of the language.
 * @throws {SyntaxError} unless it has {a} and then {b}, once each, and a language is given for
 * {language}.
 */
export function userTemplate(text: string, language?: string): string {
  const refuse = (what: string) => new SyntaxError(`Cannot use the template: ${what}.`);
  const places = [...text.matchAll(/\{(a|b)\}/g)].map(([, place]) => place).join("");
  if (places !== "ab") throw refuse("it must hold {a} and then {b}, each once");
  if (text.includes("{language}") && language === undefined) {
    throw refuse("it holds {language}; name one with --language");
  }
  return text.trim().replaceAll("{language}", language ?? "")
    .replace("{a}", "{sentence1}").replace("{b}", "{sentence2}");
}

export function grammaticalLetter(order: Order): Letter {
  return order === "A_gram" ? "A" : "B";
}

/**
 * Formats the question for one pair in one order.
 * @throws {SyntaxError} unless the template has each placeholder once.
 */
export function formatPrompt(
  template: string,
  { prefix = "", ...pair }: Pick<MinimalPair, "grammatical" | "ungrammatical" | "prefix">,
  order: Order,
): string {
  const [start, middle, end, ...more] = template.split(/\{sentence[12]\}/);
  const inOrder = template.indexOf("{sentence1}") < template.indexOf("{sentence2}");
  if (start === undefined || middle === undefined || end === undefined || more.length || !inOrder) {
    throw new SyntaxError(
      `Cannot ask "${template}": it must hold {sentence1} and then {sentence2}, each once.`,
    );
  }
  const [good, bad] = [pair.grammatical, pair.ungrammatical]
    .map((sentence) => prefix === "" ? sentence : `${prefix} ${sentence}`);
  const [a, b] = order === "A_gram" ? [good, bad] : [bad, good];
  return start + a + middle + b + end;
}

/** Reasons why an answer is invalid. `cut`: the token limit ended it before a choice. */
export const INVALID_REASONS = ["empty", "refusal", "both_letters", "no_letter", "cut"] as const;
export type InvalidReason = (typeof INVALID_REASONS)[number];

/** Parsed answer. An invalid one keeps its text. */
type Choice =
  | { readonly kind: "choice"; readonly letter: Letter }
  | { readonly kind: "invalid"; readonly raw: string; readonly reason: InvalidReason };

const REFUSAL =
  /\b(?:as an ai|ai language model|(?:i|we) (?:cannot|can['’]t|can not|could not|am unable|am not able|won['’]t)|i['’]m (?:sorry|unable|not able)|i am sorry|i apologi[sz]e|unable to (?:determine|answer|judge|say))/i;

/**
 * Patterns for a letter without adjacent letter, mark or digit. They exclude "Ab" and the
 * decomposed "á".
 */
const ALONE = String.raw`(?![\p{L}\p{M}\p{N}])`;
const FREE = String.raw`(?<![\p{L}\p{M}\p{N}])`;
const NOUN = "(?:answer|option|choice|sentence|one)";

/**
 * Pattern of a lower-case letter before punctuation or the end. It excludes "option a bit…" and
 * "the answer is a guess".
 */
const SMALL = String.raw`[ab]${ALONE}(?=\s*(?:[.,;:!)\]]|$))`;
const LETTER = String.raw`[(\[]?(?<letter>(?-i:[AB])${ALONE}|${SMALL})`;

/** Pattern of an answer that is only a letter. */
const WHOLE = /^[([]?(?<letter>[ab])[)\]]?[.:,;!)]*$/iu;

/**
 * Pattern of a letter that labels the rest, or that is the whole first line: "B: …", "(B) …",
 * "B\n…".
 */
const LABEL =
  /^(?:[([](?<bracketed>[ABab])[)\]]|(?<small>[ab])[:)]|(?<plain>[AB])(?:[:.,)]|\s+[-–—]|\s*\n))(?!\s*(?:is |are )?(?:not|no|in|wrong|incorrect|ungrammatical|false)(?!\p{L}))/u;

const CLAIMS = [
  // "answer: B", "the correct sentence is option B", "choice = (B)"
  new RegExp(
    String.raw`${FREE}${NOUN}\s*(?:is\s*:?|would be|[:=]|[-–—])\s*(?:${NOUN}\s+)?${LETTER}`,
    "giu",
  ),
  // "Option B", where a sentence begins and nothing follows, and "Option B: Hánum líkaði þat."
  new RegExp(
    String.raw`(?<=(?:^|[.!?:;\n])\s*)${NOUN}\s+${LETTER}(?=[)\]]?\s*(?:[.:!]|\n|$))`,
    "giu",
  ),
  // "B is correct", "sentence B is the grammatically correct one"
  new RegExp(
    String
      .raw`${FREE}(?<letter>(?-i:[AB]))[)\]]?\s+is\s+(?:(?:the|also|\p{L}+ly)\s+)*(?:correct|right|grammatical)${ALONE}`,
    "giu",
  ),
];

/**
 * Pattern of later labels: "B:", "(B)", and "B." at the start of a sentence. An answer that repeats
 * both options chooses neither.
 */
const OTHER_LABEL = /(?<![\p{L}\p{M}\p{N}])(?:([AB])[:)\]]|(?<=(?:^|[.!?:;\n])\s*)([AB])\.)/gu;

const A_ALONE = new RegExp(`${FREE}A${ALONE}`, "u");
const B_ALONE = new RegExp(`${FREE}B${ALONE}`, "u");

/** Pattern of answers that name both letters: "A or B", "A/B", "neither A nor B", "A B". */
const COORDINATED = new RegExp(
  String
    .raw`${FREE}(?:A|B)[)\]]?(?:\s*(?:or|nor|and|[/&+,])\s*|\s+)(?:${NOUN}\s+)?[(\[]?(?:A|B)${ALONE}`,
  "u",
);

/**
 * Parses the chosen letter of an answer, strictly.
 *
 * A letter counts if it is the whole answer ("(B)"), labels it ("B: Hánum líkaði þat."), or is
 * called correct ("B is correct"). All else is invalid: both letters, refusals, empty answers, the
 * English article ("A language model…"). Emphasis, code marks, nested markup, leaked end tokens and
 * thinking before the answer are ignored.
 * @param thinkingTags Names of tags around thinking, in addition to {@link THINKING_TAGS}.
 */
export function parseChoice(text: string, thinkingTags: readonly string[] = []): Choice {
  const invalid = (reason: InvalidReason): Choice => ({ kind: "invalid", raw: text, reason });
  const answer = visibleAnswer(text, [...THINKING_TAGS, ...thinkingTags]);
  if (answer === "") return invalid("empty");
  const whole = WHOLE.exec(answer)?.groups?.letter;
  if (whole) return { kind: "choice", letter: upper(whole) };
  if (REFUSAL.test(answer)) return invalid("refusal");
  if (COORDINATED.test(answer)) return invalid("both_letters");
  const [letter, ...others] = claimedLetters(answer);
  const namesBoth = others.length > 0 || (A_ALONE.test(answer) && B_ALONE.test(answer));
  if (letter !== undefined && others.length === 0) return { kind: "choice", letter };
  return invalid(namesBoth ? "both_letters" : "no_letter");
}

/** Names of tags around a model's thinking: `<think>` or `[THINK]`. */
const THINKING_TAGS = ["think", "thinking", "thought", "reasoning", "reflection"] as const;

/**
 * Beginning of the final channel in OpenAI's Harmony format, with or without its special tokens.
 */
const FINAL_CHANNEL = /<\|channel\|>\s*final.*?<\|message\|>|(?<=^analysis.*)assistantfinal/gsu;
const OTHER_CHANNEL = /^\s*(?:<\|start\|>\w*)?<\|channel\|>|^analysis(?=[\p{Lu}\s])/u;

/**
 * End tokens such as `<|im_end|>`, `</s>` and `<｜end▁of▁sentence｜>`. Text after the first is
 * ignored.
 */
const END_TOKEN = /<[|｜][^<>|｜]+[|｜]>|<\/s>|<eos>|<end_of_turn>|\[\/INST\]/u;

/** Removes thinking before the answer. Unfinished thinking leaves an empty answer. */
function afterThinking(text: string, tags: readonly string[]): string {
  const final = [...text.matchAll(FINAL_CHANNEL)].at(-1);
  if (final) return text.slice(final.index + final[0].length);
  // Thought that was never ended was cut off by the limit of tokens: what it says is no answer.
  if (OTHER_CHANNEL.test(text)) return "";
  return tags.reduce((rest, tag) => {
    const name = RegExp.escape(tag);
    const [open, close] = ["", "/"].map((mark) => `(?:<${mark}${name}>|\\[${mark}${name}\\])`);
    // A template may have opened the thought itself.
    return rest.replace(new RegExp(`^.*${close}`, "siu"), "")
      .replace(new RegExp(`^\\s*${open}.*$`, "siu"), "");
  }, text);
}

const MARKUP = /\\(?:boxed|fbox|text\w*|math\w*|emph|underline|bm)\s*\{([^{}]*)\}/gu;

function visibleAnswer(text: string, tags: readonly string[]): string {
  let answer = afterThinking(text.normalize("NFC"), tags).replace(/^(?:\s*<s>)+/u, "");
  answer = answer.split(END_TOKEN, 1)[0]!;
  // From the inside out: \boxed{\text{A}}.
  for (let before = ""; before !== answer;) {
    before = answer;
    answer = answer.replace(MARKUP, "$1");
  }
  return answer.replace(/\\[()[\]]/gu, "")
    .replace(/[*_`"“”„«»$]|(?<!\p{L})['‘’]|['‘’](?!\p{L})/gu, "")
    .trim();
}

function claimedLetters(answer: string): ReadonlySet<Letter> {
  const letters = new Set<Letter>();
  const label = LABEL.exec(answer)?.groups;
  const labelled = label?.bracketed ?? label?.small ?? label?.plain;
  if (labelled) {
    letters.add(upper(labelled));
    for (const [, marked, stopped] of answer.matchAll(OTHER_LABEL)) {
      letters.add(upper(marked ?? stopped ?? ""));
    }
    const last = /\n\s*[([]?([AB])[)\].]?\s*$/u.exec(answer)?.[1];
    if (last) letters.add(upper(last));
  }
  for (const claim of CLAIMS) {
    for (const { groups } of answer.matchAll(claim)) letters.add(upper(groups?.letter ?? ""));
  }
  return letters;
}

function upper(letter: string): Letter {
  return letter.toUpperCase() === "A" ? "A" : "B";
}

/** Designs of order: each pair in both orders, or counterbalanced, each pair in one. */
export const ORDER_DESIGNS = ["both", "counterbalanced"] as const;
export type OrderDesign = (typeof ORDER_DESIGNS)[number];

/** Returns the orders in which a pair is asked; empty for a pair that is not asked. */
export type OrderPlan = (pairId: string) => readonly Order[];
type Placed = Pick<MinimalPair, "id" | "phenomenon">;

export const bothOrders: OrderPlan = () => ORDERS;

/**
 * Assigns each pair one order at random by seed. The counts of the two orders differ by at most
 * one, within each phenomenon and overall. All models get the same questions. They are a subset of
 * {@link bothOrders}, so that a run can be completed later.
 */
export function counterbalancedOrders(pairs: readonly Placed[], seed: number): OrderPlan {
  const byPhenomenon = Map.groupBy(pairs, ({ phenomenon }) => phenomenon);
  const orderOf = new Map<string, readonly Order[]>();
  // The odd pair of a phenomenon: each time the other order, so that they even out.
  let odd = randomSource(`${seed}|odd`).integer(2);
  for (const [phenomenon, own] of [...byPhenomenon].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const ids = own.map(({ id }) => id).sort();
    const drawn = randomSource(`${seed}|${phenomenon}`).shuffle(ids);
    drawn.forEach((id, index) => orderOf.set(id, [ORDERS[(index + odd) % 2]!]));
    odd = (odd + drawn.length) % 2;
  }
  return (pairId) => orderOf.get(pairId) ?? [];
}

/** Returns the order plan of a design. Only `counterbalanced` uses the seed. */
export function orderPlan(design: OrderDesign, pairs: readonly Placed[], seed: number): OrderPlan {
  return design === "both" ? bothOrders : counterbalancedOrders(pairs, seed);
}

/** Returns a test whether a plan includes a pair. Other pairs are not scored either. */
export function isAsked(orders: OrderPlan): (pair: Pick<MinimalPair, "id">) => boolean {
  return ({ id }) => orders(id).length > 0;
}

/** Restricts a plan to `count` pairs, taken from the phenomena in turn. */
export function firstPairs(plan: OrderPlan, pairs: readonly Placed[], count: number): OrderPlan {
  const inTurn = interleaved(Map.groupBy(pairs, ({ phenomenon }) => phenomenon).values());
  const kept = new Set(inTurn.slice(0, count).map(({ id }) => id));
  return (pairId) => (kept.has(pairId) ? plan(pairId) : []);
}
