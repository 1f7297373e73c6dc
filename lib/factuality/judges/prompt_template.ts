import type { NextWords } from "../../models/next_word_model.ts";
import { ANSWER_FORMATS, type AnswerKind } from "./answer_schema.ts";

/** A filled template with its answer, shown before the question that is asked. */
export interface PromptExample {
  readonly values: Readonly<Record<string, string>>;
  /** Follows the filled text at once: with its own space or line end. */
  readonly answer: string;
}

/** One prompt, as data. */
export interface PromptTemplate {
  /** The name of the criterion, or of the task. */
  readonly name: string;
  /** What it asks, in a sentence, for reports. */
  readonly description: string;
  readonly answer: AnswerKind;
  /** Stands before the examples; the empty string for none. */
  readonly preamble: string;
  readonly examples: readonly PromptExample[];
  /** With `{{placeholders}}`. */
  readonly text: string;
  /** There for the kind `next word` alone. */
  readonly nextWords: NextWords | undefined;
  /** The `next word` prompt that asks the same of judges that answer by probabilities. */
  readonly nextWordForm: string | undefined;
  /** Names of the placeholders, each once, in order; without `answer_format`, which fills itself. */
  readonly placeholders: readonly string[];
  /** Of everything above. */
  readonly sha256: string;
}

type Values = Readonly<Record<string, string>>;

/** The placeholder that fills itself, with the words that ask for the answer's format. */
export const ANSWER_FORMAT = "answer_format";

/** `{{name}}` is a fenced block, `{{name|line}}` stands within its line. */
export const PLACEHOLDER = /\{\{\s*([a-z][a-z0-9_]*)\s*(?:\|\s*(line)\s*)?\}\}/g;

/** What stands for a value that is empty. */
const NOTHING = "(none)";

/** The number after tags: the first with which no value holds a tag of the template. */
function fenceNumber(template: PromptTemplate, values: Values): number {
  const texts = template.placeholders.map((name) => (values[name] ?? "").toLowerCase());
  for (let number = 1;; number++) {
    const tags = template.placeholders.map((name) => tagOf(name, number));
    const held = (tag: string) =>
      texts.some((text) => new RegExp(`<\\s*/?\\s*${tag}(?![a-z0-9_-])`).test(text));
    if (!tags.some(held)) return number;
  }
}

function tagOf(name: string, number: number): string {
  return number === 1 ? name : `${name}-${number}`;
}

/**
 * A text with its placeholders replaced, in one pass: braces within a value stay what they are. A
 * value cannot leave its place: a block's tags stand nowhere in the values (they get a number where
 * they do), and a line's value has no line end (white space becomes a space).
 */
function filled(template: PromptTemplate, values: Values): string {
  const number = fenceNumber(template, values);
  return template.text.replace(PLACEHOLDER, (_, name: string, form: string | undefined) => {
    if (name === ANSWER_FORMAT) return wordsOf(template);
    const value = valueOf(template, values, name);
    if (form === "line") return value.replace(/\s+/g, " ").trim() || NOTHING;
    const tag = tagOf(name, number);
    return `<${tag}>\n${value.trim() || NOTHING}\n</${tag}>`;
  });
}

function valueOf(template: PromptTemplate, values: Values, name: string): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value !== undefined) return value;
  const given = Object.keys(values).join(", ") || "none";
  throw new RangeError(
    `Cannot fill the prompt ${template.name}: {{${name}}} has no value (given: ${given}); ` +
      "give one, or take the placeholder out of the prompts file",
  );
}

function wordsOf({ answer }: PromptTemplate): string {
  return answer === "next word" ? "" : ANSWER_FORMATS[answer].words;
}

/**
 * The prompt: preamble, examples and the filled text, a blank line between them. Values are data;
 * those that the text has no placeholder for are left out.
 *
 * @throws {RangeError} naming a placeholder that has no value.
 */
export function fillTemplate(template: PromptTemplate, values: Values): string {
  const { preamble, examples } = template;
  return [
    ...(preamble === "" ? [] : [preamble]),
    ...examples.map((example) => filled(template, example.values) + example.answer),
    filled(template, values),
  ].join("\n\n");
}
