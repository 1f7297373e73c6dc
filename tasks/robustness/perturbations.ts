import { dirname, join } from "node:path";
import { openComponents } from "../../lib/factuality/configuration/open_components.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import { formatRobustnessCases } from "../../lib/factuality/robustness/case_table.ts";
import {
  CONSISTENCY,
  consistencyComponent,
  pairCases,
} from "../../lib/factuality/robustness/contradictions.ts";
import { knowledgeVariants } from "../../lib/factuality/robustness/knowledge_variants.ts";
import { drawnOf, labelledCases } from "../../lib/factuality/robustness/robustness_case.ts";
import {
  type ComparedComponent,
  comparedJudge,
  comparedVerifier,
} from "../../lib/factuality/study/evaluation/compared_component.ts";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { askGroups } from "../compare/ask_groups.ts";
import { claimPrompts } from "../compare/claim_prompts.ts";
import type { ComponentGroup } from "../compare/component_group.ts";
import { COMPONENT_GROUPS, isQuick } from "../compare/component_groups.ts";
import { featureCodeDigest } from "../verifier/vector_store.ts";
import type { PartRun } from "./part.ts";

/** Pairs a kind that are read against one another: each is many verdicts. */
const PAIRS_PER_KIND = 12;
const BASELINES = ["word overlap", "sentence cosine"];

const now = () => performance.now();
const CLOCK = { now: () => new Date(), milliseconds: now };

/** What the configuration names, opened once. */
interface Configured extends AsyncDisposable {
  /** The verifier, and the verifier reading pairs. */
  readonly verifying: readonly [ComparedComponent, ComparedComponent];
  readonly judges: readonly ComparedComponent[];
}

async function openConfigured({ configuration, threads, tell }: PartRun): Promise<Configured> {
  const opened = await openComponents(configuration, {
    ...{ cacheDirectory: FACTUALITY_PATHS.cache, threads },
    onProgress: ({ component, words }) => tell(`${component}: ${words}`),
  });
  const { verifier, judges, prompts } = opened;
  const settings = { featureCode: featureCodeDigest() };
  return {
    verifying: [
      comparedVerifier(verifier, { name: verifier.name, settings, now }),
      consistencyComponent(opened, { clock: CLOCK, settings }),
    ],
    judges: judges.map((judge) =>
      comparedJudge(judge, {
        ...{ name: `${judge.name} (next word)`, settings: claimPrompts(prompts), now },
      })
    ),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

/** Components that somebody else opened and disposes of, as a group. */
function asGroup(components: readonly ComparedComponent[]): ComponentGroup {
  const group = { components, [Symbol.asyncDispose]: () => Promise.resolve() };
  return { names: components.map(({ name }) => name), open: () => Promise.resolve(group) };
}

function baselines(): readonly ComponentGroup[] {
  return COMPONENT_GROUPS.filter(({ names }) => BASELINES.some((name) => names.includes(name)))
    .map((group) => ({ ...group, names: BASELINES }));
}

/**
 * Makes the cases, and asks every component what it has not answered yet: verifier and baselines all
 * cases, language models the drawn ones, the verifier without a source about pairs.
 * @returns whether all is answered by now.
 */
export async function runPerturbations(run: PartRun): Promise<boolean> {
  const { cases, passages } = knowledgeVariants(await factbookFields(FACTUALITY_PATHS.cache));
  writeTextAtomic(run.place(FACTUALITY_PATHS.robustnessCases), formatRobustnessCases(cases));
  const all = labelledCases(cases, passages);
  const drawn = drawnOf(all, cases);
  const pairs = pairCases(cases, PAIRS_PER_KIND);
  await using configured = await openConfigured(run);
  const [{ name: verifier }] = configured.verifying;
  const casesOf = (component: string) => {
    if (component === CONSISTENCY) return pairs;
    return component === verifier || isQuick(component) ? all : drawn;
  };
  const aside = join(FACTUALITY_PATHS.cache, "robustness", "other_answers.csv");
  Deno.mkdirSync(dirname(aside), { recursive: true });
  return await askGroups({
    ...{ table: run.place(FACTUALITY_PATHS.robustnessAnswers), aside, only: "" },
    ...{ known: [...all, ...pairs], casesOf },
    // Judges last: seconds a claim.
    groups: [asGroup(configured.verifying), ...baselines(), asGroup(configured.judges)],
    ...{ threads: run.threads, signal: run.signal, tell: run.tell },
  });
}
