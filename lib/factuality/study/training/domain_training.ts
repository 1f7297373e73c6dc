import { randomSource } from "../../../stats/random.ts";
import type { LabelledCase } from "../../cases/labelled_case.ts";
import type { Vector } from "../../training/case_vectors.ts";
import type { JudgedCase } from "../../training/measured_verdicts.ts";
import { groupFolds } from "../../training/heads/group_folds.ts";
import {
  type HeadSettings,
  judgedBy,
  type SplitCase,
  type TrainedOwnHead,
  trainOwnHead,
} from "../../training/heads/train_own_head.ts";

/** A case with its numbers, not yet placed. */
export interface VectorisedCase {
  readonly case: LabelledCase;
  readonly vector: Vector;
}

/** What a head learnt from, the set that it is measured on being in it by half, not at all, … */
export const REGIMES = [
  "claims of the knowledge base",
  "half of every set",
  "the other sets",
  "the knowledge base and half of every set",
] as const;

export type Regime = (typeof REGIMES)[number];

/** What heads are trained and measured on. */
export interface DomainData {
  /** Claims made out of the knowledge base, by their own splits. */
  readonly knowledge: readonly SplitCase[];
  /** Texts of other people, labelled; each set's name in its cases. */
  readonly human: readonly VectorisedCase[];
}

/** What a head of a regime says of a set. */
export interface DomainAnswers {
  readonly regime: Regime;
  readonly set: string;
  readonly judged: readonly JudgedCase[];
}

/** Name of the held-out claims of the knowledge base. */
export const KNOWLEDGE_TEST = "held-out claims of the knowledge base";
/** One group in so many is held back for stopping and calibration. */
const DEVELOPMENT_FOLDS = 5;

/** What the regimes share. */
interface Domain extends DomainData {
  readonly settings: HeadSettings;
  readonly onHead: (regime: Regime) => void;
}

/**
 * Heads of every regime on every set, binary: half the sets' groups train the head that is measured on
 * the other half, and the other way round; of the other sets all is trained on. Groups share a
 * cluster, claim or source and are never on both sides.
 */
export function domainAnswers(
  data: DomainData,
  settings: HeadSettings,
  onHead: (regime: Regime) => void = () => {},
): readonly DomainAnswers[] {
  const domain = { ...data, settings, onHead };
  const learnt = data.knowledge.filter(({ split }) => split !== "test");
  return [
    ...fromKnowledge(domain, learnt),
    ...crossed(domain, REGIMES[1], []),
    ...leavingOneOut(domain),
    ...crossed(domain, REGIMES[3], learnt),
  ];
}

function fromKnowledge(
  domain: Domain,
  learnt: readonly SplitCase[],
): readonly DomainAnswers[] {
  const [regime] = REGIMES;
  const head = train(domain, regime, learnt);
  return [
    ...bySet(domain, regime, judgedBy(head, domain.human.map(asTest))),
    onKnowledge(domain, regime, head),
  ];
}

/** A head for each half, which judges the other one; claims of the knowledge base by the first. */
function crossed(
  domain: Domain,
  regime: Regime,
  more: readonly SplitCase[],
): readonly DomainAnswers[] {
  const { human } = domain;
  const half = groupFolds(human.map((one) => one.case), 2, randomSource("domain training/halves"));
  const heads = [0, 1].map((fold) =>
    train(domain, regime, [...more, ...placed(human.filter((_, i) => half[i] !== fold))])
  );
  const judged = human.map((one, i) => judgedBy(heads[half[i]!]!, [asTest(one)])[0]!);
  return [...bySet(domain, regime, judged), onKnowledge(domain, regime, heads[0]!)];
}

function leavingOneOut(domain: Domain): readonly DomainAnswers[] {
  const regime = REGIMES[2];
  return setsOf(domain).map((set) => {
    const others = domain.human.filter((one) => one.case.set !== set);
    const own = domain.human.filter((one) => one.case.set === set);
    const head = train(domain, regime, placed(others));
    return { regime, set, judged: judgedBy(head, own.map(asTest)) };
  });
}

function train(
  { settings, onHead }: Domain,
  regime: Regime,
  cases: readonly SplitCase[],
): TrainedOwnHead {
  onHead(regime);
  return trainOwnHead(cases, settings);
}

function setsOf({ human }: Domain): readonly string[] {
  return [...new Set(human.map((one) => one.case.set))];
}

function bySet(
  domain: Domain,
  regime: Regime,
  judged: readonly JudgedCase[],
): readonly DomainAnswers[] {
  return setsOf(domain).map((set) => ({
    ...{ regime, set },
    judged: judged.filter((_, i) => domain.human[i]!.case.set === set),
  }));
}

function onKnowledge(
  { knowledge }: Domain,
  regime: Regime,
  head: TrainedOwnHead,
): DomainAnswers {
  const test = knowledge.filter(({ split }) => split === "test");
  return { regime, set: KNOWLEDGE_TEST, judged: judgedBy(head, test) };
}

function asTest(one: VectorisedCase): SplitCase {
  return { ...one, split: "test" };
}

/** All to learn from but a fifth, which stops the training. */
function placed(cases: readonly VectorisedCase[]): readonly SplitCase[] {
  const random = randomSource("domain training/development");
  const folds = groupFolds(cases.map((one) => one.case), DEVELOPMENT_FOLDS, random);
  return cases.map((one, i) => ({ ...one, split: folds[i] === 0 ? "development" : "train" }));
}
