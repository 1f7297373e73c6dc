import type { TextSpan } from "../text_span.ts";

/** What a claim turns on; a claim with a date or duration is temporal, with a quantity numerical. */
export type ClaimKind = "factual" | "temporal" | "numerical";

export const CLAIM_KINDS: readonly ClaimKind[] = ["factual", "temporal", "numerical"];

/** Why a statement cannot be checked against any source. */
export type NotCheckable = "question" | "opinion" | "hedge" | "instruction" | "fragment";

/** What the splitter did to make the claim stand alone, or could not do. */
export type ClaimNote =
  | { readonly kind: "pronoun resolved"; readonly pronoun: string; readonly to: string }
  | { readonly kind: "pronoun unresolved"; readonly pronoun: string }
  | { readonly kind: "subject supplied"; readonly subject: string };

/** One atomic statement of a candidate output. */
export interface Claim {
  /** `c1`, `c2`, … in the order of the text. */
  readonly id: string;
  /** A sentence that can be checked on its own. */
  readonly text: string;
  /** Where the claim's own words stand in the candidate output, in order, without overlap. */
  readonly spans: readonly TextSpan[];
  /** The sentence it was taken from. */
  readonly sentence: TextSpan;
  readonly kind: ClaimKind;
  /** Undefined for a claim that can be checked. */
  readonly notCheckable: NotCheckable | undefined;
  readonly notes: readonly ClaimNote[];
}

/** What takes a candidate output apart. Named in every report. */
export interface ClaimSplitter {
  readonly name: string;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Claims in the order of the text; none for a text without a statement. */
  split(text: string, options?: { readonly signal?: AbortSignal }): Promise<SplitResult>;
}

/** The claims, and what was proposed (by a language model) but is not in the text. */
export interface SplitResult {
  readonly claims: readonly Claim[];
  readonly dropped: readonly { readonly text: string; readonly reason: string }[];
}
