import { createHash } from "node:crypto";
import { escaped, titled } from "../../report/html/markup.ts";
import { PAGE_STYLE } from "../../report/html/page_style.ts";
import type { ProfileComparison } from "../compare_profiles.ts";
import { differencesSection, profilesFigures } from "./figure_sections.ts";
import { claimsSections } from "./claim_sections.ts";
import {
  metricsTable,
  notComputedList,
  reliabilityTable,
  settingsList,
} from "./metric_sections.ts";

const STYLE = `${PAGE_STYLE}
.chart { margin: .5rem 0 1rem; }
.chart img { display: block; width: 100%; max-width: 36rem; height: auto; background: #ffffff;
  border: 1px solid var(--hair); border-radius: 6px; }
`;

/**
 * Profiles as one HTML file that needs nothing else and can reach nothing else: its policy allows its
 * own style and the pictures within it, and no script.
 */
export function profilePage(comparison: ProfileComparison): string {
  const { profiles } = comparison;
  const models = escaped(profiles.map(({ model }) => model).join("; "));
  const title = `${profiles.length === 1 ? "Hallucination profile" : "Hallucination profiles"}: ` +
    models;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p>Claims are supported, refuted or unverifiable by the verifier's word, which is not always right. A
metric that could not be computed has its reason in place of a number.</p>
</header>
<main>
${titled("Reliability", reliabilityTable(profiles))}
${titled("Metrics of every model", `${profilesFigures(profiles)}\n${metricsTable(profiles)}`)}
${titled("Differences", differencesSection(comparison))}
${claimsSections(profiles)}
${titled("What could not be computed", notComputedList(profiles))}
</main>
<footer class="page">
${titled("How it was made", settingsList(comparison))}
</footer>
</body>
</html>
`;
}

function policy(): string {
  const hash = createHash("sha256").update(STYLE).digest("base64");
  return `default-src 'none'; style-src 'sha256-${hash}'; img-src data:`;
}
