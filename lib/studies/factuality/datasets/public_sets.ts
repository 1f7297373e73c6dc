import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { sha256Hex } from "../../../files/atomic.ts";
import { outsideFile, type OutsideSet } from "../../../files/table.ts";
import { sentencesOf } from "../../../factuality/claims/sentences.ts";
import { feverText, feverTitle, textLines } from "../../../factuality/retrieval/texts.ts";
import {
  entityGroups,
  evidencePassage,
  labelledFile,
  loadCases,
  loadCsvCases,
  type LoadedCases,
  loadedCases,
  readRows,
  rejectedRow,
  type RowCases,
} from "../../../factuality/labelled_case.ts";
import { type CaseLabel } from "../../../factuality/types.ts";

const TEXT = z.string().min(1);

const LABELS = {
  SUPPORTS: "supported",
  REFUTES: "refuted",
  "NOT ENOUGH INFO": "not enough info",
} as const;

/**
 * Schema of an evidence item: annotation, evidence, page, sentence. Page and sentence are null
 * without evidence.
 */
const SENTENCE = z.tuple([z.unknown(), z.unknown(), z.string().nullable(), z.int().nullable()]);

const ROW = z.object({
  id: z.int(),
  claim: TEXT,
  label: z.enum(["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]),
  evidence: z.array(z.array(SENTENCE)),
});

/**
 * Reads FEVER (Thorne et al. 2018, arXiv 1803.05355), one claim per line. Without the wiki-pages
 * (`readFeverPages`) cases have no passages. Of several evidence sets the first one in the pages is
 * used; a claim without such a set is left out. The cluster is the page of the evidence, or the
 * claim.
 */
export function feverCases(path: string, pages?: FeverPages): LoadedCases {
  const { rows, damaged } = readRows(path, ROW);
  const textOf = ([page, sentence]: FeverSentence) => pages?.get(page)?.[sentence] || undefined;
  const made = rows.map((row): RowCases => {
    const id = `fever-${row.id}`;
    const sets = evidenceSets(row);
    const evidence = sets.find((set) => set.every((one) => textOf(one) !== undefined));
    if (pages && !evidence && sets.length > 0) return rejectedRow(id, "its evidence is in no page");
    const passages = (evidence ?? []).map((one) => {
      const [page, sentence] = one;
      const text = feverText(textOf(one)!);
      return evidencePassage("fever", `${page}/${sentence}`, text, feverTitle(page));
    });
    const cluster = sets[0]?.[0]?.[0] ?? id;
    return { id, claim: row.claim, passages, label: LABELS[row.label], cluster, set: "fever" };
  });
  return loadedCases(made, damaged);
}

/** Names of the pages that {@link feverCases} needs for a file of claims. */
export const feverPageNames = (path: string): ReadonlySet<string> =>
  new Set(
    readRows(path, ROW).rows.flatMap((row) => evidenceSets(row).flat().map(([page]) => page)),
  );

/** A sentence by page and number, as in the claims' file. */
type FeverSentence = readonly [page: string, sentence: number];

const evidenceSets = ({ evidence }: z.infer<typeof ROW>): readonly (readonly FeverSentence[])[] =>
  evidence.map((set) =>
    set.flatMap(([, , page, sentence]): FeverSentence[] =>
      page === null || sentence === null ? [] : [[page, sentence]]
    )
  ).filter((set) => set.length > 0);

/** Sentences by number, for each page name as in the claims' file. */
type FeverPages = ReadonlyMap<string, readonly string[]>;
const PAGE = z.object({ id: z.string(), lines: z.string() });

/**
 * Reads the named pages of FEVER's wiki-pages, plain or `.gz`. @throws {Error} for a folder without
 * them.
 */
export async function readFeverPages(folder: string, names: ReadonlySet<string>) {
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
  } catch {
    return undefined;
  }
}

/**
 * Splits a page's lines (number, sentence and links, separated by tabs); sentences may contain line
 * breaks.
 */
function sentencesIn(lines: string): readonly string[] {
  const sentences: string[] = [];
  for (const line of lines.split("\n")) {
    const [, number, sentence] = /^(\d+)\t([^\t]*)/u.exec(line) ?? [];
    if (number !== undefined && sentence !== undefined) sentences[Number(number)] = sentence;
  }
  return sentences;
}

/**
 * Reads a set of HaluEval (Li et al. 2023, arXiv 2305.11747): a correct claim and one that ChatGPT
 * was asked to invent from the same knowledge, which is the cluster. @param names Field names of
 * knowledge, correct claim and invented claim.
 */
function halueval(
  set: string,
  names: readonly [knowledge: string, right: string, hallucinated: string],
  claimOf = (claim: string, _row: Readonly<Record<string, string | undefined>>) => claim,
  more: readonly string[] = [],
) {
  const fields = Object.fromEntries([...names, ...more].map((name) => [name, TEXT]));
  const schema = z.object({ ...fields, id: z.string().optional() });
  return (path: string) =>
    loadCases(path, schema, (row: Readonly<Record<string, string | undefined>>, line) => {
      const [knowledge, right, hallucinated] = names.map((name) => row[name]!);
      const id = row["id"] ?? `${set.replace("summarization", "summary")}-${line}`;
      const name = `halueval_${set}`;
      // Some knowledge occurs in several rows.
      const cluster = sha256Hex(knowledge!).slice(0, 16);
      const common = { passages: [evidencePassage(name, id, knowledge!)], cluster, set: name };
      return [
        { id: `${id}/right`, claim: claimOf(right!, row), label: "supported", ...common },
        {
          id: `${id}/hallucinated`,
          claim: claimOf(hallucinated!, row),
          label: "not supported",
          ...common,
        },
      ];
    });
}

/**
 * HaluEval's questions. Both claims have the form `question: answer.`, since full sentences would
 * reveal the label. Length still does: in 96 % of the 1,000 pairs of halueval_qa the invented one
 * is longer. A score is therefore informative only next to that of length.
 */
export const haluevalQuestions = halueval(
  "qa",
  ["knowledge", "right_answer", "hallucinated_answer"],
  (answer, { question }) => {
    const trimmed = answer.trim();
    const asked = question!.replace(/\s*[?.]*\s*$/u, "");
    return `${asked}: ${/[.!?]$/u.test(trimmed) ? trimmed : `${trimmed}.`}`;
  },
  ["question"],
);

/** HaluEval's dialogues; the claim is the reply alone. */
export const haluevalDialogues = halueval(
  "dialogue",
  ["knowledge", "right_response", "hallucinated_response"],
);

/** HaluEval's summaries; the claim is the summary, often of several sentences. */
export const haluevalSummaries = halueval(
  "summarization",
  ["document", "right_summary", "hallucinated_summary"],
);

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
  response: TEXT,
});

