import { z } from "zod";
import { readRows } from "../../lib/factuality/cases/load_cases.ts";

const ROW = z.object({
  model: z.string().min(1),
  topic: z.string().min(1),
  output: z.string(),
  facts: z.array(z.tuple([z.string().min(1), z.enum(["S", "NS", "IR"])])),
}).transform(({ facts, ...row }) => ({ ...row, facts: facts.map(([fact]) => fact) }));

/** A model's text about a person, and the facts that people took it apart into. */
export type AnnotatedResponse = z.infer<typeof ROW>;

/**
 * The responses of FActScore (Min et al. 2023, arXiv 2305.14251) that people took apart, facts judged
 * irrelevant included: they are in the text all the same. A response that says nothing of the person
 * has no facts and is left out.
 * @throws {Error} naming the file, where it or one of its lines cannot be read.
 */
export function readResponses(path: string): readonly AnnotatedResponse[] {
  const { rows, damaged } = readRows(path, ROW);
  const [first] = damaged;
  if (first === undefined) return rows.filter(({ facts }) => facts.length > 0);
  throw new SyntaxError(`Cannot read ${path}: line ${first.line} is no response: ${first.reason}`);
}
