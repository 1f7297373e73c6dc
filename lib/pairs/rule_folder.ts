/**
 * Pairs from a linguist's tables: sentences, word forms, and contrasts between paradigm cells.
 * Every candidate becomes a certified pair or a rejection.
 */
import { join } from "node:path";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { makeFolder } from "../files/atomic.ts";
import { damageReason, foreignRecords, readInputText } from "../files/csv.ts";
import { name, table, text } from "../files/table.ts";
import { attestedSentences, certifyAll, exchange, type Proposal } from "./certify.ts";
import { certificatesTable, numberTogether, rejectionsTable } from "./dataset.ts";
import { type Rejection, stripPunctuation, whitespaceTokens } from "./pair.ts";

const PATTERN = z.string().transform((source, context) => {
  try {
    return new RegExp(source, "iu");
  } catch (error) {
    context.addIssue({ code: "custom", message: damageReason(error) });
    return z.NEVER;
  }
});

const CONTRAST = z.strictObject({
  phenomenon: z.string().regex(/^\S+$/, "must be one word"),
  /** Linguistic fact that licenses the contrast, named in certificates. */
  rule: z.string().min(1),
  /** Cell of the form in the sentence; `to` is the cell of the wrong form. */
  from: z.string().min(1),
  to: z.string().min(1),
  /** True if the reverse direction is a contrast too. */
  reverse: z.boolean().default(false),
  explanation: z.string().min(1),
  /** Pattern that a sentence must match. */
  where: PATTERN.optional(),
  /** Patterns of undecided sentences, by reason of rejection. */
  unless: z.record(z.string().regex(/^\S+$/), PATTERN).default({}),
});
type Contrast = Readonly<z.infer<typeof CONTRAST>>;

const CONTRASTS = z.strictObject({
  /** Name of the sentences' source in certificates. */
  source: z.string().min(1).default("sentences"),
  contrasts: z.array(CONTRAST).min(1),
});

const FILES = {
  sentences: "sentences.csv",
  forms: "forms.csv",
  contrasts: "contrasts.yaml",
} as const;

/** A form of a word. */
interface Form {
  readonly lemma: string;
  readonly cell: string;
  readonly form: string;
}

/** Reads a table of the folder. @throws {SyntaxError} naming the file and the missing column. */
function rowsOf<Column extends string>(path: string, columns: readonly Column[]) {
  const refuse = (why: string) => `Cannot read ${path}: ${why}.`;
  const records = foreignRecords(readInputText(path, refuse), {
    columns: (header) => {
      const found = header.map((column) => column.trim());
      const lacking = columns.find((column) => !found.includes(column));
      if (lacking === undefined) return found;
      throw new SyntaxError(refuse(`no column is called ${lacking}; it has ${found.join(", ")}`));
    },
    refuse(line) {
      throw new SyntaxError(refuse(`line ${line} is no row of its header`));
    },
  });
  return records.map(({ line, record }) => {
    const empty = columns.find((column) => record[column]!.trim() === "");
    if (empty) throw new SyntaxError(refuse(`line ${line}, column ${empty}: it is empty`));
    return Object.fromEntries(
      columns.map((column) => [column, record[column]!.normalize("NFC").trim()]),
    ) as Record<Column, string>;
  });
}

/** Reads the contrasts. @throws {SyntaxError} naming the file and its faults. */
function readContrasts(path: string) {
  const refuse = (why: string) => `Cannot read ${path}: ${why}.`;
  const yaml = readInputText(path, refuse);
  try {
    return CONTRASTS.parse(parseYaml(yaml));
  } catch (error) {
    throw new SyntaxError(refuse(damageReason(error)), { cause: error });
  }
}

/** Returns a contrast and, if it is reversible, its reverse. */
const bothWays = (contrast: Contrast): readonly Contrast[] =>
  contrast.reverse ? [contrast, { ...contrast, from: contrast.to, to: contrast.from }] : [contrast];

/**
 * Returns the candidates of a sentence for one contrast. They are words whose form is only in the
 * cell `from`, with the word's form in the cell `to`. An ambiguous form, or a variant that is also
 * correct, is rejected.
 */