const SOURCE = z.object({
  source_id: z.string(),
  source_info: z.union([TEXT, z.record(z.string(), z.json())]),
});

/**
 * Reads RAGTruth (Niu et al. 2024, arXiv 2401.00396); a case is a sentence of a response. It is
 * refuted where a marked conflict overlaps it, not enough info where only baseless information
 * does, else supported. Responses of poor quality are left out. The cluster is the source. @throws
 * {Error} naming an unreadable file.
 */
export function ragtruthCases(paths: { readonly responses: string; readonly sources: string }) {
  const sources = readRows(paths.sources, SOURCE);
  const passages = new Map(sources.rows.map(({ source_id, source_info }) => {
    const text = typeof source_info === "string" ? source_info : JSON.stringify(source_info);
    return [source_id, evidencePassage(RAGTRUTH, source_id, text)];
  }));
  const { rows, damaged } = readRows(paths.responses, RESPONSE);
  const made = rows.flatMap((row): readonly RowCases[] => {
    const passage = passages.get(row.source_id);
    if (passage === undefined) return [rejectedRow(row.id, `source ${row.source_id} is missing`)];
    if (row.quality !== "good") return [rejectedRow(row.id, `quality: ${row.quality}`)];
    const common = { passages: [passage], cluster: row.source_id, set: RAGTRUTH };
    return sentencesOf(row.response).map(({ text: claim, start, end }, index) => {
      const marks = row.labels.filter((label) => label.start < end && label.end > start)
        .map(({ label_type }) => label_type);
      const isRefuted = marks.some((mark) => mark.endsWith("Conflict"));
      const unknown = marks.length > 0 ? "not enough info" : "supported";
      const label = isRefuted ? "refuted" : unknown;
      return { id: `${row.id}/${index + 1}`, claim, label, ...common };
    });
  });
  return loadedCases(made, [...damaged, ...sources.damaged]);
}

