/**
 * Builds questions of forced choice, orders them and parses their answers.
 * @module
 */
import { randomSource } from "../stats/random.ts";
import type { MinimalPair } from "./pair.ts";
import { interleaved } from "./select.ts";

export const ORDERS = ["A_gram", "B_gram"] as const;
export type Order = (typeof ORDERS)[number];
export type Letter = "A" | "B";

/**
 * The specification's question, optionally naming a language, with `{sentence1}` and `{sentence2}`
 * open.
 */
export function forcedChoiceTemplate(language?: string): string {
  const sentences = language ? `${language} sentences` : "sentences";
  return `Which of the following ${sentences} is grammatically correct? ` +
    "A: {sentence1} B: {sentence2} Answer with A or B only.";
}

/**
 * A user's question as a template: `{a}` and `{b}` are the two sentences, `{language}` the language's name.
 * @throws {SyntaxError} unless it has {a} and then {b}, each once, and a language where it names one.
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

/** The question for one pair in one order. @throws {SyntaxError} unless the template has each place once. */
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

/** Reasons why an answer chose nothing; `cut`: the token limit ended it before it did. */
export const INVALID_REASONS = ["empty", "refusal", "both_letters", "no_letter", "cut"] as const;
export type InvalidReason = (typeof INVALID_REASONS)[number];

/** Choice of an answer. An answer that chose nothing keeps its text; it is never given a letter. */
type Choice =
  | { readonly kind: "choice"; readonly letter: Letter }
  | { readonly kind: "invalid"; readonly raw: string; readonly reason: InvalidReason };

const REFUSAL =
  /\b(?:as an ai|ai language model|(?:i|we) (?:cannot|can['’]t|can not|could not|am unable|am not able|won['’]t)|i['’]m (?:sorry|unable|not able)|i am sorry|i apologi[sz]e|unable to (?:determine|answer|judge|say))/i;

/** No letter, mark or digit on either side: the a of "á" written apart, or of "Ab", is no answer. */
const ALONE = String.raw`(?![\p{L}\p{M}\p{N}])`;
const FREE = String.raw`(?<![\p{L}\p{M}\p{N}])`;
const NOUN = "(?:answer|option|choice|sentence|one)";

/** Pattern after a lower-case letter, lest "option a bit…" or "the answer is a guess" count. */
const SMALL = String.raw`[ab]${ALONE}(?=\s*(?:[.,;:!)\]]|$))`;
const LETTER = String.raw`[(\[]?(?<letter>(?-i:[AB])${ALONE}|${SMALL})`;

/** Pattern of an answer that is only the letter. */
const WHOLE = /^[([]?(?<letter>[ab])[)\]]?[.:,;!)]*$/iu;

/**
 * Pattern of a letter that labels what follows, or is alone on the first line: "B: …", "(B) …",
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

/** Later labels ("B:", "(B)", and "B." where a sentence begins): who repeats both options chose none. */
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
 * Parses the letter of an answer, strictly.
 *
 * The letter counts where it is the whole answer ("(B)"), labels it ("B: Hánum líkaði þat."), or is
 * stated to be the one ("B is correct"). Everything else is invalid: both letters, refusals,
 * nothing, the English article ("A language model…"). Emphasis, code marks, markup of any depth,
 * leaked end tokens and thinking before the answer are skipped.
 * @param thinkingTags Names of tags around thinking, besides {@link THINKING_TAGS}.
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

/** Tags between which models think, as `<think>` or `[THINK]`. */
const THINKING_TAGS = ["think", "thinking", "thought", "reasoning", "reflection"] as const;

/**
 * Beginning of Harmony's final channel, with its tokens or, where a server drops these, without.
 */
const FINAL_CHANNEL = /<\|channel\|>\s*final.*?<\|message\|>|(?<=^analysis.*)assistantfinal/gsu;
const OTHER_CHANNEL = /^\s*(?:<\|start\|>\w*)?<\|channel\|>|^analysis(?=[\p{Lu}\s])/u;

/** End tokens, `<|im_end|>`, `</s>`, `<｜end▁of▁sentence｜>`: text after the first is no answer. */
const END_TOKEN = /<[|｜][^<>|｜]+[|｜]>|<\/s>|<eos>|<end_of_turn>|\[\/INST\]/u;

/** The answer without what is thought before it. */
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

/** In which orders pairs are asked: each in both, or each in one, half the pairs in either. */
export const ORDER_DESIGNS = ["both", "counterbalanced"] as const;
export type OrderDesign = (typeof ORDER_DESIGNS)[number];

/** The orders in which a pair is asked; none for a pair that is left out. */
export type OrderPlan = (pairId: string) => readonly Order[];
type Placed = Pick<MinimalPair, "id" | "phenomenon">;

export const bothOrders: OrderPlan = () => ORDERS;

/**
 * One order a pair, drawn by seed: within each phenomenon the two orders differ by at most one
 * pair, and so they do over all pairs. It knows no model, so that all are asked alike, and its
 * questions are among those of {@link bothOrders}: a run can be completed later.
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

/** The orders of a design. The seed counts for `counterbalanced` alone. */
export function orderPlan(design: OrderDesign, pairs: readonly Placed[], seed: number): OrderPlan {
  return design === "both" ? bothOrders : counterbalancedOrders(pairs, seed);
}

/** Returns true if a plan asks about a pair; other pairs are not scored either. */
export function isAsked(orders: OrderPlan): (pair: Pick<MinimalPair, "id">) => boolean {
  return ({ id }) => orders(id).length > 0;
}

/** A plan for `count` pairs only: the first of each phenomenon in turn, so that few are still of all. */
export function firstPairs(plan: OrderPlan, pairs: readonly Placed[], count: number): OrderPlan {
  const inTurn = interleaved(Map.groupBy(pairs, ({ phenomenon }) => phenomenon).values());
  const kept = new Set(inTurn.slice(0, count).map(({ id }) => id));
  return (pairId) => (kept.has(pairId) ? plan(pairId) : []);
}
