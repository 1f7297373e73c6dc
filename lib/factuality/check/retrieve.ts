import { type Claim, type ClaimResult, type EvaluationMode, sourcePassage } from "../types.ts";
import type { NotCheckable, Passage } from "../types.ts";
import { attempt, type EvaluationRun, within } from "./stage.ts";

/** A claim with what was looked up for it. */
export type LookedUpClaim = Pick<ClaimResult, "claim" | "retrieval" | "passages">;

/** Looks up each claim that can be checked, in order; none of the others. */
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
    // Nobody knows what the claim is about: a passage about something else would seem to bear it out.
    const why = `not looked up: what its "${open.pronoun}" stands for could not be resolved`;
    return result("not looked up", why);
  }
  return await attempt(run, `The knowledge base ${retriever!.name}`, async () => {
    const look = (signal?: AbortSignal) => retriever!.retrieve(text, { signal });
    const passages = await within(run, timeLimits?.retriever, look);
    if (passages.length === 0) {
      const why = "no passage of the knowledge base is close enough to the claim";
      return result("nothing found", why);
    }
    return result("found", `${passages.length} passage${passages[1] ? "s" : ""}`, passages);
  }, (message) => result("failed", message));
}

/** What a statement is that no source can decide, with its article. */
export const NOT_CHECKABLE_WORDS: Readonly<Record<NotCheckable, string>> = {
  question: "a question",
  opinion: "an opinion of the writer's",
  hedge: "a disclaimer of the writer's",
  instruction: "a remark to the reader",
  fragment: "a fragment of a sentence",
};

/** What a claim is checked against: the source text where there is one, and what was looked up. */
export function passagesOf(
  source: string,
  { passages }: Pick<LookedUpClaim, "passages">,
): readonly Passage[] {
  const looked = passages.map(({ passage }) => passage);
  return source.trim() === "" ? looked : [sourcePassage(source), ...looked];
}

/** The knowledge base counts where it has answered, if only that it has nothing. */
export function modeOf(source: string, claims: readonly LookedUpClaim[]): EvaluationMode {
  const answered = claims.some(({ retrieval: { status } }) =>
    status === "found" || status === "nothing found"
  );
  if (source.trim() === "") return answered ? "retrieval" : "zero retrieval";
  return answered ? "source and retrieval" : "source";
}