const TRUTHFULQA_ROW = z.object({
  Question: TEXT,
  "Best Answer": TEXT,
  "Correct Answers": z.string(),
  "Incorrect Answers": z.string(),
});

/**
 * Reads TruthfulQA (Lin et al. 2022, arXiv 2109.07958) from its authors' CSV. Each answer,
 * separated by ";", is a claim: correct ones are supported, incorrect ones refuted. There are no
 * passages, so that claims need a knowledge base. The cluster is the question. @throws {Error}
 * naming the file, where it cannot be read or lacks a column.
 */
export const truthfulqaCases = (path: string) =>
  loadCsvCases(
    path,
    (header) => {
      const missing = Object.keys(TRUTHFULQA_ROW.shape).find((column) => !header.includes(column));
      if (missing !== undefined) throw new SyntaxError(`the column "${missing}" is missing`);
      return header;
    },
    TRUTHFULQA_ROW,
    (row, line) => {
      const answersIn = (field: string) =>
        field.split(";").map((answer) => answer.trim()).filter((answer) => answer !== "");
      const correct = new Set([row["Best Answer"].trim(), ...answersIn(row["Correct Answers"])]);
      const incorrect = new Set(answersIn(row["Incorrect Answers"]));
      const common = { passages: [], cluster: row.Question.trim(), set: "truthfulqa" };
      return [...correct, ...incorrect].map((claim, index) => {
        const id = `truthfulqa-${line}/${index + 1}`;
        if (/^I (?:have no comment|don['’]t know)/iu.test(claim)) {
          return rejectedRow(id, "says nothing");
        }
        const label = index < correct.size ? "supported" as const : "refuted" as const;
        return { id, claim, label, ...common };
      });
    },
    (reason) =>
      `${path} is no TruthfulQA table: ${reason}. Take the authors' TruthfulQA.csv as it is.`,
  );

/** Labels of stances; `partially-support` does not decide whether a claim is supported. */
const STANCE_LABELS = {
  "completely-support": "supported",
  "partially-support": "not supported",
  refute: "refuted",
  irrelevant: "not enough info",
} as const satisfies Record<string, CaseLabel>;

const STANCE_ROW = z.object({
  claim: TEXT,
  evidence: TEXT,
  stance: z.enum(Object.keys(STANCE_LABELS) as (keyof typeof STANCE_LABELS)[]),
});

/**
 * Reads FactCheck-GPT's stances of web evidence towards atomic claims (Wang et al. 2023, arXiv
 * 2311.09000). Claims that share evidence, directly or through others, form a cluster. Measure
 * twice and report both: with partially supported claims left out, and as not supported; the second
 * is a set with its own name.
 */
export function factcheckgptCases(path: string, partial: "left out" | "not supported") {
  const set = partial === "left out" ? "factcheckgpt_stance" : "factcheckgpt_stance with partial";
  const { cases, ...rest } = loadCases(path, STANCE_ROW, ({ claim, evidence, stance }, line) => {
    const id = `stance-${line}`;
    if (stance === "partially-support" && partial === "left out") {
      return [rejectedRow(id, "the evidence bears it out in part")];
    }
    const passages = [evidencePassage(set, id, evidence)];
    return [{ id, claim, passages, label: STANCE_LABELS[stance], cluster: claim, set }];
  });
  const groups = entityGroups(cases);
  return { ...rest, cases: cases.map((one, i) => ({ ...one, cluster: cases[groups[i]!]!.claim })) };
}

const FACTSCORE_ROW = z.object({
  model: z.string(),
  topic: TEXT,
  facts: z.array(z.tuple([TEXT, z.enum(["S", "NS", "IR"])])),
});

/**
 * Reads FActScore's atomic facts of biographies (Min et al. 2023, arXiv 2305.14251), labelled by
 * people against Wikipedia: S supported, NS not supported, IR irrelevant and left out. There are no
 * passages. The cluster is the response.
 */
export const factscoreCases = (path: string) =>
  loadCases(path, FACTSCORE_ROW, ({ model, topic, facts }) => {
    const cluster = `${model}/${topic}`;
    const common = { passages: [], cluster, set: "factscore_labeled" };
    return facts.map(([claim, read], index) => {
      const id = `${cluster}/${index + 1}`;
      if (read === "IR") return rejectedRow(id, "irrelevant to what was asked");
      const label = read === "S" ? "supported" as const : "not supported" as const;
      return { id, claim, label, ...common };
    });
  });

/** A file of labelled claims with its format. */
export interface CaseSource {
  readonly format: CaseFormatName;
  readonly path: string;
}

/**
 * Parses FORMAT:FILE, or FILE in Touchstone's format; "C:" is a drive. @throws {RangeError} for
 * others.
 */
export function caseSource(text: string): CaseSource {
  const [, prefix, rest] = /^([^:/\\]{2,}):(.*)$/su.exec(text) ?? [];
  const format = prefix === undefined ? "file" : CASE_FORMATS.find((name) => name === prefix);
  const path = rest ?? text;
  if (format !== undefined && path !== "") return { format, path };
  throw new RangeError(
    `Cannot read the cases: --cases is "${text}"; it is FORMAT:FILE or FILE. The formats are ` +
      `${CASE_FORMATS.join(", ")}.`,
  );
}

/** Readers of the formats. A set of several files is named by its file of claims. */
const FORMATS = {
  file: labelledFile,
  async fever(path) {
    const folder = join(dirname(path), "wiki-pages");
    const names = () => feverPageNames(path);
    return feverCases(path, existsSync(folder) ? await readFeverPages(folder, names()) : undefined);
  },
  truthfulqa: truthfulqaCases,
  halueval: haluevalQuestions,
  "halueval-dialogue": haluevalDialogues,
  "halueval-summaries": haluevalSummaries,
  ragtruth: (path) =>
    ragtruthCases({ responses: path, sources: join(dirname(path), "source_info.jsonl") }),
  factcheckgpt: (path) => factcheckgptCases(path, "left out"),
} as const satisfies Record<string, (path: string) => LoadedCases | Promise<LoadedCases>>;

/** Name of a format of labelled claims; `file` is Touchstone's. */
type CaseFormatName = keyof typeof FORMATS;
export const CASE_FORMATS = Object.keys(FORMATS) as readonly CaseFormatName[];

/** Reads the labelled claims of a file and its companions. @throws {Error} naming the file. */
export const readLabelledCases = async (format: CaseFormatName, path: string) =>
  await FORMATS[format](path);

/** Human-labelled sets by the name in their cases. */
const STANCES: OutsideSet = {
  name: "factcheckgpt_stance",
  file: "factcheckgpt_stance.jsonl",
  sha256: "b7e34695c50e24af741d92d7ea8a46cad660fc59b7cbbdc6fb386f9e298b25a4",
  licence: "Apache-2.0",
  origin: "subtasks/subtask3_claim_evidence_stance.jsonl of yuxiaw/Factcheck-GPT at commit " +
    "7284eefd1dcb164e9b97a53b28afd9cb4c9734c0",
  made:
    "1,452 rows of that file, at most 450 of each stance, in random order; how they were drawn is " +
    "not recorded. `factuality/human_answers.csv` says which: its column `case_sha256` is the digest of " +
    "claim and evidence of row N of the draw, whose id is `stance-N`.",
};
const HALUEVAL_QA: OutsideSet = {
  name: "halueval_qa",
  file: "halueval_qa.jsonl",
  sha256: "eaad08e7cba2c420556218555b01444586cbd72501e1bf64d6c8aee74572412e",
  licence: "MIT",
  origin:
    "generation/qa/qa_one-turn_data.json at commit aa2bb01da4077acdb247ad68d0f3e24a6e37431c and " +
    "generation/qa/qa_multi-turn_data.json at commit 26f276cbafd7a6e95c4a278593077172418b6541 of " +
    "RUCAIBox/HaluEval",
  made:
    "The 500 rows of the first file and the 500 of the second, each with two fields put first: " +
    '`"id": "one-turn-0"` to `"one-turn-499"` with `"mode": "one-turn"`, and the same with ' +
    "`multi-turn`. The two files have the SHA-256 " +
    "`a69227a32d03a0f034db10de62a92cdfd0e57c305f72a9f8c48e0edab74e44f6` and " +
    "`61af08bcde256cecd303413f078650f3efaf70600f6a599f29cade31eacd2f5b`.",
};
export const FACTSCORE: OutsideSet = {
  name: "factscore_labeled",
  file: "factscore_labeled.jsonl",
  sha256: "a04e4564514bb86b3194ee2406d0e63c4466e3a0aea2b3ba3740ac08aa3dabb2",
  licence: "MIT",
  origin:
    "the labelled biographies of data.zip, which factscore/download_data.py of shmsw25/FActScore " +
    "at commit 03af536a5f7b0ed3b412ae377a239e1391e7c962 names",
  made:
    "Its 183 responses each of ChatGPT, InstructGPT and PerplexityAI, one a line with the fields " +
    "`model`, `topic`, `cat`, `output` and `facts` (pairs of a fact and `S`, `NS` or `IR`).",
};
export const NLI_DEVELOPMENT: OutsideSet = {
  name: "nli_development",
  file: "nli_development.jsonl.gz",
  sha256: "80623eb1172d98ed57517902499575271cddeacd24b35dd66232aaca3a195996",
  licence: "by source: CC BY-SA 3.0 and 4.0, CC BY 4.0, Apache-2.0, MIT, CC0, OANC",
  origin: "the collections that data/README.md names; the draw itself is published nowhere",
  made:
    "2,960 pairs {claim, evidence, label, source}, split by claim or document from 142,967 of FEVER, " +
    "VitaminC, SNLI, CAD, Breaking NLI, MNLI, WANLI, BEGIN, InfoTabs, Fool-Me-Twice, SummEdits, Q², " +
    "HaluEval, BUMP, negation-and-nli, ScoNe and wiki NLI; how they were drawn is not recorded. " +
    "`factuality/verifier_answers.csv` has every answer about them.",
};
/**
 * Handwritten claims about four texts: true, changed as people change facts, or absent from the
 * text.
 */
export const WRITTEN_BY_HAND: OutsideSet = {
  name: "hand-written",
  file: "written_by_hand.jsonl",
  sha256: "bfa643fb76de348709576973c9cc2f9863fe6c3897308015c175abede5c3863e",
  licence: "none stated",
  origin: "whoever reviewed this project; it is published nowhere",
  made: "51 claims {id, cluster, claim, source, label} on texts of 150 to 300 words.",
};

export const OUTSIDE_SETS: readonly OutsideSet[] = [
  STANCES,
  HALUEVAL_QA,
  FACTSCORE,
  NLI_DEVELOPMENT,
  WRITTEN_BY_HAND,
];

/** Stances without partially supported claims. */
export const STANCE_SET = {
  name: STANCES.name,
  set: STANCES,
  load: (path: string) => factcheckgptCases(path, "left out"),
};

/** Sets with sources, under each interpretation of their labels. */
export const HUMAN_SETS = [
  STANCE_SET,
  {
    name: `${STANCES.name} with partial`,
    set: STANCES,
    load: (path: string) => factcheckgptCases(path, "not supported"),
  },
  { name: HALUEVAL_QA.name, set: HALUEVAL_QA, load: haluevalQuestions },
];

/** Reads a set's cases from the folder given by `--folder`. @throws {Error} as `outsideFile()`. */
export const loadHumanSet = (
  { set, load }: (typeof HUMAN_SETS)[number],
  folder: string | undefined,
) => load(outsideFile(set, folder));
