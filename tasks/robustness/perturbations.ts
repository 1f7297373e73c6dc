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
  comparedJudge,
  comparedVerifier,
} from "../../lib/factuality/study/evaluation/compared_component.ts";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { askGroups } from "../compare/ask_groups.ts";
import { claimPrompts } from "../compare/claim_prompts.ts";
import type { ComponentGroup, OpenGroup } from "../compare/component_group.ts";
import { COMPONENT_GROUPS, isQuick } from "../compare/component_groups.ts";
import { featureCodeDigest } from "../verifier/vector_store.ts";
import type { PartRun } from "./part.ts";

/** Pairs a kind that are read against one another: each is many verdicts. */
const PAIRS_PER_KIND = 12;
const BASELINES = ["word overlap", "sentence cosine"];

const now = () => performance.now();
const CLOCK = { now: () => new Date(), milliseconds: now };

/** Verifier and judges of the configuration, and the verifier reading pairs. */
async function openConfigured({ configuration, threads, tell }: PartRun): Promise<OpenGroup> {
  const opened = await openComponents(configuration, {
    ...{ cacheDirectory: FACTUALITY_PATHS.cache, threads },
    onProgress: ({ component, words }) => tell(`${component}: ${words}`),
  });
  const { verifier, judges, prompts } = opened;
  const settings = { featureCode: featureCodeDigest() };
  return {
    components: [
      comparedVerifier(verifier, { name: verifier.name, settings, now }),
      ...judges.map((judge) =>
        comparedJudge(judge, {
          ...{ name: `${judge.name} (next word)`, settings: claimPrompts(prompts), now },
        })
      ),
      consistencyComponent(opened, { clock: CLOCK, settings }),
    ],
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

/** The group under the names of its components, whatever the configuration has. */
function asGroup(opened: OpenGroup): ComponentGroup {
  const names = opened.components.map(({ name }) => name);
  // Who opened it disposes of it.
  const open = () => Promise.resolve({ ...opened, [Symbol.asyncDispose]: () => Promise.resolve() });
  return { names, open };
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
  const verifier = configured.components[0]!.name;
  const casesOf = (component: string) => {
    if (component === CONSISTENCY) return pairs;
    return component === verifier || isQuick(component) ? all : drawn;
  };
  const aside = join(FACTUALITY_PATHS.cache, "robustness", "other_answers.csv");
  Deno.mkdirSync(dirname(aside), { recursive: true });
  return await askGroups({
    ...{ table: run.place(FACTUALITY_PATHS.robustnessAnswers), aside, only: "" },
    ...{ known: [...all, ...pairs], casesOf, groups: [asGroup(configured), ...baselines()] },
    ...{ threads: run.threads, signal: run.signal, tell: run.tell },
  });
}
