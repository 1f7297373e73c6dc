import type { Claim } from "../claims/claim.ts";
import type { RetrievedPassage, Retriever } from "../retrieval/passage.ts";
import type { ClaimResult } from "./evaluation.ts";
import { NOT_CHECKABLE_WORDS } from "./not_checkable_words.ts";
import { orElse, type Run } from "./run.ts";

/** What was looked up for one claim. */
export type Lookup = Pick<ClaimResult, "retrieval" | "passages">;

/** Looks up each claim that can be checked, in order; none of the others. */
export async function retrievePassages(
  run: Run,
  claims: readonly Claim[],
): Promise<readonly Lookup[]> {
  const { retriever, retrieverProblem } = run.components;
  if (retriever === undefined) return claims.map(() => withoutRetriever(retrieverProblem));
  const lookups: Lookup[] = [];
  for (const claim of claims) {
    lookups.push(withoutLookup(claim) ?? await lookUp(run, retriever, claim.text));
  }
  return lookups;
}

async function lookUp(run: Run, retriever: Retriever, claim: string): Promise<Lookup> {
  return await orElse(
    run,
    `The knowledge base ${retriever.name}`,
    async () => found(await retriever.retrieve(claim, { signal: run.signal })),
    (message) => ({ retrieval: { status: "failed", message }, passages: [] }),
  );
}

function withoutRetriever(problem: string | undefined): Lookup {
  return problem === undefined
    ? {
      retrieval: { status: "disabled", message: "no knowledge base is configured" },
      passages: [],
    }
    : { retrieval: { status: "failed", message: problem }, passages: [] };
}

function found(passages: readonly RetrievedPassage[]): Lookup {
  if (passages.length === 0) {
    const message = "no passage of the knowledge base is close enough to the claim";
    return { retrieval: { status: "nothing found", message }, passages };
  }
  const message = passages.length === 1 ? "1 passage" : `${passages.length} passages`;
  return { retrieval: { status: "found", message }, passages };
}

/**
 * Nobody knows what a claim is about whose pronoun could not be resolved: a passage about something
 * else would seem to bear it out.
 */
function withoutLookup({ notCheckable, notes }: Claim): Lookup | undefined {
  if (notCheckable !== undefined) {
    const message = `not looked up: the statement is ${NOT_CHECKABLE_WORDS[notCheckable]}`;
    return { retrieval: { status: "disabled", message }, passages: [] };
  }
  const open = notes.find(({ kind }) => kind === "pronoun unresolved");
  if (open === undefined) return undefined;
  const message = "not looked up: what its pronoun stands for could not be resolved";
  return { retrieval: { status: "nothing found", message }, passages: [] };
}
