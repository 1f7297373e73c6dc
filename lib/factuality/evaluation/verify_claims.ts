import type { Claim, NotCheckable } from "../claims/claim.ts";
import { type Passage, sourcePassage } from "../retrieval/passage.ts";
import type { Verdict } from "../verdicts/verdict.ts";
import type { Verifier } from "../verifiers/verifier.ts";
import { inSmallerParts } from "./memory.ts";
import { NOT_CHECKABLE_WORDS } from "./not_checkable_words.ts";
import { errorWords } from "./problem_log.ts";
import type { Lookup } from "./retrieve_passages.ts";
import type { Run } from "./run.ts";
import { nextTurn } from "./turn.ts";
import { unscored } from "./unscored.ts";

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
      verdicts.set(claim, notCheckable(splitter.name, claim.notCheckable));
    } else if (passages.length === 0) {
      verdicts.set(claim, noEvidence(verifier.name, lookups[index]!));
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
  run: Run,
  verifier: Verifier,
  statements: readonly string[],
  passages: readonly Passage[],
): Promise<readonly Verdict[]> {
  const { components, problems, signal } = run;
  const who = `The verifier ${verifier.name}`;
  return await inSmallerParts(
    statements,
    async (part) => {
      await nextTurn(signal);
      return await verifier.verify(part, passages, { signal });
    },
    {
      size: components.batchSize,
      clearCaches: () => components.clearCaches?.(),
      onRetry: (size) => problems.add(`${who} ran out of memory; tried again ${size} at a time.`),
      giveUp(part, error) {
        signal?.throwIfAborted();
        const message = `${who} failed: ${errorWords(error)}`;
        problems.add(message);
        return part.map(() => unscored(verifier.name, "failure", message));
      },
    },
  );
}

function notCheckable(splitter: string, what: NotCheckable): Verdict {
  return unscored(
    splitter,
    "not checkable",
    `The statement is ${NOT_CHECKABLE_WORDS[what]}: no source decides it.`,
  );
}

function noEvidence(verifier: string, { retrieval }: Lookup): Verdict {
  const message = `There is nothing to check it against: no source text, and ${retrieval.message}.`;
  return unscored(verifier, "no evidence", message);
}
