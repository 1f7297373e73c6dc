/** Groups of a configuration's verifiers and judges, and of the baselines, for comparison. */
import { openComponents } from "../check/components.ts";
import { readConfiguration, type VerifierEntry } from "../check/configuration.ts";
import { CLAIM_TEMPLATE, type Judge } from "../types.ts";
import { isTrusted } from "../judges/ensemble.ts";
import type { PromptTemplates } from "../judges/prompts.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import {
  cosineVerifier,
  majorityVerifier,
  overlapVerifier,
  readBaselineSettings,
} from "../verifiers/baselines.ts";
import { openTrainedVerifier } from "../verifiers/head.ts";
import { loadMiniLm } from "../../models/encoder/minilm.ts";
import { comparedJudge, comparedVerifier, ENSEMBLE } from "./ask_components.ts";
import type {
  ComparedComponent,
  ComponentGroup,
  GroupOptions,
  OpenGroup,
} from "./ask_components.ts";
import type { ComponentSettings } from "./component_answers.ts";

const { cache: cacheDirectory } = FACTUALITY_PATHS;
const TRAINED_VERIFIER = "trained verifier";
const BASELINES = ["word overlap", "sentence cosine", "majority"];

/** Name of a judge in tables; one model can have two readouts. */
export const judgeName = (id: string, readout: unknown) =>
  `${id} (${readout === "generation" ? "written score" : "next word"})`;

/** Options for opening a configuration's components; loading is reported. */
export const openingOptions = ({ threads, tell }: GroupOptions) => ({
  cacheDirectory: FACTUALITY_PATHS.cache,
  threads,
  onProgress: ({ component, words }: Record<"component" | "words", string>) =>
    tell(`${component}: ${words}`),
});

/** Configurations of the study. */
const STUDIES: readonly string[] = [FACTUALITY_PATHS.configuration, FACTUALITY_PATHS.largerJudge];

/**
 * Opens every component of a configuration. Unlike in an evaluation, a judge that fails to open is
 * an error, since its rows would be missing from the comparison. Judges at chance, or unmeasured,
 * form no ensemble, except the study's, which shows the effect of such judges. @throws {Error}
 * naming what did not open, and what `openComponents` throws.
 */
export async function openPanel(run: GroupOptions & { readonly configuration: string }) {
  const opened = await openComponents(run.configuration, openingOptions(run));
  const missing = readConfiguration(run.configuration).judges.map(({ id }) => id)
    .filter((id) => !opened.judges.some(({ name }) => name === id));
  if (missing.length === 0) {
    const judges = STUDIES.includes(run.configuration)
      ? opened.judges
      : opened.judges.map((judge) => isTrusted(judge) ? judge : { ...judge, weight: 0 });
    return { ...opened, judges };
  }
  await opened[Symbol.asyncDispose]();
  throw new Error(
    `Cannot go on without ${missing.join(", ")}: ${opened.problems.join(" ")} Try again, on a ` +
      "machine with less to do where time ran out; answers are kept.",
  );
}

export type OpenPanel = Awaited<ReturnType<typeof openPanel>>;

/** Prompt configured for a judge, for claims and whole texts, overriding the file's choice. */
export const configuredPrompt = (
  { settings: { prompt } }: Pick<Judge, "settings">,
  prompts: PromptTemplates,
) => typeof prompt === "string" ? prompts.template(prompt) : undefined;

/** Hashes of the prompts that ask a judge about a claim. */
export function claimPrompts(
  prompts: PromptTemplates,
  judge: Pick<Judge, "settings">,
): ComponentSettings {
  const prompt = configuredPrompt(judge, prompts);
  if (prompt !== undefined) return { promptSha256: prompt.sha256 };
  const { sha256, nextWordForm } = prompts.template(CLAIM_TEMPLATE);
  const form = nextWordForm === undefined ? "" : prompts.template(nextWordForm).sha256;
  return { promptSha256: sha256, nextWordFormSha256: form };
}

