import { markdownTable } from "../../../figures/markdown_table.ts";
import type { EvaluationComponents } from "../../evaluation/components.ts";
import { configurationOf } from "../../evaluation/configuration_of.ts";
import type { Named } from "../../evaluation/evaluation.ts";
import { measuredWords } from "../../report/words.ts";

/** Names of hashes in settings, with what they are of. */
const HASHES: Readonly<Record<string, string>> = {
  fileSha256: "file",
  weightsSha256: "weights",
  encoderSha256: "encoder",
  index: "index",
  sha256: "index",
};

/** The first digits tell files apart; whole hashes stand in every report. */
const DIGITS = 12;

function hashesOf({ settings }: Named): string {
  return Object.entries(HASHES).flatMap(([key, of]) => {
    const value = settings[key];
    return typeof value === "string" ? [`${of} ${value.slice(0, DIGITS)}…`] : [];
  }).join(", ");
}

/** What was opened: role, name, hashes, weight and measured accuracy of judges. */
export function componentsTable(components: EvaluationComponents): string {
  const { splitter, retriever, verifier, judges } = configurationOf(components);
  const measured = new Map(components.judges.map((judge) => [judge.name, judge]));
  const plain = (role: string, named: Named) => [role, named.name, hashesOf(named), "", ""];
  return markdownTable(
    ["role", "component", "SHA-256 begins", "weight", "balanced accuracy on claims"],
    [
      plain("splitter", splitter),
      ...retriever === undefined ? [] : [plain("retriever", retriever)],
      plain("verifier", verifier),
      ...judges.map((judge) => {
        const { weight, measured: accuracy } = measured.get(judge.name)!;
        return ["judge", judge.name, hashesOf(judge), weight.toFixed(2), measuredWords(accuracy)];
      }),
    ],
  );
}
