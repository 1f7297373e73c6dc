/** Cards of both studies' pairs for the pair browser, and the form that filters them. */
import { type BrowsedPair, type Collection, OUTCOMES } from "../../app/pairs/filter.ts";
import { escapeHtml } from "../../lib/files/page.ts";
import { readBothDirections } from "../../lib/studies/norse/evidence.ts";
import { PHENOMENON_NAMES as NORSE_NAMES } from "../../lib/studies/norse/rules.ts";
import { NORSE_PATHS } from "../../lib/studies/norse/study.ts";
import type { Answers, PairLikelihood, Response } from "../../lib/pairs/answers.ts";
import { readAnswers } from "../../lib/pairs/answers.ts";
import { readBlindReview, type ReviewRow } from "../../lib/pairs/review.ts";
import type { DatasetItem } from "../../lib/pairs/dataset.ts";
import { aroundChange, type MinimalPair } from "../../lib/pairs/pair.ts";
import { regionDifferences } from "../../lib/pairs/measures.ts";
import { PHENOMENON_NAMES as SANSKRIT_NAMES } from "../../lib/studies/sanskrit/figure_rows.ts";
import { readContrastSets } from "../../lib/studies/sanskrit/probes.ts";
import { toIast } from "../../lib/studies/sanskrit/sounds.ts";
import { SANSKRIT_PATHS, SANSKRIT_STUDY } from "../../lib/studies/sanskrit/study.ts";

/** Pairs of one set, with all their data. */
interface Source {
  readonly set: string;
  readonly items: readonly DatasetItem[];
  readonly answers: Answers;
  readonly review: string;
  readonly names: Readonly<Record<string, string>>;
  /** Scripts of the sentences: BCP 47 tag and the function that converts a sentence. */
  readonly scripts: Readonly<Record<string, (text: string) => string>>;
}

/** Collects the committed pairs: Norse in both directions, and Sanskrit. */
export function collectPairs(): Collection {
  const answers = readBothDirections();
  const { main } = readContrastSets();
  const scripts = { non: String };
  const norse = { answers, review: NORSE_PATHS.blindReview, names: NORSE_NAMES, scripts };
  const sources: readonly Source[] = [
    { set: "Old Norse", items: answers.items, ...norse },
    { set: "Old Norse, reverse", items: answers.reverse, ...norse },
    {
      set: "Sanskrit",
      items: main,
      names: SANSKRIT_NAMES,
      answers: readAnswers(SANSKRIT_STUDY, main.map(({ pair }) => pair)),
      review: SANSKRIT_PATHS.blindReview,
      scripts: { sa: String, "sa-Latn": toIast },
    },
  ];
  const checks = new Map<string, number>();
  const pairs = sources.flatMap((source) => browsed(source, checks));
  return { pairs, checks: [...checks.keys()].map(escapeHtml) };
}

/** Converts pairs for the browser; each new check gets the next number. */
function browsed({ set, items, ...source }: Source, checks: Map<string, number>): BrowsedPair[] {
  const review = readBlindReview(source.review, items);
  const readingsOf = Map.groupBy(review, ({ pairId }) => pairId);
  const scoresOf = scoresByPair(source.answers);
  return items.map(({ pair, certificate }) => {
    const { lemma, marks, explanation } = certificate;
    const [readings, scores] = [readingsOf.get(pair.id) ?? [], scoresOf.get(pair.id) ?? {}];
    const phenomenon = source.names[pair.phenomenon] ?? pair.phenomenon;
    const readers = READERS[readings.length === 0 ? 2 : readings.some(isDoubt) ? 0 : 1]!;
    const html = `<article class="card pair" aria-labelledby="${pair.id}"><div>
<h2 id="${pair.id}">${pair.id}
<span class="quiet">${[phenomenon, lemma, ...marks].map(escapeHtml).join(" · ")}</span></h2>
${Object.entries(source.scripts).map((script) => members(pair, script)).join("\n")}
<p>${escapeHtml(explanation)}</p>
${readings.map(readingMarkup).join("\n")}
${certificateMarkup({ pair, certificate }, checks)}</div></article>`;
    return { set, phenomenon, lemma, marks, readers, scores, html };
  });
}

/** Renders both sentences; the variant is marked with an asterisk. */
function members(pair: MinimalPair, [language, write]: [string, (text: string) => string]): string {
  const { before, from, to, after } = aroundChange(pair);
  const [start, word, variant, end] = [before, from, to, after].map((text) =>
    escapeHtml(write(text))
  );
  return `<div class="members" lang="${language}"><p>${start}<mark>${word}</mark>${end}</p>
<p><span lang="en" title="ungrammatical">*</span>${start}<mark>${variant}</mark>${end}</p></div>`;
}

