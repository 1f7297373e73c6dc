import { errorWords } from "../evaluation/problem_log.ts";
import type { Retriever } from "../retrieval/passage.ts";
import type { Verifier } from "../verifiers/verifier.ts";
import type { JudgeEntry, RetrievalEntry, VerifierEntry } from "./configuration_entries.ts";
import type { OpenJudge } from "./open_judge.ts";
import type { Opening } from "./opening.ts";
import { probeJudge, probeVerifier } from "./probe.ts";

/** What opens each kind of component; passed in, so that tests need no model. */
export interface ComponentMakers {
  openVerifier(entry: VerifierEntry, opening: Opening): Promise<Verifier>;
  openRetriever(
    entry: Exclude<RetrievalEntry, { readonly kind: "none" }>,
    opening: Opening,
  ): Promise<Retriever>;
  openJudge(entry: JudgeEntry, opening: Opening): Promise<OpenJudge>;
}

/** What failed, as sentences: what must be there, and what may be missing. */
export interface Problems {
  readonly required: string[];
  readonly optional: string[];
}

/** What `work` gives; undefined where it fails, which is told. */
async function orTold<T>(
  what: string,
  told: string[],
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    told.push(`${what}: ${errorWords(error)}`);
    return undefined;
  }
}

function labelOf(role: string, { kind, ...entry }: { readonly kind: string }): string {
  const id = "id" in entry && typeof entry.id === "string" ? `${entry.id}, ` : "";
  return `${role} (${id}${kind})`;
}

/** The verifier, opened and asked about two claims; undefined where that fails. */
export async function readyVerifier(opening: Opening, makers: ComponentMakers, problems: Problems) {
  const entry = opening.configuration.verifier;
  return await orTold(labelOf("Verifier", entry), problems.required, async () => {
    opening.tell(entry.kind, "verifier loads");
    const verifier = await makers.openVerifier(entry, opening);
    await probeVerifier(verifier);
    return verifier;
  });
}

/** The retriever, or why there is none; neither where no knowledge base is configured. */
export async function readyRetriever(
  opening: Opening,
  makers: ComponentMakers,
  problems: Problems,
) {
  const entry = opening.configuration.retrieval;
  if (entry.kind === "none") return { retriever: undefined, problem: undefined };
  const told: string[] = entry.required ? problems.required : [];
  const before = told.length;
  const retriever = await orTold(
    labelOf("Knowledge base", entry),
    told,
    () => makers.openRetriever(entry, opening),
  );
  return { retriever, problem: told[before] };
}

async function readyJudge(
  entry: JudgeEntry,
  opening: Opening,
  makers: ComponentMakers,
  problems: Problems,
): Promise<OpenJudge | undefined> {
  const label = labelOf("Judge", entry);
  const told = entry.required ? problems.required : problems.optional;
  return await orTold(label, told, async () => {
    const open = await makers.openJudge(entry, opening);
    opening.tell(entry.id, "answers a small task");
    const probe = await probeJudge(open.judge);
    if (probe.kind === "not ready") throw new Error(probe.message);
    if (probe.kind === "ready with a problem") problems.optional.push(`${label}: ${probe.message}`);
    return open;
  });
}

/** Those judges that opened and answered a small task. */
export async function readyJudges(opening: Opening, makers: ComponentMakers, problems: Problems) {
  const ready: OpenJudge[] = [];
  // One after the other: each takes hundreds of megabytes while it loads.
  for (const entry of opening.configuration.judges) {
    const judge = await readyJudge(entry, opening, makers, problems);
    if (judge !== undefined) ready.push(judge);
  }
  return ready;
}
