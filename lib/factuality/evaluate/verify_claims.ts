import {
  type Claim,
  type ClaimResult,
  type NotCheckable,
  type Passage,
  sourcePassage,
  type Verdict,
  type Verifier,
} from "../types.ts";
import { errorWords, inSmallerParts, nextTurn, orElse, type Run, unscored } from "./run.ts";

/** What a statement is that no source can decide, with its article. */
const NOT_CHECKABLE_WORDS: Readonly<Record<NotCheckable, string>> = {
  question: "a question",
  opinion: "an opinion",
  hedge: "a guess",
  instruction: "an instruction",
  fragment: "a fragment of a sentence",
};

/** What was looked up for one claim. */
export type Lookup = Pick<ClaimResult, "retrieval" | "passages">;

/** Looks up each claim that can be checked, in order; none of the others. */
export async function retrievePassages(
  run: Run,
  claims: readonly Claim[],
): Promise<readonly Lookup[]> {
  const { components: { retriever, retrieverProblem }, signal } = run;
  const without = (status: ClaimResult["retrieval"]["status"], message: string): Lookup => ({
    retrieval: { status, message },
    passages: [],
  });
  if (retriever === undefined) {
    return claims.map(() =>
      retrieverProblem === undefined
        ? without("disabled", "no knowledge base is configured")
        : without("failed", retrieverProblem)
    );
  }
  const lookUp = async (claim: string): Promise<Lookup> => {
    const passages = await retriever.retrieve(claim, { signal });
    if (passages.length === 0) {
      return without(
        "nothing found",
        "no passage of the knowledge base is close enough to the claim",
      );
    }
    const message = passages.length === 1 ? "1 passage" : `${passages.length} passages`;
    return { retrieval: { status: "found", message }, passages };
  };
  const lookups: Lookup[] = [];
  for (const { text, notCheckable, notes } of claims) {
    if (notCheckable !== undefined) {
      const what = NOT_CHECKABLE_WORDS[notCheckable];
      lookups.push(without("disabled", `not looked up: the statement is ${what}`));
    } else if (notes.some(({ kind }) => kind === "pronoun unresolved")) {
      // Nobody knows what the claim is about: a passage about something else would seem to bear it out.
      const why = "not looked up: what its pronoun stands for could not be resolved";
      lookups.push(without("nothing found", why));
    } else {
      const failed = (message: string) => without("failed", message);
      const who = `The knowledge base ${retriever.name}`;
      lookups.push(await orElse(run, who, () => lookUp(text), failed));
    }
  }
  return lookups;
}

/** What a claim is checked against: the source text where there is one, and what was looked up. */
export function passagesOf(source: string, { passages }: Lookup): readonly Passage[] {
  const looked = passages.map(({ passage }) => passage);
  return source.trim() === "" ? looked : [sourcePassage(source), ...looked];
}

/**
 * One verdict a claim, in order. Claims of the same passages are asked together, so that these are
 * read once; a statement that cannot be checked, or that there is nothing to check against, is not
 * asked about.
 */
export async function verifyClaims(
  run: Run,
  claims: readonly Claim[],
  lookups: readonly Lookup[],
): Promise<readonly Verdict[]> {
  const { components: { verifier, splitter }, request } = run;
  const verdicts = new Map<Claim, Verdict>();
  const groups = new Map<string, { passages: readonly Passage[]; claims: Claim[] }>();
  for (const [index, claim] of claims.entries()) {
    const passages = passagesOf(request.source, lookups[index]!);
    if (claim.notCheckable !== undefined) {
      const what = NOT_CHECKABLE_WORDS[claim.notCheckable];
      const message = `The statement is ${what}: no source decides it.`;
      verdicts.set(claim, unscored(splitter.name, "not checkable", message));
    } else if (passages.length === 0) {
      const { message } = lookups[index]!.retrieval;
      const words = `There is nothing to check it against: no source text, and ${message}.`;
      verdicts.set(claim, unscored(verifier.name, "no evidence", words));
    } else {
      const key = JSON.stringify(passages.map(({ collection, id }) => [collection, id]));
      const group = groups.get(key) ?? { passages, claims: [] };
      groups.set(key, group);
      group.claims.push(claim);
    }
  }
  for (const { passages, claims } of groups.values()) {
    const found = await verifyTogether(run, verifier, claims.map(({ text }) => text), passages);
    for (const [index, claim] of claims.entries()) verdicts.set(claim, found[index]!);
  }
  return claims.map((claim) => verdicts.get(claim)!);
}

/** As many verdicts as statements, in smaller parts where memory does not suffice for all. */
export async function verifyTogether(
  { components, problems, signal }: Run,
  verifier: Verifier,
  statements: readonly string[],
  passages: readonly Passage[],
): Promise<readonly Verdict[]> {
  const who = `The verifier ${verifier.name}`;
  const work = async (part: readonly string[]) => {
    await nextTurn(signal);
    return await verifier.verify(part, passages, { signal });
  };
  return await inSmallerParts(statements, work, {
    size: components.batchSize,
    clearCaches: () => components.clearCaches?.(),
    onRetry: (size) => problems.add(`${who} ran out of memory; tried again ${size} at a time.`),
    giveUp(part, error) {
      signal?.throwIfAborted();
      const message = `${who} failed: ${errorWords(error)}`;
      problems.add(message);
      return part.map(() => unscored(verifier.name, "failure", message));
    },
  });
}
