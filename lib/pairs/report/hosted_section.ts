import type { PanelEntry } from "../../models/panel.ts";
import { markdownTable } from "../../figures/markdown_table.ts";
import type { PairStudy } from "../study.ts";
import type { HostedStanding, PanelEvidence } from "./panel_evidence.ts";
import { DESIGN_WORDS } from "./per_panel.ts";

/** How far the hosted models are, and what fills them in; nothing here depends on this machine. */
export function hostedSection(
  { commands }: Pick<PairStudy, "commands">,
  { hosted, panels }: Pick<PanelEvidence, "hosted" | "panels">,
): string {
  const heading = "### Hosted models";
  if (hosted.length === 0) return `${heading}\n\nNo panel names one.`;
  const complete = panels.find(({ title }) => title === "hosted");
  return [
    heading,
    "",
    complete
      ? `The hosted panel is complete (${
        DESIGN_WORDS[complete.design]
      }); its figures stand above, ` +
        "beside those of the local panel and in no average with them."
      : "The hosted panel (`data/panels/groq.yaml`) is **not complete**, so that no figure of it is " +
        "given: every model must have answered the same questions. Answers on record:",
    "",
    markdownTable(
      ["model", "at the host", "answers", "of", "invalid", "state"],
      hosted.map((row) => [
        row.entry.id,
        row.entry.model ?? row.entry.id,
        row.answered,
        row.questions,
        row.invalid,
        stateOf(row, complete !== undefined),
      ]),
    ),
    ...withdrawals(hosted),
    ...(complete ? [] : ["", fillIn(commands)]),
  ].join("\n");
}

function fillIn({ evaluate, compute }: PairStudy["commands"]): string {
  return "To fill them in: `cp .env.example .env`, write one Groq key a line, then " +
    `\`${evaluate} --panel groq\`; with \`--estimate\` it only says what that will take, with ` +
    "`--orders counterbalanced` it asks half the questions. Where a quota ends it keeps everything " +
    `and says when to run the same command again. Afterwards \`${compute}\`.`;
}

function stateOf({ answered, questions }: HostedStanding, isComplete: boolean): string {
  const left = questions - answered;
  if (answered === 0) return "awaits a key";
  if (left === 0) return "all answered";
  return isComplete ? `complete in one order; ${left} to go for both` : `${left} to go`;
}

/** Models whose end their host has announced, with the day. */
export function withdrawnModels(entries: readonly PanelEntry[]): readonly string[] {
  return entries.flatMap((entry) =>
    entry.kind === "groq" && entry.withdrawn ? [`${entry.id} (${entry.withdrawn})`] : []
  );
}

/** What the host has announced, with the way on. */
function withdrawals(hosted: readonly HostedStanding[]): readonly string[] {
  const ending = withdrawnModels(hosted.map(({ entry }) => entry));
  if (ending.length === 0) return [];
  return [
    "",
    `Groq has announced the end of ${ending.join(" and ")}. Where it refuses them, their open ` +
    "weights can be served from a machine of one's own: `data/panels/groq.yaml` shows the entry.",
  ];
}
