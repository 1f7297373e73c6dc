import { markdownTable, type TableCell } from "../../../figures/markdown_table.ts";
import { cosine } from "../../../models/encoder/cosine.ts";
import type { SentenceEncoder } from "../../../models/encoder/sentence_encoder.ts";
import type { RetrievedPassage, Retriever } from "../../retrieval/passage.ts";

/** Passages shown a claim, and characters shown a passage. */
const SHOWN = 2;
const SHOWN_CHARACTERS = 90;

/** The best passages for each claim; a claim that finds nothing has a row that says so. */
export async function foundTable(retriever: Retriever, claims: readonly string[]): Promise<string> {
  const rows: (readonly TableCell[])[] = [];
  for (const claim of claims) {
    const found = await retriever.retrieve(claim);
    if (found.length === 0) rows.push([claim, undefined, "nothing over the thresholds", "", ""]);
    rows.push(
      ...found.slice(0, SHOWN).map((one, index) => foundRow(index === 0 ? claim : "", one)),
    );
  }
  return markdownTable(["claim", "rank", "passage", "BM25", "cosine"], rows);
}

function foundRow(claim: string, { passage, bm25, cosine, rank }: RetrievedPassage): TableCell[] {
  const { title, text } = passage;
  const cut = text.length > SHOWN_CHARACTERS
    ? `${text.slice(0, SHOWN_CHARACTERS).trimEnd()} …`
    : text;
  return [claim, rank, `**${title}**: ${cut}`, bm25.toFixed(1), cosine?.toFixed(2)];
}

/** Cosines of pairs of sentences, with what a reader would say of them. */
export async function cosineTable(
  encoder: SentenceEncoder,
  pairs: readonly (readonly [first: string, second: string, relation: string])[],
): Promise<string> {
  const encoded = await encoder.encode(pairs.flatMap(([first, second]) => [first, second]));
  return markdownTable(
    ["one sentence", "the other", "which is", "cosine"],
    pairs.map(([first, second, relation], index) => {
      const [a, b] = [encoded[2 * index]!, encoded[2 * index + 1]!];
      return [first, second, relation, cosine(a.sentence, b.sentence).toFixed(2)];
    }),
  );
}
