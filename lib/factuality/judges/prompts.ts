import { parse } from "yaml";
import { z } from "zod";
import { damageReason } from "../../files/csv.ts";
import { checkInput, sha256Hex } from "../../files/atomic.ts";
import type { JsonSchema, NextWords } from "../../models/model.ts";
import { VERDICT_LABELS, type VerdictLabel } from "../types.ts";

/** What a prompt asks for; the last two are not written but read from probabilities. */
const ANSWER_KINDS = ["score", "pairwise", "bias", "claims", "next word", "verdict"] as const;
type AnswerKind = typeof ANSWER_KINDS[number];
type ReadKind = "next word" | "verdict";

type Properties = Readonly<Record<string, JsonSchema>>;
const text = (maxLength: number): JsonSchema => ({ type: "string", maxLength });
const object = (properties: Properties): JsonSchema => ({ type: "object", properties });
const phrases = (more: Properties): JsonSchema => ({
  type: "array",
  maxItems: 5,
  items: object({ phrase: text(160), reason: text(200), ...more }),
});
const WHOLE_0_TO_100 = Array.from({ length: 101 }, (_, score) => score);
const ANSWER = "Answer with one JSON object and nothing else:";
const REASONED = `${ANSWER} {"reasoning": "<your reasons, step by step>", `;
const COPIED = "<words copied from the text>";

/** Claims that a model may name of a text in one answer. */
export const MOST_CLAIMS = 40;

/**
 * How a kind of answer that is written is asked for: keys in the order in which they are written,
 * reasoning before the verdict; and what the prompt says in place of `{{answer_format}}`, for a grammar
 * does not show itself to the model. No number stands where the score goes: its echo would be read.
 */
export const ANSWER_FORMATS: Readonly<
  Record<
    Exclude<AnswerKind, ReadKind>,
    { readonly schema: JsonSchema; readonly words: string }
  >
> = {
  score: {
    schema: object({ reasoning: text(600), flagged: phrases({}), score: { enum: WHOLE_0_TO_100 } }),
    words:
      `${REASONED}"flagged": [{"phrase": "${COPIED}", "reason": "<what is wrong with them>"}], ` +
      `"score": <a whole number from 0 to 100>}. Give an empty list where nothing is wrong.`,
  },
  pairwise: {
    schema: object({ reasoning: text(600), winner: { enum: ["first", "second", "tie"] } }),
    words: `${REASONED}"winner": "<first, second or tie>"}.`,
  },
  bias: {
    schema: object({
      reasoning: text(600),
      flagged: phrases({ severity: { enum: ["low", "medium", "high"] } }),
    }),
    words: `${REASONED}"flagged": [{"phrase": "${COPIED}", "reason": "<why they are biased or ` +
      `harmful>", "severity": "<low, medium or high>"}]}. Give an empty list where nothing is.`,
  },
  claims: {
    schema: object({ claims: { type: "array", maxItems: MOST_CLAIMS, items: text(300) } }),
    words: `${ANSWER} {"claims": ["<one statement>", "<the next>"]}.`,
  },
};

type Values = Readonly<Record<string, string>>;

/** One prompt, as data. */
export interface PromptTemplate {
  /** The name of the criterion, or of the task. */
  readonly name: string;
  /** What it asks, in a sentence, for reports. */
  readonly description: string;
  readonly answer: AnswerKind;
  /** Stands before the examples; the empty string for none. */
  readonly preamble: string;
  /** Filled templates with their answers, shown before the question; an answer follows at once. */
  readonly examples: readonly { readonly values: Values; readonly answer: string }[];
  /** With `{{placeholders}}`. */
  readonly text: string;
  /** There for the kind `next word` alone. */
  readonly nextWords: NextWords | undefined;
  /** The word of each verdict; there for the kind `verdict` alone. */
  readonly verdictWords: Readonly<Record<VerdictLabel, string>> | undefined;
  /** The `next word` prompt that asks the same of judges that answer by probabilities. */
  readonly nextWordForm: string | undefined;
  /** Names of the placeholders, each once, in order; without `answer_format`, which fills itself. */
  readonly placeholders: readonly string[];
  /** Of everything above. */
  readonly sha256: string;
}

