import {
  components,
  judgement,
  scriptedJudge,
  verdict,
} from "../../../../factuality/check/testdata/fakes.ts";
import type { Judge } from "../../../../factuality/types.ts";
import type { ScoringPanel } from "../panel.ts";

/** A judge's score of a candidate; undefined leaves it unscored. */
type Score = (candidate: string) => number | undefined;

export function fakeJudge(name: string, score: Score, settings: Judge["settings"] = {}): Judge {
  const judge = scriptedJudge(name, ({ values }) => {
    const given = score(values["candidate"] ?? "");
    const { provenance } = judgement(0);
    return Promise.resolve(
      given === undefined
        ? { kind: "unscored", reason: "malformed answer", message: "", partialText: "", provenance }
        : judgement(given),
    );
  });
  return { ...judge, settings };
}

/**
 * A fake panel: the verifier refutes claims that contain `wrong`, the judges give these scores;
 * `asked` records candidates in the judges' order.
 */
export function fakePanel(scores: readonly Score[]): ScoringPanel & { readonly asked: string[] } {
  const asked: string[] = [];
  const verify = (claims: readonly string[]) =>
    Promise.resolve(claims.map((claim) => verdict(/wrong/.test(claim) ? "refuted" : "supported")));
  const judges = scores.map((score, at) =>
    fakeJudge(`judge ${at + 1}`, (candidate) => {
      if (at === 0) asked.push(candidate);
      return score(candidate);
    })
  );
  return {
    ...components({ verifier: { name: "trained verifier", settings: {}, verify }, judges }),
    asked,
  };
}

/** Returns a measure's estimate to nine decimals; its kind if it has no estimate. */
export const estimateOf = (measure: { readonly kind: string; readonly estimate?: number }) =>
  measure.estimate === undefined ? measure.kind : Number(measure.estimate.toFixed(9));