function candidatesOf(
  grammatical: string,
  source: Proposal["source"],
  contrast: Contrast,
  formsOf: ReadonlyMap<string, readonly Form[]>,
  cellOf: ReadonlyMap<string, readonly Form[]>,
): readonly (Proposal | Rejection)[] {
  const { phenomenon, rule, from, to, explanation, where, unless } = contrast;
  return whitespaceTokens(grammatical).flatMap(
    (token, index): readonly (Proposal | Rejection)[] => {
      const { core: target } = stripPunctuation(token);
      const small = target.slice(0, 1).toLowerCase() + target.slice(1);
      const isSmall = !formsOf.has(target) && index === 0;
      const readings = formsOf.get(isSmall ? small : target) ?? [];
      const [reading] = readings.filter(({ cell }) => cell === from);
      if (reading === undefined) return [];
      const refuse = (reason: string, detail = "") => [
        { source, phenomenon, candidate: target, reason, detail },
      ];
      if (where && !where.test(grammatical)) {
        return refuse("not_licensed", `no match of ${where.source}`);
      }
      const doubt = Object.entries(unless).find(([, pattern]) => pattern.test(grammatical));
      if (doubt) return refuse(doubt[0]);
      const others = readings.filter((one) => one !== reading);
      if (others.length > 0) {
        return refuse(
          "several_readings",
          others.map(({ lemma, cell }) => `${lemma} ${cell}`).join(", "),
        );
      }
      const { lemma } = reading;
      const variants = cellOf.get(JSON.stringify([lemma, to])) ?? [];
      const [found] = variants;
      if (found === undefined) return refuse("no_form", `${lemma} has no form ${to}`);
      if (formsOf.get(found.form)!.some((one) => one.lemma === lemma && one.cell === from)) {
        return refuse("variant_is_right", `${found.form} is ${from}, too`);
      }
      const variant = isSmall
        ? found.form.slice(0, 1).toUpperCase() + found.form.slice(1)
        : found.form;
      const ground = { phenomenon, rule, lemma, explanation, cellFrom: from, cellTo: to };
      return [exchange({ ...ground, source, grammatical, target, variant })];
    },
  );
}

/**
 * Returns a folder's pairs, certificates and rejections. @throws {SyntaxError} naming the invalid
 * file.
 */
export function pairsOfRules(folder: string) {
  const sentences = rowsOf(join(folder, FILES.sentences), ["sentence"]);
  const forms = rowsOf(join(folder, FILES.forms), ["lemma", "cell", "form"]);
  const { source: title, contrasts } = readContrasts(join(folder, FILES.contrasts));
  const formsOf = Map.groupBy(forms, ({ form }) => form);
  const cellOf = Map.groupBy(forms, ({ lemma, cell }) => JSON.stringify([lemma, cell]));
  const cells = new Set(forms.map(({ cell }) => cell));
  for (const { from, to } of contrasts) {
    const unknown = [from, to].find((cell) => !cells.has(cell));
    if (unknown === undefined) continue;
    throw new SyntaxError(
      `Cannot use ${
        join(folder, FILES.contrasts)
      }: no form of forms.csv is of the cell ${unknown}.`,
    );
  }
  const candidates = sentences.flatMap(({ sentence: grammatical }, index) => {
    const source = { text: title, chapter: 1, sentence: index + 1 };
    return contrasts.flatMap(bothWays)
      .flatMap((contrast) => candidatesOf(grammatical, source, contrast, formsOf, cellOf));
  });
  const attested = attestedSentences(sentences.map(({ sentence }) => sentence));
  const { certified, rejections } = certifyAll(candidates, attested);
  const items = [...Map.groupBy(certified, ({ pair }) => pair.phenomenon)]
    .flatMap(([phenomenon, own]) =>
      numberTogether((n) => `${phenomenon}_${String(n).padStart(4, "0")}`, own)
    );
  return { items, rejections, sentences: sentences.length };
}

/** Writes `pairs.csv` for `evaluate --pairs`, with certificates and rejections. */
export function writeRulePairs(
  folder: string,
  { items, rejections }: Pick<ReturnType<typeof pairsOfRules>, "items" | "rejections">,
): void {
  makeFolder(folder);
  const pairs = table({
    path: join(folder, "pairs.csv"),
    about: "pairs made from a user's tables",
    maker: "`deno task generate --rules`",
    columns: {
      id: name("id of the pair: phenomenon and number"),
      phenomenon: name("name of the phenomenon, as in contrasts.yaml"),
      lemma: name("tested word"),
      direction: text("cell of the right form and of the wrong one"),
      grammatical: name("source sentence"),
      ungrammatical: name("the same sentence with one word changed"),
    },
    key: ["id"],
  });
  pairs.write(items.map(({ pair, certificate: { lemma, cellFrom, cellTo } }) => (
    { ...pair, lemma, direction: `${cellFrom} to ${cellTo}` }
  )));
  certificatesTable({ path: join(folder, "certificates.csv") })
    .write(items.map(({ certificate }) => certificate));
  rejectionsTable({ path: join(folder, "rejections.csv") }).write(rejections);
}
