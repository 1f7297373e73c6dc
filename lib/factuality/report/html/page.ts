import { createHash } from "node:crypto";
import type { Evaluation } from "../../evaluation/evaluation.ts";
import { groundingSentence, resultSentence } from "../words.ts";
import { candidateText, legend } from "./candidate_text.ts";
import { claimCards } from "./claim_card.ts";
import { escaped, titled } from "./markup.ts";
import { PAGE_SCRIPT } from "./page_script.ts";
import { PAGE_STYLE, targetRules } from "./page_style.ts";
import { foundSections, makingSection, scoresSection } from "./sections.ts";
import { sourceTexts } from "./source_texts.ts";

/**
 * One evaluation as one HTML file that needs nothing else and can reach nothing else: its policy
 * allows its own style and script only. It is whole without the script.
 */
export function evaluationPage(evaluation: Evaluation): string {
  const style = `${PAGE_STYLE}${targetRules(evaluation.claims.length)}\n`;
  const title = `Factuality evaluation: ${escaped(evaluation.request.id)}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="result">${escaped(resultSentence(evaluation))}</p>
<p>${escaped(groundingSentence(evaluation))}</p>
</header>
<main>
<div class="both">
<div>
${textSection(evaluation)}
${titled("What it was checked against", sourceTexts(evaluation))}
</div>
<div class="cards" role="region" aria-label="Claims" tabindex="0">
${titled("Claims", claimCards(evaluation))}
</div>
</div>
${scoresSection(evaluation)}
${foundSections(evaluation)}
</main>
<footer class="page">
${makingSection(evaluation)}
</footer>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function textSection(evaluation: Evaluation): string {
  const { question } = evaluation.request;
  const asked = question === "" ? "" : `<p class="quiet">Asked: ${escaped(question)}</p>\n`;
  return titled("The text", `${asked}${legend()}\n${candidateText(evaluation)}`);
}

/** Whatever a text smuggled in could not run: only this style and this script have these hashes. */
function policy(style: string): string {
  return `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(PAGE_SCRIPT)}'`;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
