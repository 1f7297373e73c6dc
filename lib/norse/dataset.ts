/** The data set: where its pairs come from, how it is made, and its files. */
import { join } from "node:path";
import { z } from "zod";
import type { CertifiedPair } from "../pairs/certify.ts";
import {
  type DatasetItem,
  type DatasetReport,
  withCertificate,
  writeDataset,
} from "../pairs/dataset.ts";
import {
  type Candidates,
  chooseDataset,
  type Dataset,
  findCandidates,
  openRuleBook,
  type RuleBook,
} from "./candidates.ts";
import {
  CERTIFICATES,
  DATA,
  PAIR_SEED,
  PAIRS,
  REJECTIONS,
  type Sentence,
} from "./dataset_tables.ts";
import { type PromptTemplates, type ProposalRecord, type Verdict, verifyAll } from "./proposals.ts";
import { PHENOMENA, type Phenomenon } from "./rules.ts";

/** The rules alone, a model's proposals alone, or proposals first. */
export const SOURCES = ["rules", "llm", "both"] as const;
export type Source = (typeof SOURCES)[number];

/** Requirement 2.3's model. */
export const PROPOSER = "openai/gpt-oss-120b";

const SETTINGS = z.strictObject({
  source: z.enum(SOURCES),
  /** Of the selection. */
  seed: z.int(),
  /** The model whose proposals count; null where the rules are the only source. */
  proposer: z.string().min(1).nullable(),
  /** The data set rests on that many first answers of `proposals.jsonl`: asking may go on meanwhile. */
  answers: z.int().min(0),
}).refine(({ source, proposer }) => (source === "rules") === (proposer === null), {
  message: "a proposer belongs to the sources llm and both, and to these only",
});

/** `generation.json`: what the data set on record was made of. */
export type GenerationSettings = Readonly<z.infer<typeof SETTINGS>>;

/** `generation.json`, wherever the notebook or task was started from. */
const GENERATION_PATH = join(DATA, "generation.json");

/** The settings of a source, with so many answers on record. */
export function settingsOf(source: Source, answers = 0): GenerationSettings {
  return source === "rules"
    ? { source, seed: PAIR_SEED, proposer: null, answers: 0 }
    : { source, seed: PAIR_SEED, proposer: PROPOSER, answers };
}

/** The settings on record; those of the rules where there is no file. @throws SyntaxError for another file. */
export function readGenerationSettings(path: string = GENERATION_PATH): GenerationSettings {
  try {
    return SETTINGS.parse(JSON.parse(Deno.readTextFileSync(path)));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return settingsOf("rules");
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : error.message;
    throw new SyntaxError(
      `Cannot read ${path}: ${reason}. Run \`deno task generate\` or restore the committed file.`,
    );
  }
}

/** In words: `seed 20261121, source both with 812 answers of openai/gpt-oss-120b`. */
export function describeSettings({ source, seed, proposer, answers }: GenerationSettings): string {
  const asked = proposer === null ? "" : ` with ${answers} answers of ${proposer}`;
  return `seed ${seed}, source ${source}${asked}`;
}

/** A data set with everything it was chosen from. */
export interface Generation {
  /** One an answer of the proposer on record, in the order of the text, used or not. */
  readonly verdicts: readonly Verdict[];
  /** What the rules find by themselves, whatever the source. */
  readonly found: Candidates;
  /** What the data set was chosen from. */
  readonly candidates: Candidates;
  readonly dataset: Dataset;
}

/**
 * The data set of a source: the same input gives the same data set, in whatever order the answers
 * that it rests on arrived.
 */
export function generate({ sentences, records, templates, settings, rules }: {
  readonly sentences: readonly Sentence[];
  /** In the order of the file. */
  readonly records: readonly ProposalRecord[];
  readonly templates: PromptTemplates;
  readonly settings: GenerationSettings;
  /** Opened over the sentences unless given. */
  readonly rules?: RuleBook;
}): Generation {
  const book = rules ?? openRuleBook(sentences);
  const current = currentRecords(records, templates, sentences);
  const verdicts = verifyAll(current, sentences, book);
  const counted = new Set(records.slice(0, settings.answers));
  const used = verdicts.filter(({ record }) => counted.has(record));
  const found = findCandidates(sentences, book);
  const candidates = gatherCandidates(settings.source, found, used);
  return { verdicts, found, candidates, dataset: chooseDataset(candidates, settings.seed) };
}

