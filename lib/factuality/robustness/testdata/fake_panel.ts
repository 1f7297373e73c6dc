import type { Judge, JudgeTask, Verdict, VerdictLabel, Verifier } from "../../types.ts";
import type { ScoringPanel } from "../panel.ts";

/** Stands in for verifier and judges in tests: they know which words are wrong. */
export interface FakePanel extends ScoringPanel {
  /** Candidates in the order in which judges were asked about them. */
  readonly asked: string[];
}

const PROVENANCE = { producedBy: "fake", modelSha256: undefined, promptSha256: undefined };

function verdictOf(label: VerdictLabel): Verdict {
  const supported = label === "supported" ? 0.9 : 0.2;
  const probabilities = { supported, "refuted": 1 - supported, "not enough info": 0 };
  return {
    kind: "scored",
    label,
    probabilities,
    evidence: [],
    findings: [],
    reasoning: "",
    parse: "not parsed",
    provenance: PROVENANCE,
  };
}

/** A judge whose score is made of the candidate; undefined leaves it unscored. */
export function fakeJudge(
  name: string,
  score: (candidate: string) => number | undefined,
  settings: Judge["settings"] = {},
): Judge {
  return {
    name,
    settings,
    weight: 1,
    measured: undefined,
    concurrency: 1,
    judge({ values }: JudgeTask) {
      const given = score(values["candidate"] ?? "");
      return Promise.resolve(
        given === undefined
          ? {
            kind: "unscored",
            reason: "malformed answer",
            message: "",
            partialText: undefined,
            provenance: PROVENANCE,
          } as const
          : {
            kind: "scored",
            score: given,
            reasoning: "",
            flagged: [],
            parse: "not parsed",
            provenance: PROVENANCE,
          } as const,
      );
    },
  };
}

/** A verifier that refutes claims with `wrong` in them, and judges with these scores. */
export function fakePanel(
  judges: readonly ((candidate: string) => number | undefined)[],
  wrong: RegExp = /wrong/,
): FakePanel {
  const asked: string[] = [];
  const verifier: Verifier = {
    name: "trained",
    settings: {},
    verify: (claims) =>
      Promise.resolve(
        claims.map((claim) => verdictOf(wrong.test(claim) ? "refuted" : "supported")),
      ),
  };
  return {
    verifier,
    asked,
    aggregation: "mean",
    lowConfidenceVariance: 20,
    judges: judges.map((score, at) =>
      fakeJudge(`judge ${at + 1}`, (candidate) => {
        if (at === 0) asked.push(candidate);
        return score(candidate);
      })
    ),
  };
}
