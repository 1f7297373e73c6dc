import type { Claim } from "../claims/claim.ts";
import type { RetrievedPassage } from "../retrieval/passage.ts";
import type { ClaimResult } from "./evaluation.ts";
import { orElse, type Run } from "./run.ts";

/** What was looked up for one claim. */
export type Lookup = Pick<ClaimResult, "retrieval" | "passages">;

/** Looks up each claim that can be checked, in order; none of the others. */
export async function retrievePassages(
  run: Run,
  claims: readonly Claim[],
): Promise<readonly Lookup[]> {
  const lookups: Lookup[] = [];
  for (const claim of claims) {
    lookups.push(claim.notCheckable ? notLookedUp(claim) : await lookUp(run, claim.text));
  }
  return lookups;
}

async function lookUp(run: Run, claim: string): Promise<Lookup> {
  const { components: { retriever, retrieverProblem }, signal } = run;
  if (retriever === undefined) return withoutRetriever(retrieverProblem);
  return await orElse(
    run,
    `The knowledge base ${retriever.name}`,
    async () => found(await retriever.retrieve(claim, { signal })),
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

function notLookedUp({ notCheckable }: Claim): Lookup {
  const message = `not looked up: the statement is a ${notCheckable}`;
  return { retrieval: { status: "disabled", message }, passages: [] };
}
