import { certificateHash } from "../../../pairs/certify.ts";
import { variantForm } from "../../../pairs/sentence_difference.ts";
import type { Phenomenon } from "../../contrasts/candidate.ts";
import { contrastRecord, pairOfRecord } from "../../contrasts/contrast_record.ts";
import { type ContrastItem, paradigmCells } from "../../contrasts/dataset.ts";

/** What tests want to say of a pair; what they leave out is that of {@link DEFAULTS}. */
export interface MadeContrast {
  readonly id: string;
  /** Chapter and verse. */
  readonly source: readonly [number, number];
  readonly phenomenon: Phenomenon;
  readonly grammatical: string;
  readonly ungrammatical: string;
  readonly target: string;
  readonly stem: string;
  readonly cells: readonly [from: string, to: string];
  readonly relation: string;
  readonly marks: readonly string[];
}

const DEFAULTS: MadeContrast = {
  id: "morph_0001",
  source: [2, 47],
  phenomenon: "case",
  grammatical: "देवस्य फलं",
  ungrammatical: "देवाय फलं",
  target: "देवस्य",
  stem: "deva",
  cells: ["gen.sg", "dat.sg"],
  relation: "adnominal",
  marks: [],
};

/** A pair with its record and certificate. */
export function madeContrast(wanted: Partial<MadeContrast>): ContrastItem {
  const made = { ...DEFAULTS, ...wanted };
  const { id, phenomenon, grammatical, ungrammatical, target, stem, marks } = made;
  const [cellFrom, cellTo] = made.cells.map((cell) => `${cell}.m`) as [string, string];
  const { declension, from, to } = paradigmCells({ lemma: stem, cellFrom, cellTo });
  const variant = variantForm({ grammatical, ungrammatical });
  const members = { id, phenomenon, grammatical, ungrammatical, target, variant, context: "" };
  const record = contrastRecord({ ...members, stem, declension, from, to });
  const pair = pairOfRecord(record);
  const rule = `SK_${made.relation.toUpperCase()}`;
  const [chapter, sentence] = made.source;
  return {
    record,
    pair,
    certificate: {
      pairId: id,
      source: { text: "Bhagavad Gītā", chapter, sentence },
      rule,
      lemma: stem,
      construction: `${made.relation} ${made.cells.join(" > ")}`,
      cellFrom,
      cellTo,
      checks: ["one"],
      marks,
      explanation: "made for a test",
      sourceSpelling: grammatical,
      proposedBy: "rules",
      promptSha256: "",
      sha256: certificateHash({ ...pair, rule }),
    },
  };
}
