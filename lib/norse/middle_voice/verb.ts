import { type MiddleForm, middleFormsOf, readActiveParts } from "./forms.ts";

/** What -sk does to the verb. */
export type MiddleFunction = "reciprocal" | "reflexive" | "anticausative" | "reported" | "seeming";

/** What the active verb would need and the clause with -sk does not have. */
export type MissingPiece =
  | "accusative_object"
  | "dative_object"
  | "object_and_recipient"
  | "dative_instead_of_accusative"
  | "accusative_predicate"
  | "accusative_subject_of_infinitive"
  | "accusative_experiencer";

/** Where in the clause the frame is seen. */
export type FrameTest =
  /** The clause has no object: the usual case. */
  | { readonly kind: "no_object" }
  /** A predicate in the nominative follows (gerask, nefnask, lítask). */
  | { readonly kind: "nominative_predicate" }
  /** An infinitive or predicate follows, and no accusative stands before it (kveðask). */
  | { readonly kind: "bare_complement" }
  /** One of these words follows within the clause (leggjask í rekkju); others license the active. */
  | {
    readonly kind: "followed_by";
    readonly words: readonly string[];
    readonly licensed?: readonly string[];
  }
  /** Somebody in the dative and what seems, unless that could be what is shown (sýnask, virðask). */
  | { readonly kind: "seems" }
  /** Nothing in the clause could license the active. */
  | { readonly kind: "always" };

export interface MiddleVerb {
  /** Ends the rule's identifier: `MV_` + id. */
  readonly id: string;
  /** Infinitive of the middle, e.g. `berjask`. */
  readonly lemma: string;
  readonly active: string;
  readonly middleGloss: string;
  readonly activeGloss: string;
  readonly function: MiddleFunction;
  readonly missing: MissingPiece;
  readonly frame: FrameTest;
  readonly forms: readonly MiddleForm[];
  /** 2 or 3 where an active reading is far-fetched but can be thought of. */
  readonly tier: 1 | 2 | 3;
  /** The active can have a clause with `at` as its object. */
  readonly takesClause: boolean;
}

export type VerbRow = readonly [
  id: string,
  parts: string,
  middleGloss: string,
  activeGloss: string,
  function_: MiddleFunction,
  missing: MissingPiece,
  more?: {
    readonly frame?: FrameTest;
    readonly tier?: 2 | 3;
    readonly takesClause?: true;
    /** Forms the parts do not give; they come first. */
    readonly extra?: readonly MiddleForm[];
  },
];

/** A verb from its row. @throws SyntaxError when its five parts are not five. */
export function middleVerb(
  [id, text, middleGloss, activeGloss, kind, missing, more]: VerbRow,
): MiddleVerb {
  const parts = readActiveParts(text);
  return {
    id,
    lemma: `${parts.infinitive}sk`,
    active: parts.infinitive,
    middleGloss,
    activeGloss,
    function: kind,
    missing,
    frame: more?.frame ?? { kind: "no_object" },
    forms: [...(more?.extra ?? []), ...middleFormsOf(parts)],
    tier: more?.tier ?? 1,
    takesClause: more?.takesClause ?? false,
  };
}
