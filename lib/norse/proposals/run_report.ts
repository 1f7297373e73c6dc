import { tally } from "../../figures/markdown_table.ts";
import type { RunEstimate } from "../../models/hosted/estimate.ts";
import { formatReturn } from "../../models/hosted/key_ring_report.ts";
import { PHENOMENA } from "../candidate.ts";
import type { Dataset } from "../generation.ts";
import type { AskReport } from "./ask.ts";
import type { Replacement } from "./replace.ts";

/** What asking the rest would take at most. */
export function describeEstimate(model: string, estimate: RunEstimate): readonly string[] {
  const { calls, promptTokens, replyTokens, basis, time, tooLarge, dollars } = estimate;
  if (calls === 0) return [`${model}: no question is left to ask`];
  const parts = [
    `at most ${calls} calls`,
    `${promptTokens + replyTokens} tokens (${basis})`,
    ...(time ? [describeTime(time)] : []),
    ...(tooLarge
      ? [
        `but no call fits: it may take ${tooLarge.tokensPerCall} tokens, and a minute allows ` +
        `${tooLarge.tokensPerMinute}; lower maxReplyTokens`,
      ]
      : []),
    ...(dollars === undefined ? [] : [`$${dollars.toFixed(2)} on a paid plan`]),
  ];
  return [`${model}: ${parts.join(", ")}`];
}

/** `12 days (about 11 hours of asking; the limit that decides is tokens per day)` */
function describeTime({ minutes, days, bound }: NonNullable<RunEstimate["time"]>): string {
  const asking = minutes < 90
    ? `${Math.max(1, Math.round(minutes))} minutes`
    : `${Math.round(minutes / 60)} hours`;
  return `${days === 1 ? "1 day" : `${days} days`} (about ${asking} of asking; the limit that ` +
    `decides is ${bound})`;
}

/** Why a source that a model is to propose for changed nothing. */
export function describeNoneConfirmed(answers: number): string {
  return `The data set stays as it is: of ${answers} answers on record none is confirmed. Run ` +
    "`deno task generate` again to ask for more, or with --source rules to take the rules alone";
}

/** What a run of asking did, and how it goes on. */
export function describeAsking(model: string, report: AskReport): readonly string[] {
  const { answered, kept, failed, ended, remaining } = report;
  const lines = [`${model}: ${answered} questions answered now, ${kept} before`];
  if (failed.length > 0) lines.push(`${failed.length} calls failed, the last: ${failed.at(-1)}`);
  if (ended) lines.push(ended.message);
  if (ended?.returns) lines.push(`It returns ${formatReturn(ended.returns.getTime())}`);
  if (remaining > 0) {
    const choose = answered + kept > 0 ? ", or with --limit 0 to choose from what there is" : "";
    lines.push(
      `${remaining} questions may still be asked. Everything answered is kept: run ` +
        `\`deno task generate\` again${choose}`,
    );
  }
  return lines;
}

/** What writing did, and what must be run now. */
export function describeReplacement(
  { items }: Pick<Dataset, "items">,
  { kind, setAside, restored, carried }: Replacement,
): readonly string[] {
  const proposers = tally(items.map(({ certificate }) => certificate.proposedBy))
    .map(([name, count]) => `${count} by ${name}`);
  const phenomena = PHENOMENA.map((phenomenon) =>
    `${items.filter(({ pair }) => pair.phenomenon === phenomenon).length} ${phenomenon}`
  );
  return [
    `${items.length} pairs (${proposers.join(", ")}): ${phenomena.join(", ")}`,
    ...(setAside === undefined ? [] : [`The earlier data set stands in ${setAside}`]),
    ...(restored.length === 0 ? [] : [`Answers to these pairs came back: ${restored.join(", ")}`]),
    ...carried.map(({ model, kind: what, rows }) => `${model}: ${rows} ${what} came over`),
    NEXT[kind],
  ];
}

const NEXT: Readonly<Record<Replacement["kind"], string>> = {
  unchanged: "The data set is as it was; nothing need be run",
  written: "Now run: deno task notebooks 12, then deno task manifest",
  new_certificates: "The pairs are the same, and so their answers hold. Now run: deno task " +
    "notebooks 12 13 14 15, then deno task manifest",
  new_pairs:
    "The pairs are others: answers to those that left went with them. Now run: deno task notebooks " +
    "12 13 14 15 (13 asks the local models), deno task evaluate --panel groq, deno task manifest",
};
