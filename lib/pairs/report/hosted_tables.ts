import { markdownTable, type TableCell } from "../../figures/markdown_table.ts";
import { type RunTotal, totalOf } from "../../models/hosted/estimate_total.ts";
import { formatReturn } from "../../models/hosted/key_ring_report.ts";
import type { HostedEstimate } from "../panels/estimates.ts";
import type { HostedEntry } from "../panels/hosted_access.ts";
import type { HostedStatus } from "../panels/hosted_status.ts";
import type { WorkDone } from "../panels/panel_run.ts";
import type { ModelStanding } from "../panel_standing.ts";
import type { StudyPanel } from "../panels/study_panels.ts";
import { DESIGN_WORDS } from "./per_panel.ts";

/** The hosted models of a panel as they are asked, with what their host has announced. */
export function hostedTable(entries: readonly HostedEntry[]): string {
  return markdownTable(
    ["model", "host", "its name there", "reasoning effort", "end announced for", "licence"],
    entries.map((entry) => [
      entry.id,
      entry.kind === "groq" ? "Groq" : "a server of one's own",
      entry.model ?? entry.id,
      entry.reasoningEffort,
      entry.kind === "groq" ? entry.withdrawn : undefined,
      entry.licence,
    ]),
  );
}

/** Where each hosted model stands: done, invalid, remaining, and when its quota returns. */
export function hostedStatusTable(statuses: readonly HostedStatus[]): string {
  return markdownTable(
    ["model", "at the host", "status", "answers", "invalid", "remaining", "quota returns"],
    statuses.map((status) => [
      status.entry.id,
      status.entry.model ?? status.entry.id,
      statusWord(status),
      status.answered,
      status.invalid,
      status.remaining,
      status.returns ? formatReturn(status.returns.getTime()) : undefined,
    ]),
  );
}

function statusWord({ remaining, closed, trouble, returns }: HostedStatus): string {
  if (remaining === 0) return "complete";
  if (closed !== undefined) return "awaits a key";
  if (returns) return "waits for its quota";
  return trouble ? `${trouble}, see above why` : "can be asked";
}

/** What is missing for the models that cannot be asked, each message once; empty where all can. */
export function closedMessages(statuses: readonly HostedStatus[]): string {
  const messages = statuses.flatMap(({ remaining, closed }) => remaining > 0 ? closed ?? [] : []);
  return [...new Set(messages)].join("\n");
}

/** What the rest of a run will take, with the sums. Prices are of a paid plan, days of one without. */
export function estimateTable(estimates: readonly HostedEstimate[]): string {
  const total = totalOf(estimates.map(({ estimate }) => estimate));
  const cells = ({ calls, promptTokens, replyTokens }: RunTotal) => [
    ...[calls, promptTokens, replyTokens],
  ];
  return markdownTable(
    ["model", "questions", "tokens in", "tokens out", "tokens are", "minutes of asking", "days"]
      .concat("limit that decides", "US $"),
    [
      ...estimates.map(({ entry, estimate }) => [
        ...[entry.id, ...cells(estimate), estimate.basis],
        ...[estimate.time?.minutes.toFixed(0), estimate.time?.days, boundOf(estimate)],
        estimate.dollars?.toFixed(2),
      ]),
      ...(estimates.length < 2 ? [] : [[
        ...["together", ...cells(total), undefined],
        ...[undefined, undefined, undefined, total.dollars?.toFixed(2)],
      ]]),
    ],
  );
}

/** The limit that decides how long a run takes; where no call fits it, that none does. */
function boundOf({ time, tooLarge }: HostedEstimate["estimate"]): string | undefined {
  if (!tooLarge) return time?.bound;
  const { tokensPerCall, tokensPerMinute } = tooLarge;
  return `no call fits: ${tokensPerCall} tokens, ${tokensPerMinute} a minute`;
}

/** What a run did, model by model, then why it asked no more and why calls failed. */
export function workTable(done: readonly WorkDone[]): string {
  if (done.length === 0) return "Nothing was left to ask.";
  const table = markdownTable(
    ["model", "answered now", "invalid", "failed", "scored", "missing"],
    done.map(({ model, answered, invalid, failed, scored, missing }) => [
      ...[model, answered, invalid, failed, scored, missing],
    ]),
  );
  const reasons = Map.groupBy(done.flatMap(reasonsOf), ({ message }) => message);
  const lines = [...reasons].map(([message, models]) =>
    `- ${models.map(({ model }) => model).join(", ")}: ${message}`
  );
  return [table, ...(lines.length > 0 ? [lines.join("\n")] : [])].join("\n\n");
}

/** Why a model was asked no more, and why calls failed where that does not say it. */
function reasonsOf({ model, ended, lastFailure = "" }: WorkDone) {
  const messages = [
    ...(ended ? [ended.message] : []),
    ...(ended?.message.includes(lastFailure) || lastFailure === ""
      ? []
      : [`the last call that failed: ${lastFailure}`]),
  ];
  return messages.map((message) => ({ model, message }));
}

/** Which models' answers are in the metrics, and what the others lack. */
export function standingTable(panels: readonly StudyPanel[]): string {
  return markdownTable(
    ["panel", "model", "in the metrics", "lacks of both orders", "lacks of one order a pair"],
    panels.flatMap(({ title, asked, standing, leftOut }): readonly TableCell[][] => {
      const refused = (models: readonly ModelStanding[]) =>
        models.map(({ model, lacks }) => [
          ...[title, model, "refused"],
          ...[lacks.both, lacks.counterbalanced],
        ]);
      if (standing.kind === "incomplete") return refused(standing.models);
      const words = `yes, ${DESIGN_WORDS[standing.design]}`;
      const counted = asked.map((model) => [title, model, words, undefined, undefined]);
      return [...counted, ...refused(leftOut)];
    }),
  );
}
