import { join } from "node:path";
import { ruleSplitter } from "../../lib/factuality/claims/rule_splitter.ts";
import {
  formatTrainingPairs,
  type Shown,
  type TrainingPair,
  trainingPairs,
} from "../../lib/factuality/fine_tuning/training_pairs.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import type { KnowledgeCase } from "../../lib/factuality/training/knowledge_case.ts";
import { KNOWLEDGE_SEED, knowledgeClaims } from "../../lib/factuality/training/knowledge_claims.ts";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { sha256Hex } from "../../lib/files/checksum.ts";
import { miniLmFiles } from "../../lib/models/encoder/minilm_files.ts";
import { wordPieces, type WordPieceVocabulary } from "../../lib/models/encoder/word_pieces.ts";

/** Most tokens of a pair: a processor has the time for so many. */
export const LONGEST = 96;

/** The verifier's own claims: what one learns from them can be set beside the other. */
const CLAIMS = { seed: KNOWLEDGE_SEED, prosePerCountry: 4, factsPerCountry: 2 };

/** A file of pairs and what is in it. */
export interface PairFile {
  readonly rows: readonly TrainingPair[];
  readonly path: string;
  readonly sha256: string;
}

/** What is trained on and measured with. */
export interface Material {
  readonly cases: readonly KnowledgeCase[];
  readonly vocabulary: WordPieceVocabulary;
  readonly pairs: Readonly<Record<Shown, PairFile>>;
}

const FILES: Readonly<Record<Shown, string>> = {
  "evidence and claim": "pairs.jsonl",
  "claim only": "claims_only.jsonl",
};

/** The claims out of the knowledge base, and as files of pairs in `folder`. */
export async function fineTuningMaterial(
  cacheDirectory: string,
  folder: string,
): Promise<Material> {
  const { vocabulary } = await miniLmFiles(cacheDirectory);
  const fields = await factbookFields(cacheDirectory);
  const cases = await knowledgeClaims(fields, { ...CLAIMS, splitter: ruleSplitter() });
  const tokenise = (text: string) => wordPieces(text, vocabulary).map(({ id }) => id);
  const frame = { first: vocabulary.first, separator: vocabulary.last, longest: LONGEST };
  const written = (shown: Shown): PairFile => {
    const rows = trainingPairs(cases, { tokenise, frame, shown });
    const text = formatTrainingPairs(rows);
    const path = join(folder, FILES[shown]);
    writeTextAtomic(path, text);
    return { rows, path, sha256: sha256Hex(text) };
  };
  const pairs = {
    "evidence and claim": written("evidence and claim"),
    "claim only": written("claim only"),
  };
  return { cases, vocabulary, pairs };
}
