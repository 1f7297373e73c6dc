import { artefactMeasure } from "../../pairs/artefacts.ts";
import { artefactTable } from "../../pairs/report/metric_tables.ts";
import { lookUp, percentWithInterval } from "../../pairs/statistic_lookup.ts";
import { ALL } from "../../pairs/statistics_row.ts";
import { type Evidence, GROUP_NAMES } from "./evidence.ts";
import { isTrainedHere, judgesOf, strongestJudge } from "./judge.ts";

/** A rule above this, or as far below a half, has found a cue that needs no grammar. */
const TELLTALE = 0.6;

/** What rules without grammar score, and how the strongest model stands beside them. */
export function cueSection(evidence: Evidence): string {
  const { artefacts } = evidence;
  return [
    "### Do the pairs give themselves away?",
    "",
    "Rules that know no grammar, in per cent (ties half; `data/sanskrit/artefacts.csv`, notebook " +
    "24). Those that count or learn do so without the verses that share a line with the pair's.",
    "",
    artefactTable(artefacts, GROUP_NAMES),
    "",
    ...clueSentences(evidence),
    ...besideTheBest(evidence),
  ].join("\n").trimEnd();
}

function clueSentences({ artefacts }: Evidence): readonly string[] {
  const clues = (test: (accuracy: number) => boolean) =>
    artefacts.filter(({ phenomenon }) => phenomenon !== ALL).filter(({ accuracy }) =>
      accuracy.kind !== "unavailable" && test(accuracy.estimate)
    ).map(({ baseline, phenomenon }) =>
      `${baseline} on ${phenomenon} ` +
      `(${percentWithInterval(artefactMeasure(artefacts, baseline, phenomenon))} %)`
    );
  const high = clues((accuracy) => accuracy > TELLTALE);
  const low = clues((accuracy) => accuracy < 1 - TELLTALE);
  return [
    high.length === 0
      ? "None beats 60 % on either phenomenon."
      : `**Above 60 %:** ${high.join("; ")}. A model that scores so high there may have used the ` +
        "same cue.",
    "",
    ...(low.length === 0 ? [] : [
      `**Below 40 %**, so that the opposite rule would win: ${low.join("; ")}.`,
      "",
    ]),
  ];
}

/** The rules, and the models trained here, that are not told apart from the strongest model, or do better. */
function besideTheBest(evidence: Evidence): readonly string[] {
  const { label, overall } = strongestJudge(evidence);
  if (overall.kind === "unavailable") return [];
  const rules = new Set(evidence.artefacts.map(({ baseline }) => baseline));
  const yardsticks = [
    ...[...rules].map((name) => ({ name, own: artefactMeasure(evidence.artefacts, name, ALL) })),
    ...judgesOf(evidence).filter(({ model }) => isTrainedHere(model)).map((judge) => ({
      name: judge.label,
      own: lookUp(evidence.statistics).measure(judge.model, judge.measure),
    })),
  ];
  const lowest = overall.kind === "interval" ? overall.low : overall.estimate;
  const asGood = yardsticks.filter(({ own }) =>
    own.kind !== "unavailable" && (own.kind === "interval" ? own.high : own.estimate) >= lowest
  ).map(({ name, own }) => `${name} (${percentWithInterval(own)} %)`);
  const begin = `The strongest model that was not trained here is ${label} with ` +
    `${percentWithInterval(overall)} %. `;
  return [
    begin +
    (asGood.length === 0
      ? "Of every rule without grammar and every model trained on the other verses the interval lies below its own."
      : `Of these the interval reaches its own, and none was taught grammar: ` +
        `${
          asGood.join(", ")
        }. So its share over all pairs is no evidence of grammar beyond them; the part where length, frequency and metre give no help stands above.`),
  ];
}
