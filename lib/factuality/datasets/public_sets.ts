import { join } from "node:path";
import { z } from "zod";
import { damageReason } from "../../files/csv.ts";
import { sentencesOf } from "../claims/sentences.ts";
import { feverText, feverTitle, textLines } from "../retrieval/texts.ts";
import type { Passage } from "../types.ts";
import {
  type CaseLabel,
  casesOfRecords,
  collected,
  evidencePassage,
  labelled,
  leftOut,
  loadCases,
  type LoadedCases,
  readCsvRecords,
  readRows,
  type RowCases,
} from "./labelled_case.ts";

const SET = "fever";

const LABELS = {
  SUPPORTS: "supported",
  REFUTES: "refuted",
  "NOT ENOUGH INFO": "not enough info",
} as const;

/** Annotation, evidence, page, sentence; page and sentence are null where there is no evidence. */
const SENTENCE = z.tuple([z.unknown(), z.unknown(), z.string().nullable(), z.int().nullable()]);

const ROW = z.object({
  id: z.int(),
  claim: z.string().min(1),
  label: z.enum(["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]),
  evidence: z.array(z.array(SENTENCE)),
});

type Row = z.infer<typeof ROW>;

/** A sentence of a page, as the claims' file names it. */
interface FeverSentence {
  readonly page: string;
  readonly sentence: number;
}

/**
 * FEVER (Thorne et al. 2018, arXiv 1803.05355), a labelled file of claims, one object a line. The
 * sentences themselves are in the wiki-pages that come with it (`readFeverPages`); without them, and
 * for claims without enough info, cases have no passages. Of several sets of evidence the first
 * that the pages hold is taken. A claim whose evidence is in none of the pages is left out. The
 * cluster is the page of the evidence, or the claim.
 */
export function feverCases(path: string, pages?: FeverPages): LoadedCases {
  const { rows, damaged } = readRows(path, ROW);
  const made = rows.map((row) => {
    const id = `fever-${row.id}`;
    const sets = evidenceSets(row);
    const found = pages && sets.find((set) => set.every((one) => textOf(pages, one) !== undefined));
    if (pages && !found && sets.length > 0) return leftOut(id, "its evidence is in no page");
    const passages = (found ?? []).map((one) =>
      evidencePassage(
        SET,
        `${one.page}/${one.sentence}`,
        feverText(textOf(pages!, one)!),
        feverTitle(one.page),
      )
    );
    const cluster = sets[0]?.[0]?.page ?? id;
    return labelled({
      id,
      claim: row.claim,
      passages,
      label: LABELS[row.label],
      cluster,
      set: SET,
    });
  });
  return collected(made, damaged);
}

/** The pages that a file of claims names: what {@link feverCases} will want to look up. */
export function feverPageNames(path: string): ReadonlySet<string> {
  const { rows } = readRows(path, ROW);
  return new Set(rows.flatMap((row) => evidenceSets(row).flat().map(({ page }) => page)));
}

function evidenceSets({ evidence }: Row): readonly (readonly FeverSentence[])[] {
  return evidence
    .map((set) =>
      set.flatMap(([, , page, sentence]) =>
        page === null || sentence === null ? [] : [{ page, sentence }]
      )
    )
    .filter((set) => set.length > 0);
}

function textOf(pages: FeverPages, { page, sentence }: FeverSentence): string | undefined {
  return pages.get(page)?.[sentence] || undefined;
}

/** Sentences by number, by the page's name as the claims' file writes it. */
type FeverPages = ReadonlyMap<string, readonly string[]>;
const PAGE = z.object({ id: z.string(), lines: z.string() });

/**
 * The named pages out of FEVER's folder of wiki-pages (`wiki-001.jsonl` …, or the same as `.gz`),
 * read line by line: only what is asked for is kept. A line that is no page is passed over.
 * @throws {Error} naming the folder, where it has no such file.
 */
export async function readFeverPages(
  folder: string,
  names: ReadonlySet<string>,
): Promise<FeverPages> {
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => /\.jsonl(?:\.gz)?$/u.test(name)).sort();
  if (files.length === 0) {
    throw new Error(
      `Cannot read FEVER's pages: ${folder} holds no .jsonl file. Unpack wiki-pages.zip there.`,
    );
  }
  const pages = new Map<string, readonly string[]>();
  for (const file of files) {
    for await (const line of textLines(join(folder, file))) {
      const page = parsePage(line);
      if (page && names.has(page.id)) pages.set(page.id, sentencesIn(page.lines));
    }
  }
  return pages;
}

function parsePage(line: string): z.infer<typeof PAGE> | undefined {
  try {
    return PAGE.parse(JSON.parse(line));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

/** Each line is number, sentence and links, separated by tabs; some sentences hold line breaks. */
function sentencesIn(lines: string): readonly string[] {
  const sentences: string[] = [];
  for (const line of lines.split("\n")) {
    const [, number, sentence] = /^(\d+)\t([^\t]*)/u.exec(line) ?? [];
    if (number !== undefined && sentence !== undefined) sentences[Number(number)] = sentence;
  }
  return sentences;
}

const QA = z.object({
  id: z.string().optional(),
  knowledge: z.string().min(1),
  question: z.string().min(1),
  right_answer: z.string().min(1),
  hallucinated_answer: z.string().min(1),
});

/**
 * HaluEval's questions (Li et al. 2023, arXiv 2305.11747), one object a line: a right answer and one
 * that ChatGPT was asked to make up, against the same knowledge. Two cases a question, which is the
 * cluster. The claim is `question: answer.` for both, whether or not the answer is a sentence: were
 * sentences to stand alone, the form would tell the label.
 *
 * Length still tells it. In the 1,000 questions beside the project the right answer has 2 words on
 * average and the made-up one 10; 4 % against 91 % have five or more, and in 96 % of pairs the
 * longer is made up. "Longer is wrong" needs no knowledge, so a score here says something only
 * beside that of the answer's length, and nothing of how a verifier fares elsewhere.
 */
export function haluevalQuestions(path: string): LoadedCases {
  return loadCases(path, QA, (row, line) => {
    const { knowledge, question, right_answer, hallucinated_answer } = row;
    const claim = (answer: string) =>
      `${question.replace(/\s*[?.]*\s*$/u, "")}: ${sentence(answer)}`;
    const texts = { right: claim(right_answer), hallucinated: claim(hallucinated_answer) };
    return bothWays("halueval_qa", row.id ?? `qa-${line}`, knowledge, texts);
  });
}

const DIALOGUE = z.object({
  knowledge: z.string().min(1),
  dialogue_history: z.string(),
  right_response: z.string().min(1),
  hallucinated_response: z.string().min(1),
});

/** HaluEval's dialogues: the claim is the reply alone. */
export function haluevalDialogues(path: string): LoadedCases {
  return loadCases(path, DIALOGUE, (row, line) => {
    const texts = { right: row.right_response, hallucinated: row.hallucinated_response };
    return bothWays("halueval_dialogue", `dialogue-${line}`, row.knowledge, texts);
  });
}

const SUMMARY = z.object({
  document: z.string().min(1),
  right_summary: z.string().min(1),
  hallucinated_summary: z.string().min(1),
});

/** HaluEval's summaries: the claim is the summary, often of several sentences. */
export function haluevalSummaries(path: string): LoadedCases {
  return loadCases(path, SUMMARY, (row, line) => {
    const texts = { right: row.right_summary, hallucinated: row.hallucinated_summary };
    return bothWays("halueval_summarization", `summary-${line}`, row.document, texts);
  });
}

function bothWays(
  set: string,
  cluster: string,
  knowledge: string,
  { right, hallucinated }: { readonly right: string; readonly hallucinated: string },
): readonly RowCases[] {
  const passages = [evidencePassage(set, cluster, knowledge)];
  const common = { passages, cluster, set };
  return [
    labelled({ id: `${cluster}/right`, claim: right, label: "supported", ...common }),
    labelled({
      id: `${cluster}/hallucinated`,
      claim: hallucinated,
      label: "not supported",
      ...common,
    }),
  ];
}

function sentence(answer: string): string {
  const trimmed = answer.trim();
  return /[.!?]$/u.test(trimmed) ? trimmed : `${trimmed}.`;
}

const RAGTRUTH = "ragtruth";

const SPAN = z.object({
  start: z.int().nonnegative(),
  end: z.int().positive(),
  label_type: z.enum([
    "Evident Conflict",
    "Subtle Conflict",
    "Evident Baseless Info",
    "Subtle Baseless Info",
  ]),
});

const RESPONSE = z.object({
  id: z.string(),
  source_id: z.string(),
  quality: z.string().default("good"),
  labels: z.array(SPAN),
  response: z.string().min(1),
});

const SOURCE = z.object({
  source_id: z.string(),
  source_info: z.union([z.string().min(1), z.record(z.string(), z.json())]),
});

type Response = z.infer<typeof RESPONSE>;

/**
 * RAGTruth (Niu et al. 2024, arXiv 2401.00396), `response.jsonl` and `source_info.jsonl`. Its people
 * marked stretches of responses; a case is a sentence: refuted where a marked conflict reaches into
 * it, not enough info where only baseless information does, else supported. Responses of poor
 * quality (truncated, wrongly refused) are left out. The cluster is the source, to which six models
 * responded. Structured sources are given as their JSON.
 * @throws {Error} naming the file, where one cannot be read.
 */
export function ragtruthCases(paths: {
  readonly responses: string;
  readonly sources: string;
}): LoadedCases {
  const sources = readRows(paths.sources, SOURCE);
  const passages = new Map(sources.rows.map((row) => [row.source_id, sourceOf(row)]));
  const { rows, damaged } = readRows(paths.responses, RESPONSE);
  const made = rows.flatMap((row) => casesOf(row, passages.get(row.source_id)));
  return collected(made, [...damaged, ...sources.damaged]);
}

function sourceOf({ source_id, source_info }: z.infer<typeof SOURCE>): Passage {
  const text = typeof source_info === "string" ? source_info : JSON.stringify(source_info);
  return evidencePassage(RAGTRUTH, source_id, text);
}

function casesOf(row: Response, passage: Passage | undefined): readonly RowCases[] {
  if (passage === undefined) return [leftOut(row.id, `source ${row.source_id} is missing`)];
  if (row.quality !== "good") return [leftOut(row.id, `quality: ${row.quality}`)];
  return sentencesOf(row.response).map(({ text, start, end }, index) => {
    const marked = row.labels.filter((label) => label.start < end && label.end > start);
    return labelled({
      id: `${row.id}/${index + 1}`,
      claim: text,
      passages: [passage],
      label: labelOf(marked.map(({ label_type }) => label_type)),
      cluster: row.source_id,
      set: RAGTRUTH,
    });
  });
}

function labelOf(marks: readonly string[]): CaseLabel {
  if (marks.length === 0) return "supported";
  return marks.some((mark) => mark.endsWith("Conflict")) ? "refuted" : "not enough info";
}

const TRUTHFULQA = "truthfulqa";

const TRUTHFULQA_ROW = z.object({
  Question: z.string().min(1),
  "Best Answer": z.string().min(1),
  "Correct Answers": z.string(),
  "Incorrect Answers": z.string(),
});

type TruthfulqaRow = z.infer<typeof TRUTHFULQA_ROW>;

/**
 * TruthfulQA (Lin et al. 2022, arXiv 2109.07958) as its authors' CSV: each answer is a claim,
 * correct ones supported and incorrect ones refuted by the world; answers are separated by ";".
 * There is no evidence in the file, so there are no passages: such claims need a knowledge base,
 * or are judged without. An answer that says nothing ("I have no comment") is left out. The cluster
 * is the question.
 * @throws {Error} naming the file, where it cannot be read or lacks a column.
 */
export function truthfulqaCases(path: string): LoadedCases {
  return casesOfRecords(readRecords(path), TRUTHFULQA_ROW, truthfulqaCasesOf);
}

function readRecords(path: string) {
  try {
    return readCsvRecords(path, withNeededColumns);
  } catch (cause) {
    throw new Error(
      `Cannot read the cases: ${path} is no TruthfulQA table: ${damageReason(cause)}. ` +
        "Take the authors' TruthfulQA.csv as it is.",
      { cause },
    );
  }
}

function withNeededColumns(header: readonly string[]): string[] {
  const missing = Object.keys(TRUTHFULQA_ROW.shape).find((column) => !header.includes(column));
  if (missing !== undefined) throw new SyntaxError(`the column "${missing}" is missing`);
  return [...header];
}

function truthfulqaCasesOf(row: TruthfulqaRow, line: number): readonly RowCases[] {
  const correct = new Set([row["Best Answer"].trim(), ...answersIn(row["Correct Answers"])]);
  const incorrect = new Set(answersIn(row["Incorrect Answers"]));
  const cluster = row.Question.trim();
  const claims = [
    ...[...correct].map((claim) => ({ claim, label: "supported" as const })),
    ...[...incorrect].map((claim) => ({ claim, label: "refuted" as const })),
  ];
  return claims.map(({ claim, label }, index) => {
    const id = `truthfulqa-${line}/${index + 1}`;
    if (/^I (?:have no comment|don['’]t know)/iu.test(claim)) return leftOut(id, "says nothing");
    return labelled({ id, claim, passages: [], label, cluster, set: TRUTHFULQA });
  });
}

function answersIn(field: string): readonly string[] {
  return field.split(";").map((answer) => answer.trim()).filter((answer) => answer !== "");
}

/** How a claim is read that its evidence bears out in part. */
type PartialSupport = "left out" | "not supported";

const STANCES = {
  "completely-support": "supported",
  refute: "refuted",
  irrelevant: "not enough info",
} as const;

const STANCE_ROW = z.object({
  claim: z.string().min(1),
  evidence: z.string().min(1),
  stance: z.enum(["completely-support", "partially-support", "refute", "irrelevant"]),
});

/**
 * FactCheck-GPT's stances of web evidence towards atomic claims (Wang et al. 2023, arXiv
 * 2311.09000), one object a line: claim, evidence, stance. The responses that the claims came from
 * are not in the file, so the cluster is the claim, which has one or several pieces of evidence.
 *
 * "partially-support" is no answer to whether the claim is borne out: measure with such rows left
 * out and with them as not supported, and report both; the second is a set of its own name.
 */
export function factcheckgptCases(path: string, partial: PartialSupport): LoadedCases {
  const set = partial === "left out" ? "factcheckgpt_stance" : "factcheckgpt_stance with partial";
  return loadCases(path, STANCE_ROW, ({ claim, evidence, stance }, line) => {
    const id = `stance-${line}`;
    if (stance === "partially-support" && partial === "left out") {
      return [leftOut(id, "the evidence bears it out in part")];
    }
    const label: CaseLabel = stance === "partially-support" ? "not supported" : STANCES[stance];
    const passages = [evidencePassage(set, id, evidence)];
    return [labelled({ id, claim, passages, label, cluster: claim, set })];
  });
}

const FACTSCORE = "factscore_labeled";

const FACTSCORE_ROW = z.object({
  model: z.string(),
  topic: z.string().min(1),
  facts: z.array(z.tuple([z.string().min(1), z.enum(["S", "NS", "IR"])])),
});

/**
 * FActScore's atomic facts of biographies (Min et al. 2023, arXiv 2305.14251), one response a line,
 * with people's word against Wikipedia: S supported, NS not supported, IR irrelevant and left out.
 * The articles are not in the file, so there are no passages. The cluster is the response.
 */
export function factscoreCases(path: string): LoadedCases {
  return loadCases(path, FACTSCORE_ROW, ({ model, topic, facts }) => {
    const cluster = `${model}/${topic}`;
    return facts.map(([claim, label], index) => {
      const id = `${cluster}/${index + 1}`;
      if (label === "IR") return leftOut(id, "irrelevant to what was asked");
      const read = label === "S" ? "supported" : "not supported";
      return labelled({ id, claim, passages: [], label: read, cluster, set: FACTSCORE });
    });
  });
}