/**
 * The records that count: the proposer's, asked with the templates as they are now, in the order of
 * the text, whatever the order of their arrival.
 */
export function currentRecords(
  records: readonly ProposalRecord[],
  templates: PromptTemplates,
  sentences: readonly Sentence[],
): readonly ProposalRecord[] {
  const place = new Map(sentences.map(({ id }, index) => [id, index]));
  const at = ({ sentenceId }: ProposalRecord) => place.get(sentenceId) ?? Infinity;
  return records
    .filter(({ model, promptSha256, phenomenon, sentenceId }) =>
      model === PROPOSER && promptSha256 === templates[phenomenon].sha256 && place.has(sentenceId)
    )
    .toSorted((a, b) =>
      at(a) - at(b) || PHENOMENA.indexOf(a.phenomenon) - PHENOMENA.indexOf(b.phenomenon)
    );
}

/**
 * What a data set is chosen from. `rules`: their own finds. `llm`: the confirmed proposals. `both`:
 * the rules' finds, those that were proposed too under the model's name; refusals of both, but for
 * answers that proposed nothing.
 */
function gatherCandidates(
  source: Source,
  found: Candidates,
  verdicts: readonly Verdict[],
): Candidates {
  if (source === "rules") return found;
  const confirmed = new Map<string, CertifiedPair<Phenomenon>>();
  const refused: Candidates["rejections"][number][] = [];
  for (const verdict of verdicts) {
    if (verdict.kind === "confirmed") {
      confirmed.set(changeKey(verdict.certified), verdict.certified);
    } else if (verdict.rejection.reason !== "nothing_proposed") refused.push(verdict.rejection);
  }
  const proposedTo = (pair: CertifiedPair<Phenomenon>) => confirmed.get(changeKey(pair));
  return source === "llm"
    ? {
      certified: found.certified.flatMap((pair) => proposedTo(pair) ?? []),
      rejections: refused,
    }
    : {
      certified: found.certified.map((pair) => proposedTo(pair) ?? pair),
      rejections: [...found.rejections, ...refused],
    };
}

/** Names the change: phenomenon, sentence, token and both texts' hash. */
function changeKey({ pair, certificate, tokenIndex }: CertifiedPair<Phenomenon>): string {
  const { chapter, sentence } = certificate.source;
  return JSON.stringify([pair.phenomenon, chapter, sentence, tokenIndex, certificate.sha256]);
}

/** The three tables of the data set; a test's own stand elsewhere. */
export const DATASET = {
  pairs: PAIRS,
  certificates: CERTIFICATES,
  rejections: REJECTIONS,
} as const;

/**
 * Writes pairs and certificates one by one (a killed run resumes), rejections whole.
 * @throws Error where rows of other settings stand in the way, and nothing was changed.
 */
export function writeNorseDataset(
  { items, rejections }: Pick<Dataset, "items" | "rejections">,
  settings: string,
  tables: typeof DATASET = DATASET,
): DatasetReport {
  const report = writeDataset({
    pairsPath: tables.pairs.path,
    certificatesPath: tables.certificates.path,
    phenomena: PHENOMENA,
    items,
    settings,
  });
  tables.rejections.write(rejections);
  return report;
}

/** Writes another data set whole, each file at once, in the place of the one that is there. */
export function replaceNorseDataset(
  { items, rejections }: Pick<Dataset, "items" | "rejections">,
  tables: typeof DATASET,
): void {
  tables.certificates.write(items.map(({ certificate }) => certificate));
  tables.rejections.write(rejections);
  tables.pairs.write(items.map(({ pair }) => pair));
}

/**
 * The data set as written: every pair with its certificate.
 * @throws SyntaxError for a damaged line or a pair whose certificate is another's.
 */
export function readNorseDataset(
  { pairs, certificates }: Pick<typeof DATASET, "pairs" | "certificates"> = DATASET,
): readonly DatasetItem<Phenomenon>[] {
  const byId = new Map(certificates.read().map((row) => [row.pairId, row]));
  const files = {
    pairsPath: pairs.path,
    certificatesPath: certificates.path,
    remedy: "Run notebook 12_norse_generation again.",
  };
  return pairs.read().map((pair) => withCertificate(pair, byId.get(pair.id), files));
}
