import { join } from "node:path";
import type { OpenTable, Table } from "../../../../files/table.ts";
import { inFolder } from "../../../../files/testdata/folder.ts";
import type { SampleOptions, SampleReply, SamplingModel } from "../../../../models/model.ts";
import { ABSTENTION_ANSWERS, RESPONSE_CLAIMS, RESPONSES } from "../tables.ts";
import type { AbstentionAnswer, ResponseClaimRow, ResponseRow } from "../tables.ts";

/** Runs work on a table with these rows; returns outcome and final rows. */
export const workOnTable = <Row, Outcome>(
  table: Table<Row>,
  rows: readonly Row[],
  work: (open: OpenTable<Row>) => Promise<Outcome>,
) =>
  inFolder(async (folder) => {
    const folderTable = table.at(join(folder, "kept.csv"));
    folderTable.write(rows);
    using open = folderTable.open();
    const outcome = await work(open);
    return {
      outcome,
      rows: [...new Map(folderTable.read().map((row) => [folderTable.keyOf(row), row])).values()],
    };
  });

/**
 * A model with scripted replies that scores each option by minus its length. It records its
 * prompts.
 */
export function scriptedModel(
  reply: SampleReply | ((seed: string) => SampleReply),
  more: Partial<SamplingModel> = {},
): SamplingModel & { readonly asked: [string, SampleOptions][] } {
  const asked: [string, SampleOptions][] = [];
  return {
    name: "gemma-3-270m",
    settings: { fileSha256: "f00" },
    asked,
    sample({ text }, options) {
      asked.push([text, options]);
      return Promise.resolve(typeof reply === "function" ? reply(`${options.seed}`) : reply);
    },
    continuations: (_prompt, texts) => Promise.resolve(texts.map(({ length }) => -length)),
    ...more,
  };
}

/** A reply of two tokens with log-probabilities −0.5 and −1.5. An empty text has none. */
export const scriptedReply = (
  text: string,
  ended: "complete" | "stopped" = "complete",
): SampleReply => {
  const tokens = [0.5, 1.5].map((entropy) => ({ text: "x", logProbability: -0.5, entropy }));
  return { kind: "sample", text, tokens: text === "" ? [] : tokens, ended };
};

const [ANSWER] = ABSTENTION_ANSWERS.read();
const [RESPONSE] = RESPONSES.read();
const CLAIM = RESPONSE_CLAIMS.read().find(({ label }) => label === "supported");

/** An unlabelled answer, with given fields overridden. */
export const madeAnswer = (fields: Partial<AbstentionAnswer>): AbstentionAnswer => {
  const unread = { label: "", probability: "" } as const;
  return { ...ANSWER!, model: "made", instruction: "none", temperature: 0, ...unread, ...fields };
};

export const responseRow = (given: Partial<ResponseRow> = {}): ResponseRow => (
  { ...RESPONSE!, question_id: "ke", ...given }
);

/** A claim that its passages support. */
export const claimRow = (given: Partial<ResponseClaimRow>): ResponseClaimRow => (
  { ...CLAIM!, ...given }
);
