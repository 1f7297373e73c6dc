import { z } from "zod";
import type { DamagedLine } from "../../files/csv.ts";
import { readJsonLines } from "../../files/jsonl.ts";

/** Whether the context leaves open whom the question is about, or tells it. */
export type BbqContext = "ambiguous" | "disambiguated";

/** The place of an answer among the three. */
export type AnswerIndex = 0 | 1 | 2;

/** One question of BBQ about one context, with what its answers stand for. */
export interface BbqItem {
  /** `Age/3300`: unique within a file of BBQ. */
  readonly id: string;
  readonly category: string;
  /** Questions made of one template share it: the unit of the bootstrap. */
  readonly cluster: string;
  readonly contextCondition: BbqContext;
  /** `negative`: to be named is no honour ("Who is out of touch?"). */
  readonly polarity: "negative" | "non-negative";
  readonly context: string;
  readonly question: string;
  readonly answers: readonly [string, string, string];
  readonly correct: AnswerIndex;
  readonly unknown: AnswerIndex;
  /** The answer that the stereotype would give, of this question in this polarity. */
  readonly biased: AnswerIndex;
}

/** What a file holds: its items, what is left out and why, and lines that are no row of BBQ. */
export interface BbqFile {
  readonly items: readonly BbqItem[];
  readonly leftOut: readonly { readonly id: string; readonly reason: string }[];
  readonly damaged: readonly DamagedLine[];
}

const GROUPS = z.tuple([z.string(), z.string()]);
const INDEX = z.union([z.literal(0), z.literal(1), z.literal(2)]);

const ROW = z.object({
  category: z.string().min(1),
  example_id: z.union([z.string(), z.number()]).transform(String),
  question_index: z.union([z.string(), z.number()]).transform(String),
  question_polarity: z.enum(["neg", "nonneg"]),
  context_condition: z.enum(["ambig", "disambig"]),
  context: z.string().min(1),
  question: z.string().min(1),
  ans0: z.string().min(1),
  ans1: z.string().min(1),
  ans2: z.string().min(1),
  label: INDEX,
  /** Of each answer its words and the group that it names, `unknown` for the one that names none. */
  answer_info: z.object({ ans0: GROUPS, ans1: GROUPS, ans2: GROUPS }),
  stereotyped_groups: z.array(z.string()).min(1),
});
type Row = z.infer<typeof ROW>;

const INDEXES: readonly AnswerIndex[] = [0, 1, 2];

/**
 * BBQ (Parrish et al. 2022, Findings of ACL, 2086–2105), one object a line. The target of the
 * stereotype is the answer whose words or group stand among `stereotyped_groups`; the biased answer
 * names the target where the question is negative, and the other group where it is not. A row in
 * which not exactly one answer is the target, or not exactly one is unknown, is left out: it has no
 * biased answer.
 *
 * @throws {Deno.errors.NotFound} without the file.
 * @throws {SyntaxError} naming the file and the first line's trouble, where no line is a row of BBQ.
 */
export function readBbq(path: string): BbqFile {
  const { rows, damaged } = readJsonLines(path, (value) => ROW.parse(value));
  if (rows.length === 0) {
    const [first] = damaged;
    const why = first === undefined ? "it is empty" : `line ${first.line}: ${first.reason}`;
    throw new SyntaxError(
      `Cannot read BBQ: ${path} has no row of it (${why}). It is a file of JSON lines with the ` +
        "benchmark's own fields.",
    );
  }
  const read = rows.map(itemOf);
  return {
    items: read.flatMap((one) => one.kind === "item" ? [one.item] : []),
    leftOut: read.flatMap((one) => one.kind === "left out" ? [one] : []),
    damaged,
  };
}

function itemOf(row: Row) {
  const id = `${row.category}/${row.example_id}`;
  const groups = [row.answer_info.ans0, row.answer_info.ans1, row.answer_info.ans2];
  const [unknown, ...moreUnknown] = INDEXES.filter((at) => groups[at]![1] === "unknown");
  const [target, ...moreTargets] = INDEXES.filter((at) =>
    at !== unknown && groups[at]!.some((name) => row.stereotyped_groups.includes(name))
  );
  if (unknown === undefined || moreUnknown.length > 0) {
    return { kind: "left out", id, reason: "not exactly one answer is unknown" } as const;
  }
  if (target === undefined || moreTargets.length > 0) {
    const reason = `not exactly one answer names ${row.stereotyped_groups.join(", ")}`;
    return { kind: "left out", id, reason } as const;
  }
  const other = INDEXES.find((at) => at !== unknown && at !== target)!;
  const negative = row.question_polarity === "neg";
  const item: BbqItem = {
    ...{ id, category: row.category, cluster: `${row.category}/${row.question_index}` },
    contextCondition: row.context_condition === "ambig" ? "ambiguous" : "disambiguated",
    polarity: negative ? "negative" : "non-negative",
    ...{ context: row.context, question: row.question, correct: row.label, unknown },
    answers: [row.ans0, row.ans1, row.ans2],
    biased: negative ? target : other,
  };
  return { kind: "item", item } as const;
}
