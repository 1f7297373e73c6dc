import { z } from "zod";
import type { MinimalPair } from "../../pairs/pair.ts";
import { CASES, type Cell, GENDERS, NUMBERS } from "../cell.ts";
import { type DeclensionClass, DECLENSIONS, endingOf } from "../declension.ts";
import { fromIast } from "../devanagari.ts";
import { PHENOMENA, type Phenomenon } from "./candidate.ts";

const RECORD = z.strictObject({
  id: z.string().regex(/^[a-z_]+_\d{4}$/),
  phenomenon: z.enum(PHENOMENA),
  grammatical: z.string().min(1),
  ungrammatical: z.string().min(1),
  /** In Devanagari, compounds without a hyphen. */
  stem: z.string().min(1),
  /** The verse with its number; empty for bare forms. */
  context: z.string(),
  metadata: z.strictObject({
    stem_class: z.string().min(1),
    gender: z.enum(GENDERS),
    number: z.enum(NUMBERS),
    correct_case: z.enum(CASES),
    incorrect_case: z.enum(CASES),
    correct_number: z.enum(NUMBERS),
    incorrect_number: z.enum(NUMBERS),
    ending_from: z.string(),
    ending_to: z.string(),
    /** The form that was changed, and the one that took its place. */
    target: z.string().min(1),
    variant: z.string().min(1),
  }),
});

/**
 * One line of a contrast set, in the specification's shape. For contrasts of number the two cases
 * are the same, for contrasts of case the two numbers; `number` is the correct one.
 */
export type ContrastRecord = Readonly<z.infer<typeof RECORD>>;

/** What a record is made of. */
export interface Contrast {
  readonly id: string;
  readonly phenomenon: Phenomenon;
  readonly grammatical: string;
  readonly ungrammatical: string;
  readonly context: string;
  /** IAST, hyphens between the members of a compound. */
  readonly stem: string;
  readonly declension: DeclensionClass;
  readonly from: Cell;
  readonly to: Cell;
  readonly target: string;
  readonly variant: string;
}

export function contrastRecord(contrast: Contrast): ContrastRecord {
  const { id, phenomenon, grammatical, ungrammatical, context, declension, from, to } = contrast;
  return {
    id,
    phenomenon,
    grammatical,
    ungrammatical,
    stem: fromIast(contrast.stem.replaceAll("-", "")),
    context,
    metadata: {
      stem_class: DECLENSIONS[declension].label,
      gender: DECLENSIONS[declension].gender,
      number: from.number,
      correct_case: from.case,
      incorrect_case: to.case,
      correct_number: from.number,
      incorrect_number: to.number,
      ending_from: endingOf(declension, from),
      ending_to: endingOf(declension, to),
      target: contrast.target,
      variant: contrast.variant,
    },
  };
}

/** Reads a record. @throws {SyntaxError} naming every field that is wrong. */
export function parseContrastRecord(value: unknown): ContrastRecord {
  const result = RECORD.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new SyntaxError(`no contrast: ${problems.join("; ")}`);
}

/** A record as the pair that models are asked about. */
export function pairOfRecord(record: ContrastRecord): MinimalPair<Phenomenon> {
  const { id, phenomenon, grammatical, ungrammatical, context, metadata } = record;
  const { target, correct_case, incorrect_case, correct_number, incorrect_number } = metadata;
  const [from, to] = phenomenon === "case"
    ? [correct_case, incorrect_case]
    : [correct_number, incorrect_number];
  const errorType = `${from}_to_${to}`;
  return { id, phenomenon, grammatical, ungrammatical, target, errorType, context };
}

/** The cells of a record: `acc.sg` and what was put in its place. */
export function cellsOfRecord(
  { metadata }: ContrastRecord,
): { readonly from: Cell; readonly to: Cell } {
  return {
    from: { case: metadata.correct_case, number: metadata.correct_number },
    to: { case: metadata.incorrect_case, number: metadata.incorrect_number },
  };
}
