import { openComponents } from "../../lib/factuality/configuration/open_components.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import {
  type ComparedComponent,
  comparedJudge,
  comparedVerifier,
} from "../../lib/factuality/study/evaluation/compared_component.ts";
import { cosineVerifier } from "../../lib/factuality/verifiers/cosine_verifier.ts";
import { majorityVerifier } from "../../lib/factuality/verifiers/majority_verifier.ts";
import { openTrainedVerifier } from "../../lib/factuality/verifiers/open_trained_verifier.ts";
import { overlapVerifier } from "../../lib/factuality/verifiers/overlap_verifier.ts";
import type { Verifier } from "../../lib/factuality/verifiers/verifier.ts";
import {
  readBaselineSettings,
  readVerifierWeights,
} from "../../lib/factuality/verifiers/weights_files.ts";
import { readWordNet } from "../../lib/factuality/wordnet/read_wordnet.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import type { SentenceEncoder } from "../../lib/models/encoder/sentence_encoder.ts";
import { featureCodeDigest } from "../verifier/vector_store.ts";
import { claimPrompts } from "./claim_prompts.ts";
import type { ComponentGroup, GroupOptions, OpenGroup } from "./component_group.ts";
import {
  openPmi,
  openPrompted,
  openWriter,
  PMI,
  WRITTEN_SCORE,
  YES_OR_NO,
} from "./smollm2_groups.ts";

const CACHE_DIRECTORY = FACTUALITY_PATHS.cache;
const now = () => performance.now();

/** What evaluation.yaml names: the trained verifier and the judges. */
async function openConfigured({ threads, tell }: GroupOptions): Promise<OpenGroup> {
  const opened = await openComponents(FACTUALITY_PATHS.configuration, {
    ...{ cacheDirectory: CACHE_DIRECTORY, threads },
    onProgress: ({ component, words }) => tell(`${component}: ${words}`),
  });
  const { verifier, judges, aggregation: strategy, lowConfidenceVariance } = opened;
  const settings = claimPrompts(opened.prompts);
  const members = judges.map((judge) => ({
    component: comparedJudge(judge, { name: `${judge.name} (next word)`, settings, now }),
    weight: judge.weight,
  }));
  return {
    components: [comparedTrained(verifier), ...members.map(({ component }) => component)],
    ensemble: { members, strategy, lowConfidenceVariance },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

async function openBaselines({ threads }: GroupOptions): Promise<OpenGroup> {
  const encoder = await loadMiniLm({ cacheDirectory: CACHE_DIRECTORY, threads });
  return {
    components: comparedBaselines(encoder),
    [Symbol.asyncDispose]: () => encoder[Symbol.asyncDispose](),
  };
}

function comparedBaselines(encoder: SentenceEncoder): readonly ComparedComponent[] {
  const { overlap, cosine, majority } = readBaselineSettings();
  const verifiers = [
    overlapVerifier(overlap),
    cosineVerifier(encoder, cosine),
    majorityVerifier(majority),
  ];
  return verifiers.map((verifier) => comparedVerifier(verifier, { name: verifier.name, now }));
}

/** Trained verifier and baselines with one encoder: no language model is loaded. */
async function openQuick({ threads }: GroupOptions): Promise<OpenGroup> {
  const encoder = await loadMiniLm({ cacheDirectory: CACHE_DIRECTORY, threads });
  const weights = readVerifierWeights(FACTUALITY_PATHS.verifierWeights);
  const verifier = openTrainedVerifier(weights, { encoder, wordnet: await readWordNet() });
  return {
    components: [comparedTrained(verifier), ...comparedBaselines(encoder)],
    [Symbol.asyncDispose]: () => encoder[Symbol.asyncDispose](),
  };
}

function comparedTrained(verifier: Verifier): ComparedComponent {
  const settings = { featureCode: featureCodeDigest() };
  return comparedVerifier(verifier, { name: verifier.name, now, settings });
}

const TRAINED = "trained verifier";
const BASELINES = ["word overlap", "sentence cosine", "majority"];

/** The judges of evaluation.yaml together. */
export const ENSEMBLE = "ensemble of judges";

/** In the order of every table; one group at a time is in memory. */
export const COMPONENT_GROUPS: readonly ComponentGroup[] = [
  {
    names: [
      ...[TRAINED, "SmolLM2-135M-Instruct (next word)", "gemma-3-270m (next word)"],
      ENSEMBLE,
    ],
    open: openConfigured,
  },
  { names: BASELINES, open: openBaselines },
  { names: [PMI], open: openPmi },
  { names: [YES_OR_NO], open: openPrompted },
  { names: [WRITTEN_SCORE], open: openWriter },
];

/** What needs no language model, together in memory. */
export const QUICK_GROUPS: readonly ComponentGroup[] = [
  { names: [TRAINED, ...BASELINES], open: openQuick },
];

/** Milliseconds a claim: these are asked about every case there is. */
const QUICK: ReadonlySet<string> = new Set([TRAINED, ...BASELINES]);

/** Whether a component writes whole answers: seconds a claim, so that it is asked about fewer. */
export function isSlow(component: string): boolean {
  return component === WRITTEN_SCORE;
}

/** Whether a component needs no language model. */
export function isQuick(component: string): boolean {
  return QUICK.has(component);
}