/** Makes a group of components that share one resource. */
export const componentGroup = (
  components: readonly ComparedComponent[],
  resource: AsyncDisposable,
): OpenGroup => ({
  components,
  [Symbol.asyncDispose]: () => resource[Symbol.asyncDispose](),
});

/** Name of a configuration's verifier in tables. */
const verifierLabel = (entry: VerifierEntry): string =>
  entry.kind === "trained" ? TRAINED_VERIFIER : "id" in entry ? entry.id : entry.kind;

/** Group of a configuration: its verifier, its judges, and their ensemble. */
export function configuredGroup(configuration: string): ComponentGroup {
  const { verifier: entry, judges: entries } = readConfiguration(configuration);
  const names = [
    verifierLabel(entry),
    ...entries.map((entry) => judgeName(entry.id, entry.readout)),
  ];
  return {
    names: entries.length > 0 ? [...names, ENSEMBLE] : names,
    async open(options): Promise<OpenGroup> {
      const opened = await openPanel({ configuration, ...options });
      const { verifier, judges, aggregation: strategy, lowConfidenceVariance } = opened;
      const members = judges.map((judge) => {
        const { id, readout } = entries.find(({ id }) => id === judge.name)!;
        const name = judgeName(id, readout);
        const component = comparedJudge(judge, name, claimPrompts(opened.prompts, judge));
        return { component, weight: judge.weight };
      });
      const components = [
        comparedVerifier(verifier, verifierLabel(entry)),
        ...members.map(({ component }) => component),
      ];
      return {
        ...componentGroup(components, opened),
        ...members.length > 0 && { ensemble: { members, strategy, lowConfidenceVariance } },
      };
    },
  };
}

async function openTrained({ threads }: GroupOptions): Promise<OpenGroup> {
  const trained = await openTrainedVerifier({ cacheDirectory, threads });
  return componentGroup([comparedVerifier(trained)], trained);
}

async function openBaselines({ threads }: GroupOptions): Promise<OpenGroup> {
  const encoder = await loadMiniLm({ cacheDirectory, threads });
  const { overlap, cosine, majority } = readBaselineSettings();
  const cosines = cosineVerifier(encoder, cosine);
  const all = [overlapVerifier(overlap), cosines, majorityVerifier(majority)];
  return componentGroup(all.map((one) => comparedVerifier(one)), encoder);
}

/** Group of the baselines, which every verifier should outperform. */
export const BASELINE_GROUP: ComponentGroup = { names: BASELINES, open: openBaselines };

/** The components to compare. */
export interface ComparedPanel {
  /** Groups in table order; only one is in memory at a time. */
  readonly groups: readonly ComponentGroup[];
  /** True for components without a language model, which are asked about every case. */
  readonly isQuick: (component: string) => boolean;
  /**
   * True for components that generate answers. They take seconds per claim and are asked about
   * fewer cases.
   */
  readonly isSlow: (component: string) => boolean;
}

/** Verifiers that use language models. */
const LANGUAGE_MODEL_VERIFIERS = ["prompted", "prompted-server", "large"];

/** Panel of a user's configuration and the baselines. */
export function userPanel(configuration: string): ComparedPanel {
  const { verifier } = readConfiguration(configuration);
  const slowVerifiers = LANGUAGE_MODEL_VERIFIERS.includes(verifier.kind)
    ? []
    : [verifierLabel(verifier)];
  return {
    groups: [configuredGroup(configuration), BASELINE_GROUP],
    isQuick: (component) => [...slowVerifiers, ...BASELINES].includes(component),
    isSlow: () => false,
  };
}

/** Components without a language model, milliseconds per claim. */
export const QUICK_COMPONENTS = [TRAINED_VERIFIER, ...BASELINES];
export const QUICK_GROUPS: readonly ComponentGroup[] = [
  { names: [TRAINED_VERIFIER], open: openTrained },
  BASELINE_GROUP,
];
