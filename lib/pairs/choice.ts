import type { Letter } from "./forced_choice.ts";

/** Why an answer is no choice. */
export type InvalidReason = "empty" | "refusal" | "both_letters" | "no_letter";

/** What an answer chose. An answer that chose nothing keeps its text; it is never given a letter. */
export type Choice =
  | { readonly kind: "choice"; readonly letter: Letter }
  | { readonly kind: "invalid"; readonly raw: string; readonly reason: InvalidReason };

const REFUSAL =
  /\b(?:as an ai|ai language model|(?:i|we) (?:cannot|can['’]t|can not|could not|am unable|am not able|won['’]t)|i['’]m (?:sorry|unable|not able)|i am sorry|i apologi[sz]e|unable to (?:determine|answer|judge|say))/i;

/** No letter, mark or digit on either side: the a of "á" written apart, or of "Ab", is no answer. */
const ALONE = String.raw`(?![\p{L}\p{M}\p{N}])`;
const FREE = String.raw`(?<![\p{L}\p{M}\p{N}])`;
const NOUN = "(?:answer|option|choice|sentence|one)";
/** What may stand behind a small letter, lest "option a bit…" or "the answer is a guess" count. */
const SMALL = String.raw`[ab]${ALONE}(?=\s*(?:[.,;:!)\]]|$))`;
const LETTER = String.raw`[(\[]?(?<letter>(?-i:[AB])${ALONE}|${SMALL})`;

/** The letter is all that is said. */
const WHOLE = /^[([]?(?<letter>[ab])[)\]]?[.:,;!)]*$/iu;
/** The letter labels what follows, or stands on the first line alone: "B: …", "(B) …", "B\n…". */
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
/** "A or B", "A/B", "neither A nor B", "A B": whatever is said around it, it names both. */
const COORDINATED = new RegExp(
  String
    .raw`${FREE}(?:A|B)[)\]]?(?:\s*(?:or|nor|and|[/&+,])\s*|\s+)(?:${NOUN}\s+)?[(\[]?(?:A|B)${ALONE}`,
  "u",
);

/**
 * Reads the letter out of an answer, strictly: it counts where it is the whole answer ("B", "b.",
 * "(B)"), where it labels the answer ("B: Hánum líkaði þat."), or where the answer says that it is
 * the one ("The answer is B.", "Option B", "B is correct"). Everything else is invalid: both
 * letters, refusals, nothing, and the English article ("A language model…"). Emphasis, code marks
 * and a `<think>` part before the answer are looked through.
 */
export function parseChoice(text: string): Choice {
  const invalid = (reason: InvalidReason): Choice => ({ kind: "invalid", raw: text, reason });
  const answer = visibleAnswer(text);
  if (answer === "") return invalid("empty");
  const whole = WHOLE.exec(answer)?.groups?.letter;
  if (whole) return { kind: "choice", letter: upper(whole) };
  if (REFUSAL.test(answer)) return invalid("refusal");
  if (COORDINATED.test(answer)) return invalid("both_letters");
  const [letter, ...others] = claimedLetters(answer);
  if (letter === undefined) return invalid(namesBoth(answer) ? "both_letters" : "no_letter");
  return others.length > 0 ? invalid("both_letters") : { kind: "choice", letter };
}

function visibleAnswer(text: string): string {
  return text.normalize("NFC")
    // A part that was never closed was cut off by the limit of tokens: what it says is no answer.
    .replace(/^\s*<think>.*?(?:<\/think>|$)/su, "")
    .replace(/\\boxed\{([^}]*)\}|\\text\{([^}]*)\}/gu, "$1$2")
    .replace(/[*_`"“”„«»$]|(?<!\p{L})['‘’]|['‘’](?!\p{L})/gu, "")
    .trim();
}

/** The different letters that an answer claims. */
function claimedLetters(answer: string): readonly Letter[] {
  const letters = new Set<Letter>();
  const label = LABEL.exec(answer)?.groups;
  const labelled = label?.bracketed ?? label?.small ?? label?.plain;
  if (labelled) {
    letters.add(upper(labelled));
    for (const [, marked, stopped] of answer.matchAll(OTHER_LABEL)) {
      letters.add(upper(marked ?? stopped ?? ""));
    }
    if (/\n\s*[([]?[AB][)\].]?\s*$/u.test(answer)) letters.add(upper(lastLetter(answer)));
  }
  for (const claim of CLAIMS) {
    for (const { groups } of answer.matchAll(claim)) letters.add(upper(groups?.letter ?? ""));
  }
  return [...letters];
}

function lastLetter(answer: string): string {
  return /([AB])[)\].]?\s*$/u.exec(answer)?.[1] ?? "";
}

function namesBoth(answer: string): boolean {
  return ["A", "B"].every((letter) => new RegExp(`${FREE}${letter}${ALONE}`, "u").test(answer));
}

function upper(letter: string): Letter {
  return letter.toUpperCase() === "A" ? "A" : "B";
}
