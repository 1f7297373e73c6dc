import { existsSync } from "node:fs";
import { z } from "zod";
import { sha256Hex, writeTextAtomic } from "../../files/atomic.ts";
import { appendJsonLine, readJsonLines } from "../../files/json.ts";
import type { EvaluationComponents } from "../evaluate/run.ts";
import { ANSWER_SCHEMAS, mayPass } from "../types.ts";
import type { Judgement, Passage, RetrievedPassage, Verdict, Verifier } from "../types.ts";
import { configurationSha256 } from "./requests.ts";

const LINE = z.object({ key: z.string(), value: z.unknown() });
const { verdict: VERDICT, judgement: JUDGEMENT, passages: PASSAGES } = ANSWER_SCHEMAS;

/**
 * Components whose passages, verdicts and judgements go into a file as they come, and are taken from it
 * by an evaluation that was killed or stopped before. Each is addressed by what was asked and by the
 * digest of the whole configuration: of another text, source or configuration nothing is taken. What
 * failed is asked again; a line that a kill cut is left out.
 */
export function keptAnswers(
  components: EvaluationComponents,
  path: string,
): { readonly components: EvaluationComponents; readonly kept: number } {
  const configuration = configurationSha256(components);
  const known = new Map(linesOf(path).map(({ key, value }) => [key, value]));
  const { size: kept } = known;
  const keyOf = (...asked: readonly unknown[]) =>
    sha256Hex(JSON.stringify([configuration, ...asked])).slice(0, 32);
  const find = <Answer>(schema: z.ZodType<Answer>, key: string) =>
    schema.safeParse(known.get(key)).data;
  const keep = (key: string, value: object) => {
    // JSON has no `undefined`.
    const written = JSON.stringify(value, (_, one) => one === undefined ? null : one);
    appendJsonLine(path, { key, value: JSON.parse(written) });
  };
  const isLasting = (answer: Verdict | Judgement) =>
    answer.kind === "scored" || !mayPass(answer.reason);
  // Sources are long: each is read once for all its claims.
  const digests = new WeakMap<readonly Passage[], string>();
  const digestOf = (passages: readonly Passage[]) =>
    digests.getOrInsertComputed(passages, () => sha256Hex(JSON.stringify(passages)));

  const { retriever, verifier, judges } = components;
  const keeping: Verifier = {
    ...verifier,
    async verify(claims, passages, options) {
      const keys = claims.map((claim) => keyOf("verdict", digestOf(passages), claim));
      const verdicts: (Verdict | undefined)[] = keys.map((key) => find(VERDICT, key));
      const open = claims.flatMap((_, at) => verdicts[at] === undefined ? [at] : []);
      if (open.length === 0) return verdicts as Verdict[];
      const made = await verifier.verify(open.map((at) => claims[at]!), passages, options);
      // Whoever asked sees that there are too few.
      if (made.length !== open.length) return made;
      for (const [index, at] of open.entries()) {
        const verdict = verdicts[at] = made[index]!;
        if (isLasting(verdict)) keep(keys[at]!, verdict);
      }
      return verdicts as Verdict[];
    },
  };
  return {
    kept,
    components: {
      ...components,
      verifier: keeping,
      retriever: retriever && {
        ...retriever,
        async retrieve(claim, options): Promise<readonly RetrievedPassage[]> {
          const key = keyOf("passages", claim);
          const before = find(PASSAGES, key);
          if (before !== undefined) return before;
          const found = await retriever.retrieve(claim, options);
          keep(key, found);
          return found;
        },
      },
      judges: judges.map((judge) => ({
        ...judge,
        async judge(task, options) {
          const key = keyOf("judgement", judge.name, task);
          const before = find(JUDGEMENT, key);
          if (before !== undefined) return before;
          const judgement = await judge.judge(task, options);
          if (isLasting(judgement)) keep(key, judgement);
          return judgement;
        },
      })),
    },
  };
}

/** The whole lines; a file with others is written anew without them, before anything is put after them. */
function linesOf(path: string): readonly z.infer<typeof LINE>[] {
  if (!existsSync(path)) return [];
  const { rows, damaged } = readJsonLines(path, (value) => LINE.parse(value));
  if (damaged.length > 0) {
    writeTextAtomic(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  }
  return rows;
}
