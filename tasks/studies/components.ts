import { join } from "node:path";
import {
  type ComparedComponent,
  comparedJudge,
  comparedVerifier,
  type ComponentGroup,
  ENSEMBLE,
  type GroupOptions,
  type OpenGroup,
} from "../../lib/factuality/own/ask_components.ts";
import type { VerifierEntry } from "../../lib/factuality/check/configuration.ts";
import { readConfiguration } from "../../lib/factuality/check/configuration.ts";
import { readJudgeCalibration } from "../../lib/factuality/judges/ensemble.ts";
import { generatingJudge } from "../../lib/factuality/judges/generating_judge.ts";
import { readPromptTemplates } from "../../lib/factuality/judges/prompts.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import {
  claimPrompts,
  judgeName,
  largerJudges,
  openOwnWriter,
  openPanel,
  WRITER,
  WRITING_TIMEOUT,
} from "../../lib/studies/factuality/robustness/panel.ts";
import {
  cosineVerifier,
  majorityVerifier,
  overlapVerifier,
  readBaselineSettings,
} from "../../lib/factuality/verifiers/baselines.ts";
import { openTrainedVerifier } from "../../lib/factuality/verifiers/head.ts";
import { promptedVerifier } from "../../lib/factuality/verifiers/prompted.ts";
import { readTextIfThere } from "../../lib/files/atomic.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { modelFile } from "../../lib/models/llama/local_models.ts";
import { openEngine } from "../../lib/models/llama/open_engine.ts";
import { engineNextWord } from "../../lib/models/llama/roles.ts";
import { expandedWeights } from "../../lib/models/llama/weights.ts";

/** The configuration's own value for verifiers that are language models. */
const CHUNK_WORDS = 300;

const { cache: cacheDirectory } = FACTUALITY_PATHS;
const TRAINED = "trained verifier";
const BASELINES = ["word overlap", "sentence cosine", "majority"];
const YES_OR_NO = `${WRITER.id} (yes or no)`;
const WRITTEN_SCORE = judgeName(WRITER.id, "generation");

/** Components that rest on one resource. */
const group = (components: readonly ComparedComponent[], of: AsyncDisposable): OpenGroup => ({
  components,
  [Symbol.asyncDispose]: () => of[Symbol.asyncDispose](),
});

/** SmolLM2 after MiniCheck: document and claim, yes or no. */
async function openPrompted({ threads }: GroupOptions): Promise<OpenGroup> {
  const prompts = await readPromptTemplates(FACTUALITY_PATHS.prompts);
  const published = await modelFile(WRITER, cacheDirectory);
  const { sha256 } = published;
  const how = { directory: join(cacheDirectory, "models"), precision: "F32", threads } as const;
  const { path } = await expandedWeights(published, how);
  const engine = await openEngine(path, { threads, contextTokens: WRITER.contextTokens });
  const model = engineNextWord(WRITER.id, engine, { fileSha256: sha256 });
  const template = prompts.template("support");
  const file = FACTUALITY_PATHS.judgeCalibration;
  const text = readTextIfThere(file);
  const known = text === undefined ? undefined : readJudgeCalibration(text, file, prompts);
  const calibration = known?.(WRITER.id, "support", { modelSha256: sha256, weights: "F32" })
    ?.scaling;
  const options = { calibration, modelSha256: sha256, chunkWords: CHUNK_WORDS };
  const verifier = promptedVerifier(model, template, options);
  const settings = { promptSha256: template.sha256 };
  return group([comparedVerifier(verifier, YES_OR_NO, settings)], engine);
}

/** SmolLM2 that writes its reasons and a score, held to JSON by a grammar. */
async function openWriter({ threads }: GroupOptions): Promise<OpenGroup> {
  const prompts = await readPromptTemplates(FACTUALITY_PATHS.prompts);
  const model = await openOwnWriter(threads, { seed: 0, temperature: 0 });
  const modelSha256 = String(model.settings["fileSha256"]);
  const timeoutSeconds = WRITING_TIMEOUT;
  const options = { weight: 1, measured: undefined, modelSha256, timeoutSeconds };
  const judge = generatingJudge(model, prompts, options);
  return group([comparedJudge(judge, WRITTEN_SCORE, claimPrompts(prompts, judge))], model);
}

/** What tables call the verifier of a configuration. */
const verifierLabel = (entry: VerifierEntry): string =>
  entry.kind === "trained" ? TRAINED : "id" in entry ? entry.id : entry.kind;

/** What a configuration names: its verifier, its judges, and these together. */
function configuredGroup(configuration: string): ComponentGroup {
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
        ...group(components, opened),
        ...members.length > 0 && { ensemble: { members, strategy, lowConfidenceVariance } },
      };
    },
  };
}

async function openTrained({ threads }: GroupOptions): Promise<OpenGroup> {
  const trained = await openTrainedVerifier({ cacheDirectory, threads });
  return group([comparedVerifier(trained)], trained);
}

async function openBaselines({ threads }: GroupOptions): Promise<OpenGroup> {
  const encoder = await loadMiniLm({ cacheDirectory, threads });
  const { overlap, cosine, majority } = readBaselineSettings();
  const cosines = cosineVerifier(encoder, cosine);
  const all = [overlapVerifier(overlap), cosines, majorityVerifier(majority)];
  return group(all.map((one) => comparedVerifier(one)), encoder);
}

/** What any verifier has to be better than. */
export const BASELINE_GROUP: ComponentGroup = { names: BASELINES, open: openBaselines };

/** Who is compared. */
interface ComparedPanel {
  /** In the order of every table; one group at a time is in memory. */
  readonly groups: readonly ComponentGroup[];
  /** Whether a component needs no language model, so that it is asked about every case there is. */
  readonly isQuick: (component: string) => boolean;
  /** Whether a component writes whole answers: seconds a claim, so that it is asked about fewer. */
  readonly isSlow: (component: string) => boolean;
}

/** The study's components: what its configuration names, baselines, two more ways to ask SmolLM2. */
export const studyPanel = (): ComparedPanel => ({
  groups: [
    configuredGroup(FACTUALITY_PATHS.configuration),
    BASELINE_GROUP,
    { names: [YES_OR_NO], open: openPrompted },
    { names: [WRITTEN_SCORE], open: openWriter },
  ],
  isQuick: (component) => QUICK.includes(component),
  isSlow: (component) => component === WRITTEN_SCORE,
});

/** The judges that are asked only where that is wanted; their ensemble would take another's name. */
export const largerPanel = (): ComparedPanel => ({
  groups: [{ ...configuredGroup(FACTUALITY_PATHS.largerJudge), names: largerJudges() }],
  isQuick: () => false,
  isSlow: () => false,
});

/** Verifiers that are language models. */
const ASKED_VERIFIERS = ["prompted", "prompted-server", "large"];

/** What a user's configuration names, and the baselines. */
export function ownPanel(configuration: string): ComparedPanel {
  const { verifier } = readConfiguration(configuration);
  const own = ASKED_VERIFIERS.includes(verifier.kind) ? [] : [verifierLabel(verifier)];
  return {
    groups: [configuredGroup(configuration), BASELINE_GROUP],
    isQuick: (component) => [...own, ...BASELINES].includes(component),
    isSlow: () => false,
  };
}

/** What needs no language model: milliseconds a claim. */
const QUICK = [TRAINED, ...BASELINES];
export const QUICK_GROUPS: readonly ComponentGroup[] = [
  { names: [TRAINED], open: openTrained },
  BASELINE_GROUP,
];
