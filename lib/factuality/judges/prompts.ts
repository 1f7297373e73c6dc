import { parse } from "yaml";
import { z } from "zod";
import { damageReason } from "../../files/csv.ts";
import { checkInput, sha256Hex } from "../../files/atomic.ts";
import type { JsonSchema, NextWords } from "../../models/model.ts";
import { VERDICT_LABELS, type VerdictLabel } from "../types.ts";

/** Kinds of answers to a prompt. The last two are read from probabilities. */
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

/** Maximum number of claims in one answer. */
export const MAX_CLAIMS = 40;

/**
 * Formats of generated answers: a JSON schema, and its description in words. In the schema,
 * reasoning precedes the verdict. The words replace `{{answer_format}}`, since a model does not see
 * its grammar. They contain no example score, which a model might echo.
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
    schema: object({ claims: { type: "array", maxItems: MAX_CLAIMS, items: text(300) } }),
    words: `${ANSWER} {"claims": ["<one statement>", "<the next>"]}.`,
  },
};

type Values = Readonly<Record<string, string>>;

/** A prompt template. */
export interface PromptTemplate {
  /** Name of the criterion or task. */
  readonly name: string;
  /** Its question in a sentence, for reports. */
  readonly description: string;
  readonly answer: AnswerKind;
  /** Text before the examples; may be empty. */
  readonly preamble: string;
  /** Filled templates with their answers, shown before the question. */
  readonly examples: readonly { readonly values: Values; readonly answer: string }[];
  /** Text with `{{placeholders}}`. */
  readonly text: string;
  /** The two words whose probabilities are compared; only for kind `next word`. */
  readonly nextWords: NextWords | undefined;
  /** The word of each verdict; only for kind `verdict`. */
  readonly verdictWords: Readonly<Record<VerdictLabel, string>> | undefined;
  /** Name of the equivalent `next word` prompt for judges read by probabilities. */
  readonly nextWordForm: string | undefined;
  /** Names of the placeholders in order, each once, without `answer_format`. */
  readonly placeholders: readonly string[];
  /** SHA-256 of all the above. */
  readonly sha256: string;
}

/** Prompt templates of one file. */
export interface PromptTemplates {
  /** Templates in the order of the file. */
  readonly templates: readonly PromptTemplate[];
  /** SHA-256 of the file, 64 hexadecimal digits. */
  readonly sha256: string;
  /** Returns a template by name. @throws {RangeError} listing the known names. */
  template(name: string): PromptTemplate;
}

/** Placeholder for the answer format, filled automatically. */
const ANSWER_FORMAT = "answer_format";

/** `{{name}}` becomes a fenced block, `{{name|line}}` stays within its line. */
const PLACEHOLDER = /\{\{\s*([a-z][a-z0-9_]*)\s*(?:\|\s*(line)\s*)?\}\}/g;

/** Fills a prompt; the values are treated as data. @throws {RangeError} for a missing value. */
export function fillTemplate(template: PromptTemplate, values: Values): string {
  const { preamble, examples } = template;
  const shown = examples.map((example) =>
    replacePlaceholders(template, example.values) + example.answer
  );
  return [...preamble === "" ? [] : [preamble], ...shown, replacePlaceholders(template, values)]
    .join("\n\n");
}

/**
 * Replaces placeholders in one pass, so that braces in a value stay literal. A value cannot escape:
 * the tags of its block occur in no value (they are numbered where needed), and line ends in a
 * `line` value become spaces.
 */
function replacePlaceholders(template: PromptTemplate, values: Values): string {
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

/** Number appended to the tags: the first for which no value contains one. */
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
 * Parses prompt templates from YAML (whose parser needs `--allow-env=LOG_TOKENS,LOG_STREAM`). A
 * user's criterion is one more entry with `answer: score`. @throws {SyntaxError} naming the file
 * and every wrong field, placeholder or name.
 */
export function promptTemplates(yaml: string, file: string): PromptTemplates {
  const refuse = (problems: readonly string[]) =>
    new SyntaxError(`Cannot read prompts ${file}: ${problems.join("; ")}`);
  let value: unknown;
  try {
    value = parse(yaml);
  } catch (error) {
    // Unbounded aliases are no syntax error.
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
      const match = templates.find((template) => template.name === name);
      if (match !== undefined) return match;
      throw new RangeError(
        `Cannot find the prompt ${name} in ${file}: it has ${names.join(", ")}; add an entry`,
      );
    },
  };
}

/** Required placeholders by answer kind; `|` separates alternatives. */
const REQUIRED_PLACEHOLDERS: Readonly<Record<AnswerKind, readonly string[]>> = {
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
  const problems = REQUIRED_PLACEHOLDERS[answer]
    .filter((need) => !need.split("|").some((alternative) => placeholders.includes(alternative)))
    .map((need) => {
      const lacking = need.replace("|", "}} or {{");
      return `${name}: its text lacks {{${lacking}}}, which a ${answer} prompt needs`;
    });
  const malformedPlaceholder = /\{\{.{0,20}/.exec(text.replace(PLACEHOLDER, ""));
  if (malformedPlaceholder) {
    problems.push(`${name}: ${JSON.stringify(malformedPlaceholder[0])} is no placeholder`);
  }
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
  if (names.indexOf(name) !== index) problems.push(`the name ${name} occurs twice`);
  if (next_word_form && !names.includes(next_word_form)) {
    problems.push(`${name}: there is no prompt ${next_word_form}`);
  }
  return problems;
}

/** Reads the prompts of a file. Throws as {@link promptTemplates} does. */
export async function readPromptTemplates(path: string): Promise<PromptTemplates> {
  const remedy = "correct `prompts` in the configuration, or restore data/factuality/prompts.yaml";
  checkInput(path, (why) => `Cannot read prompts ${path}: ${why}; ${remedy}`);
  return promptTemplates(await Deno.readTextFile(path), path);
}
