import { type Claim, type ClaimResult, type EvaluationMode, sourcePassage } from "../types.ts";
import type { NotCheckable, Passage } from "../types.ts";
import { attempt, type EvaluationRun, withinTimeLimit } from "./stage.ts";

/** A claim with its retrieval result. */
export type LookedUpClaim = Pick<ClaimResult, "claim" | "retrieval" | "passages">;

/** Retrieves passages for each checkable claim, in order. */
export async function retrieve(
  run: EvaluationRun,
  claims: readonly Claim[],
): Promise<readonly LookedUpClaim[]> {
  const { components: { retriever, retrieverProblem }, failed, advance } = run;
  if (retriever === undefined) {
    if (retrieverProblem !== undefined) failed.add(retrieverProblem);
    const status = retrieverProblem === undefined ? "disabled" : "failed";
    const message = retrieverProblem ?? "no knowledge base is configured";
    return claims.map((claim) => ({ claim, retrieval: { status, message }, passages: [] }));
  }
  const lookedUp: LookedUpClaim[] = [];
  for (const claim of claims) {
    lookedUp.push({ claim, ...await lookUp(run, claim) });
    advance(lookedUp.length, claims.length);
  }
  return lookedUp;
}

async function lookUp(run: EvaluationRun, { text, notCheckable, notes }: Claim) {
  const { components: { retriever, timeLimits } } = run;
  const result = (
    status: LookedUpClaim["retrieval"]["status"],
    message: string,
    passages: LookedUpClaim["passages"] = [],
  ) => ({ retrieval: { status, message }, passages });
  if (notCheckable !== undefined) {
    const why = `not looked up: the statement is ${NOT_CHECKABLE_WORDS[notCheckable]}`;
    return result("not looked up", why);
  }
  const open = notes.find(({ kind }) => kind === "pronoun unresolved");
  if (open?.kind === "pronoun unresolved") {
    // The referent is unknown: a passage about something else would seem to support the claim.
    const why = `not looked up: what its "${open.pronoun}" stands for could not be resolved`;
    return result("not looked up", why);
  }
  return await attempt(run, `The knowledge base ${retriever!.name}`, async () => {
    const look = (signal?: AbortSignal) => retriever!.retrieve(text, { signal });
    const passages = await withinTimeLimit(run, timeLimits?.retriever, look);
    if (passages.length === 0) {
      const why = "no passage of the knowledge base is close enough to the claim";
      return result("nothing found", why);
    }
    return result("found", `${passages.length} passage${passages[1] ? "s" : ""}`, passages);
  }, (message) => result("failed", message));
}

/** Phrases for the reasons why a statement cannot be checked ("a question"). */
export const NOT_CHECKABLE_WORDS: Readonly<Record<NotCheckable, string>> = {
  question: "a question",
  opinion: "an opinion of the writer's",
  hedge: "a disclaimer of the writer's",
  instruction: "a remark to the reader",
  fragment: "a fragment of a sentence",
};

/** Passages to check a claim against: the source text, if any, and the retrieved ones. */
export function passagesForClaim(
  source: string,
  { passages }: Pick<LookedUpClaim, "passages">,
): readonly Passage[] {
  const looked = passages.map(({ passage }) => passage);
  return source.trim() === "" ? looked : [sourcePassage(source), ...looked];
}

/** Grounding of an evaluation. The knowledge base counts if it answered, even without a passage. */
export function groundingMode(source: string, claims: readonly LookedUpClaim[]): EvaluationMode {
  const answered = claims.some(({ retrieval: { status } }) =>
    status === "found" || status === "nothing found"
  );
  if (source.trim() === "") return answered ? "retrieval" : "zero retrieval";
  return answered ? "source and retrieval" : "source";
}
