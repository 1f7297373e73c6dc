import type { LabelledCase } from "../cases/labelled_case.ts";
import type { VerdictLabel } from "../verdicts/verdict.ts";
import type { Split } from "./country_split.ts";
import type { SourceForm } from "./sources.ts";

/** A case made out of the knowledge base, with how it was made. */
export interface KnowledgeCase extends LabelledCase {
  readonly label: VerdictLabel;
  readonly split: Split;
  readonly kind: "fact" | "prose" | "two statements" | "opinion";
  /** What made the claim or the source differ; `removed`, `other topic`, … where info is missing. */
  readonly edit: string;
  readonly form: SourceForm;
}
