import { parse, YAMLParseError } from "yaml";
import { z } from "zod";
import { sha256Hex } from "../../files/checksum.ts";
import { ANSWER_KINDS, type AnswerKind } from "./answer_schema.ts";
import { ANSWER_FORMAT, PLACEHOLDER, type PromptTemplate } from "./prompt_template.ts";

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
  next_word_form: z.string().optional(),
});

const FILE = z.strictObject({ templates: z.array(TEMPLATE).min(1) });

/** Without these a prompt would ask about nothing. `|` separates alternatives. */
const NEEDED: Readonly<Record<AnswerKind, readonly string[]>> = {
  score: ["candidate|claim", ANSWER_FORMAT],
  pairwise: ["first", "second", ANSWER_FORMAT],
  bias: ["candidate", ANSWER_FORMAT],
  claims: ["candidate", ANSWER_FORMAT],
  "next word": ["candidate|claim"],
};

/** The prompts of one file. */
export interface PromptTemplates {
  /** In the order of the file. */
  readonly templates: readonly PromptTemplate[];
  /** Of the file, as 64 hexadecimal digits. */
  readonly sha256: string;
  /** @throws {RangeError} naming those that are there. */
  template(name: string): PromptTemplate;
}

function problemsOf({ name, answer, text, examples, next_words }: z.infer<typeof TEMPLATE>) {
  const names = [...text.matchAll(PLACEHOLDER)].map(([, placeholder]) => placeholder!);
  const problems = NEEDED[answer].flatMap((need) =>
    need.split("|").some((alternative) => names.includes(alternative)) ? [] : [
      `${name}: its text lacks {{${
        need.replace("|", "}} or {{")
      }}}, which a ${answer} prompt needs`,
    ]
  );
  const rest = /\{\{.{0,20}/.exec(text.replace(PLACEHOLDER, ""));
  if (rest) problems.push(`${name}: ${JSON.stringify(rest[0])} is no placeholder`);
  examples.forEach(({ values }, index) => {
    const missing = names.find((other) => other !== ANSWER_FORMAT && !Object.hasOwn(values, other));
    if (missing) problems.push(`${name}: example ${index + 1} has no value for {{${missing}}}`);
  });
  if ((answer === "next word") !== (next_words !== undefined)) {
    problems.push(`${name}: next_words must be there for next word prompts, and only for them`);
  }
  return { names: [...new Set(names)].filter((other) => other !== ANSWER_FORMAT), problems };
}

function templateOf(raw: z.infer<typeof TEMPLATE>, file: string): PromptTemplate {
  const { next_words, next_word_form, ...entry } = raw;
  const { names, problems } = problemsOf(raw);
  if (problems.length > 0) {
    throw new SyntaxError(`Cannot read prompts ${file}: ${problems.join("; ")}`);
  }
  return {
    ...entry,
    nextWords: next_words,
    nextWordForm: next_word_form,
    placeholders: names,
    sha256: sha256Hex(JSON.stringify(raw)),
  };
}

function yamlValue(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    throw new SyntaxError(`Cannot read prompts ${file}: it is not YAML: ${error.message}`);
  }
}

function checkNames(
  templates: readonly PromptTemplate[],
  names: readonly string[],
  file: string,
): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new SyntaxError(`Cannot read prompts ${file}: the name ${twice} stands twice`);
  }
  const lost = templates.find(({ nextWordForm }) => nextWordForm && !names.includes(nextWordForm));
  if (lost === undefined) return;
  throw new SyntaxError(
    `Cannot read prompts ${file}: ${lost.name}: there is no prompt ${lost.nextWordForm}`,
  );
}

/**
 * Prompts from YAML (whose parser needs `--allow-env=LOG_TOKENS,LOG_STREAM`). A criterion of the
 * user's own is one more entry with `answer: score`.
 *
 * @param file Named in errors.
 * @throws {SyntaxError} naming every field, placeholder or name that is wrong.
 */
export function promptTemplates(text: string, file: string): PromptTemplates {
  const result = FILE.safeParse(yamlValue(text, file));
  if (!result.success) {
    const problems = result.error.issues.map(({ path, message }) =>
      `${path.join(".")}: ${message}`
    );
    throw new SyntaxError(`Cannot read prompts ${file}: ${problems.join("; ")}`);
  }
  const templates = result.data.templates.map((raw) => templateOf(raw, file));
  const names = templates.map(({ name }) => name);
  checkNames(templates, names, file);
  return {
    templates,
    sha256: sha256Hex(text),
    template(name) {
      const found = templates.find((template) => template.name === name);
      if (found !== undefined) return found;
      throw new RangeError(
        `Cannot find the prompt ${name} in ${file}: it has ${names.join(", ")}; add an entry`,
      );
    },
  };
}

/**
 * The prompts of a file on disk; read at each start, so that an edit needs no change of code.
 *
 * @throws {SyntaxError} As {@link promptTemplates} does, and where the file cannot be read.
 */
export async function readPromptTemplates(path: string): Promise<PromptTemplates> {
  return promptTemplates(await textOf(path), path);
}

async function textOf(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (cause) {
    throw new SyntaxError(
      `Cannot read prompts ${path}: there is no such file that can be read; correct \`prompts\` in ` +
        "the configuration, or restore data/factuality/prompts.yaml",
      { cause },
    );
  }
}