/** The prompts of one file. */
export interface PromptTemplates {
  /** In the order of the file. */
  readonly templates: readonly PromptTemplate[];
  /** Of the file, as 64 hexadecimal digits. */
  readonly sha256: string;
  /** @throws {RangeError} naming those that are there. */
  template(name: string): PromptTemplate;
}

/** The placeholder that fills itself, with the words that ask for the answer's format. */
const ANSWER_FORMAT = "answer_format";

/** `{{name}}` is a fenced block, `{{name|line}}` stands within its line. */
const PLACEHOLDER = /\{\{\s*([a-z][a-z0-9_]*)\s*(?:\|\s*(line)\s*)?\}\}/g;

/** The filled prompt; values are data. @throws {RangeError} for a placeholder without one. */
export function fillTemplate(template: PromptTemplate, values: Values): string {
  const { preamble, examples } = template;
  const shown = examples.map((example) => filled(template, example.values) + example.answer);
  return [...preamble === "" ? [] : [preamble], ...shown, filled(template, values)].join("\n\n");
}

/**
 * A text with its placeholders replaced, in one pass: braces within a value stay what they are. A
 * value cannot leave its place: a block's tags stand nowhere in the values (they get a number where
 * they do), and a line's value has no line end (white space becomes a space).
 */
function filled(template: PromptTemplate, values: Values): string {
  const number = fenceNumber(template, values);
  return template.text.replace(PLACEHOLDER, (_, name: string, form: string | undefined) => {
    if (name === ANSWER_FORMAT) {
      const { answer } = template;
      return answer === "next word" || answer === "verdict" ? "" : ANSWER_FORMATS[answer].words;
    }
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) {
      const given = Object.keys(values).join(", ") || "none";
      const why =
        `{{${name}}} has no value (given: ${given}); give one, or take the placeholder out of the prompts file`;
      throw new RangeError(`Cannot fill the prompt ${template.name}: ${why}`);
    }
    if (form === "line") return value.replace(/\s+/g, " ").trim() || "(none)";
    const tag = tagOf(name, number);
    return `<${tag}>\n${value.trim() || "(none)"}\n</${tag}>`;
  });
}

/** The number after tags: the first with which no value holds a tag of the template. */
function fenceNumber({ placeholders }: PromptTemplate, values: Values): number {
  const texts = placeholders.map((name) => (values[name] ?? "").toLowerCase());
  for (let number = 1;; number++) {
    const isHeld = placeholders.some((name) => {
      const tag = new RegExp(`<\\s*/?\\s*${tagOf(name, number)}(?![a-z0-9_-])`);
      return texts.some((text) => tag.test(text));
    });
    if (!isHeld) return number;
  }
}

const tagOf = (name: string, number: number) => number === 1 ? name : `${name}-${number}`;
const WORDS = z.array(z.string().min(1)).min(1);

const TEMPLATE = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]*$/, "must consist of small letters, digits and '_'"),
  description: z.string().min(1),
  answer: z.enum(ANSWER_KINDS),
  preamble: z.string().default(""),
  examples: z.array(
    z.strictObject({ values: z.record(z.string(), z.string()), answer: z.string().min(1) }),
  ).default([]),
  text: z.string().min(1),
  next_words: z.strictObject({ yes: WORDS, no: WORDS }).optional(),
  verdict_words: z.record(z.enum(VERDICT_LABELS), z.string().min(1)).optional(),
  next_word_form: z.string().optional(),
});

const FILE = z.strictObject({ templates: z.array(TEMPLATE).min(1) });

/**
 * Prompts from YAML (whose parser needs `--allow-env=LOG_TOKENS,LOG_STREAM`). A criterion of the
 * user's own is one more entry with `answer: score`. @throws {SyntaxError} naming the file and every
 * field, placeholder or name that is wrong.
 */