function certificateMarkup(
  { pair, certificate: { rule, source, ...own } }: DatasetItem,
  checks: Map<string, number>,
): string {
  const fields = {
    Construction: own.construction,
    Cells: `${own.cellFrom} → ${own.cellTo}`,
    "In the edition": own.sourceSpelling === pair.grammatical ? "" : own.sourceSpelling,
    Context: pair.context ?? "",
    "Proposed by": own.proposedBy,
  };
  const items = Object.entries(fields).filter(([, value]) => value !== "")
    .map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`).join("");
  const numbers = own.checks.map((check) => checks.getOrInsert(check, checks.size)).join(" ");
  const place = `${rule}, ${source.text} ${source.chapter}, ${source.sentence}`;
  return `<details><summary>Certificate: ${escapeHtml(place)}</summary>
<dl>${items}<dt>Checks</dt><dd><ul data-checks="${numbers}"></ul></dd></dl></details>`;
}

/** Reviewers' possible judgements of a pair. */
const READERS = ["had a doubt", "had no doubt", "have not read it"];

/** Ratings in words, in the order of `blind_review.csv`. */
const RATINGS = ["variant wrong", "doubtful", "variant acceptable", "the text itself odd"];

const isDoubt = ({ rating, choseGrammatical }: ReviewRow) => rating > 0 || !choseGrammatical;

function readingMarkup(row: ReviewRow): string {
  const chose = row.choseGrammatical ? "" : ", and took the variant for the text";
  const words = `${RATINGS[row.rating]}${chose}${row.remark === "" ? "" : `: ${row.remark}`}`;
  const className = isDoubt(row) ? "unknown" : "quiet";
  return `<p class="${className}">Reader (a language model): ${escapeHtml(words)}</p>`;
}

function scoresByPair({ responses, likelihoods }: Answers) {
  const found = new Map<string, Record<string, Record<string, string>>>();
  const of = ({ pairId, model }: PairLikelihood | Response) =>
    found.getOrInsert(pairId, {})[escapeHtml(model)] ??= {};
  for (const answers of Map.groupBy(responses, (row) => `${row.pairId} ${row.model}`).values()) {
    const right = answers.filter(({ correct }) => correct).length;
    const sign = right === answers.length ? "✓" : right === 0 ? "✗" : "=";
    of(answers[0]!).choice = `${sign} ${right} of ${answers.length}`;
  }
  for (const row of likelihoods) Object.assign(of(row), likelihoodScores(row));
  return found;
}

function likelihoodScores(row: PairLikelihood) {
  const { grammatical: good, ungrammatical: bad } = row;
  const lead = (ofGood: number, ofBad: number) =>
    inNats(good.logProbability / ofGood - bad.logProbability / ofBad);
  const gain = regionDifferences(row)?.in_context;
  return {
    total: lead(1, 1),
    "per token": lead(good.tokens, bad.tokens),
    "per byte": lead(good.bytes, bad.bytes),
    ...(gain === undefined ? {} : { "in context": inNats(gain / 1e6) }),
  };
}

/** Formats the lead of the grammatical member, given in millionths of a nat. */
function inNats(lead: number): string {
  const size = Math.abs(lead);
  const shown = size.toFixed(size < 0.1 ? 3 : 2);
  return size < 1e-9 ? `= ${shown}` : lead > 0 ? `✓ +${shown}` : `✗ −${shown}`;
}

/** Renders the form and the elements that the page's script fills. */
export function browserMarkup({ pairs }: Collection): string {
  const scores = pairs.flatMap((pair) => Object.entries(pair.scores));
  const lists = {
    set: ["Set", pairs.map(({ set }) => set)],
    phenomenon: ["Phenomenon", pairs.map(({ phenomenon }) => phenomenon)],
    mark: ["Marked in its certificate", pairs.flatMap(({ marks }) => marks)],
    readers: ["Readers", READERS],
    model: ["Model", scores.map(([model]) => model)],
    measure: ["By", scores.flatMap(([, own]) => Object.keys(own))],
    outcome: ["Judged it", Object.values(OUTCOMES)],
  } as const;
  const options = (words: readonly string[]) =>
    [...new Set(words)].map((word) => `<option>${escapeHtml(word)}</option>`).join("");
  const selects = Object.entries(lists).map(([name, [label, words]]) =>
    `<label>${label}<select name="${name}"><option value="">any</option>${options(words)}` +
    "</select></label>"
  );
  return `<form id="filters" method="dialog" role="search">
<label>Search<input type="search" name="search"></label>
<label>Lemma<input type="search" name="lemma" list="lemmas"></label>
<datalist id="lemmas">${options(pairs.map(({ lemma }) => lemma).toSorted())}</datalist>
${selects.join("\n")}
<button type="reset">All pairs</button>
</form>
<noscript>The browser needs JavaScript. It fetches nothing.</noscript>
<p id="status" role="status" tabindex="-1"></p>
<div id="list"></div>
<p><button type="button" id="previous">← Previous</button>
<button type="button" id="next">Next →</button></p>`;
}
