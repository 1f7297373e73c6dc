import { z } from "zod";
import { feverText, feverTitle } from "../retrieval/fever_text.ts";
import { evidencePassage } from "./evidence_passage.ts";
import type { FeverPages } from "./fever_pages.ts";
import { collected, labelled, leftOut, type LoadedCases, readRows } from "./load_cases.ts";

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
export interface FeverSentence {
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