export function promptTemplates(yaml: string, file: string): PromptTemplates {
  const refuse = (problems: readonly string[]) =>
    new SyntaxError(`Cannot read prompts ${file}: ${problems.join("; ")}`);
  let value: unknown;
  try {
    value = parse(yaml);
  } catch (error) {
    // Aliases without end are no error of the syntax.
    throw refuse([`it is not YAML: ${damageReason(error)}`]);
  }
  const { data, error } = FILE.safeParse(value);
  if (data === undefined) {
    throw refuse(error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`));
  }
  const names = data.templates.map(({ name }) => name);
  const problems = data.templates.flatMap((raw, index) => problemsOf(raw, index, names));
  if (problems.length > 0) throw refuse(problems);
  const templates = data.templates.map((raw): PromptTemplate => {
    const { next_words: nextWords, next_word_form: nextWordForm, ...rest } = raw;
    const { verdict_words: verdictWords, ...entry } = rest;
    const placeholders = [...new Set(placeholdersIn(raw.text))]
      .filter((name) => name !== ANSWER_FORMAT);
    const sha256 = sha256Hex(JSON.stringify(raw));
    return { ...entry, nextWords, nextWordForm, verdictWords, placeholders, sha256 };
  });
  return {
    templates,
    sha256: sha256Hex(yaml),
    template(name) {
      const found = templates.find((template) => template.name === name);
      if (found !== undefined) return found;
      throw new RangeError(
        `Cannot find the prompt ${name} in ${file}: it has ${names.join(", ")}; add an entry`,
      );
    },
  };
}

/** Without these a prompt would ask about nothing. `|` separates alternatives. */
const NEEDED: Readonly<Record<AnswerKind, readonly string[]>> = {
  score: ["candidate|claim", ANSWER_FORMAT],
  pairwise: ["first", "second", ANSWER_FORMAT],
  bias: ["candidate", ANSWER_FORMAT],
  claims: ["candidate", ANSWER_FORMAT],
  "next word": ["candidate|claim"],
  verdict: ["passages", "claim"],
};

const placeholdersIn = (text: string) => [...text.matchAll(PLACEHOLDER)].map(([, name]) => name!);

function problemsOf(
  { name, answer, text, examples, next_words, next_word_form, verdict_words }: z.infer<
    typeof TEMPLATE
  >,
  index: number,
  names: readonly string[],
): readonly string[] {
  const placeholders = placeholdersIn(text);
  const problems = NEEDED[answer]
    .filter((need) => !need.split("|").some((alternative) => placeholders.includes(alternative)))
    .map((need) => {
      const lacking = need.replace("|", "}} or {{");
      return `${name}: its text lacks {{${lacking}}}, which a ${answer} prompt needs`;
    });
  const rest = /\{\{.{0,20}/.exec(text.replace(PLACEHOLDER, ""));
  if (rest) problems.push(`${name}: ${JSON.stringify(rest[0])} is no placeholder`);
  for (const [index, { values }] of examples.entries()) {
    const missing = placeholders
      .find((other) => other !== ANSWER_FORMAT && !Object.hasOwn(values, other));
    if (missing) problems.push(`${name}: example ${index + 1} has no value for {{${missing}}}`);
  }
  const wordsOf = [
    ["next_words", "next word", next_words],
    ["verdict_words", "verdict", verdict_words],
  ] as const;
  for (const [key, kind, words] of wordsOf) {
    if ((answer === kind) === (words !== undefined)) continue;
    problems.push(`${name}: ${key} must be there for ${kind} prompts, and only for them`);
  }
  if (names.indexOf(name) !== index) problems.push(`the name ${name} stands twice`);
  if (next_word_form && !names.includes(next_word_form)) {
    problems.push(`${name}: there is no prompt ${next_word_form}`);
  }
  return problems;
}

/** The prompts of a file, read at each start. Throws as {@link promptTemplates} does. */
export async function readPromptTemplates(path: string): Promise<PromptTemplates> {
  const remedy = "correct `prompts` in the configuration, or restore data/factuality/prompts.yaml";
  checkInput(path, (why) => `Cannot read prompts ${path}: ${why}; ${remedy}`);
  return promptTemplates(await Deno.readTextFile(path), path);
}
