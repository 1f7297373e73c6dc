import { escaped, table, titled } from "../../report/html/markup.ts";
import type { HallucinationProfile } from "../hallucination_profile.ts";
import type { RatedClaim } from "../rated_claims.ts";

type Profiles = readonly HallucinationProfile[];

/** How claims are classed, which are disputed among raters, and on which all agree. */
export function claimsSections(profiles: Profiles): string {
  return [
    titled("Claims by class", countsTable(profiles)),
    titled("Disputed claims", votesTables(profiles, "disputed", "Raters differ")),
    titled("Consensus claims", agreedTables(profiles)),
  ].filter((part) => part !== "").join("\n");
}

function countsTable(profiles: Profiles): string {
  const rows = profiles.map(({ model, counts }) => [
    escaped(model),
    ...[counts.supported, counts.refuted, counts.unverifiable, counts.unscored].map(String),
  ]);
  const columns = ["model", "supported", "refuted", "unverifiable", "not scored (in no rate)"];
  return table("Claims of all responses", columns, rows);
}

/** Long, and of less interest: shown when asked for. */
function agreedTables(profiles: Profiles): string {
  const tables = votesTables(profiles, "consensus", "All raters agree");
  return tables === "" ? "" : `<details><summary>Show them</summary>\n${tables}\n</details>`;
}

function votesTables(
  profiles: Profiles,
  kind: "disputed" | "consensus",
  words: string,
): string {
  return profiles.filter(({ claims }) => claims[kind].length > 0).map(({ model, claims }) => {
    const rated = claims.disputed.length + claims.consensus.length;
    const caption = `${escaped(model)}: ${words} on ${claims[kind].length} of ${rated} claims`;
    return table(caption, ["claim", "query", "votes"], claims[kind].map(claimRow));
  }).join("\n");
}

function claimRow({ text, query, votes }: RatedClaim): readonly string[] {
  const byLabel = Map.groupBy(votes, ({ label }) => label);
  const words = [...byLabel].map(([label, group]) =>
    `<strong>${escaped(label)}</strong>: ${escaped(group.map(({ rater }) => rater).join(", "))}`
  );
  return [escaped(text), escaped(query), words.join("<br>")];
}
