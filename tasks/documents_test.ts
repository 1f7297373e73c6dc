import assert from "node:assert/strict";
import { existsSync, globSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parse as parseCsv } from "csv-parse/sync";
import { parse as parseYaml } from "yaml";
import { VERIFIER } from "../lib/factuality/own/training/results.ts";
import {
  VERIFIER_ANSWERS,
  VERIFIER_SOURCES,
  VERIFIER_TRAINING,
} from "../lib/factuality/own/training/tables.ts";
import { REPORT_ROWS } from "../lib/factuality/own/variants/tables.ts";
import {
  ALL_CLAIMS,
  ALL_CONTRADICTIONS,
  BALANCED_ACCURACY,
  DISCRIMINATED,
  NOT_ACCEPTED,
  NOT_STATED,
  REWORDED,
  SET_RIGHT,
} from "../lib/studies/factuality/robustness/natural.ts";
import { ORDERS } from "../lib/studies/factuality/robustness/tables.ts";
import { NATURAL_SET } from "../lib/studies/factuality/claims/knowledge_claims.ts";
import { NATURAL_TRIALS } from "../lib/studies/factuality/claims/tables.ts";
import { heldOutSourcesTable } from "../lib/studies/factuality/training.ts";
import { shownCells } from "./notebook/nbformat.ts";

const ROOT = join(import.meta.dirname!, "..");
const read = (path: string) => Deno.readTextFileSync(join(ROOT, path));

/** Markdown of a page, or of a notebook's cells and outputs. */
function markdown(path: string): string {
  if (!path.endsWith(".ipynb")) return read(path);
  return shownCells(read(path), path).flatMap(({ cell_type, source, outputs }) => [
    cell_type === "markdown" ? source : "",
    ...outputs.map((output) => output["text/markdown"] ?? ""),
  ]).join("\n\n");
}

/** Anchors of headings as GitHub makes them, and as Jupyter does, which keeps capitals. */
const anchors = (path: string) =>
  new Set(
    [...markdown(path).matchAll(/^#+ +(.+)$/gm)].flatMap(([, heading]) => {
      const words = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
      const github = words.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "");
      return [github.trim().replace(/\s/g, "-"), words.trim().replace(/\s/g, "-")];
    }),
  );

Deno.test("every relative link of the documents and notebooks leads to a file, and to a heading of it", () => {
  const pages = [
    "*.md",
    "docs/*.md",
    "data/*.md",
    "data/*/README.md",
    "lib/**/README.md",
    "notebooks/*.ipynb",
  ]
    .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    .filter((path) => !path.includes("node_modules"));
  const dead: string[] = [];
  for (const page of pages) {
    const text = markdown(page).replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
    const targets = [
      ...text.matchAll(/\]\(([^)\s]+)\)/g),
      ...text.matchAll(/<(?:img|a)\s[^>]*(?:src|href)="([^"]+)"/g),
    ].map(([, target]) => target!);
    for (const target of targets) {
      if (/^(?:[a-z]+:|data:)/.test(target)) continue;
      const [file = "", anchor] = target.split("#");
      const path = file === "" ? page : normalize(join(dirname(page), decodeURI(file)));
      const there = existsSync(join(ROOT, path));
      const headed = anchor === undefined || /^L\d+/.test(anchor) ||
        (/\.(?:md|ipynb)$/.test(path) && there && anchors(path).has(decodeURI(anchor)));
      if (!there || !headed) dead.push(`${page}: ${target}`);
    }
  }
  assert.ok(pages.length > 30, `only ${pages.length} pages were found`);
  assert.deepEqual(dead, []);
});

Deno.test("docs/fact_checking_*.md have the figures of their files", () => {
  const percent = (part: number, whole: number) => String(Math.round((100 * part) / whole));
  const two = (value: number) => value.toFixed(2);
  const rows = VERIFIER_SOURCES.read();
  const row = (source: string, label: string) =>
    rows.find((one) => one.source === source && one.label === label)!;
  const sources = {
    "its evidence alone": "evidence alone",
    "300 words of other texts as well": "evidence among 300 words",
    "1,500 words of other texts as well": "evidence among 1500 words",
  };
  const silent = row("silent on the claim", "not enough info");
  const changes = [
    "digits",
    "unit",
    "negation",
    "number",
    "place",
    "quantifier",
    "date",
    "name",
    "roles",
  ];
  const report = REPORT_ROWS.read();
  const noticed = (group: string) => {
    const found = report.find((one) =>
      one.component === VERIFIER && one.group === group && one.measure === "not accepted"
    )!;
    return `| ${group} | ${percent(Number(found.estimate), 1)} % |`;
  };
  const natural = report.filter(({ section, component }) =>
    section === "natural" && component === VERIFIER
  );
  const naturalRow = (group: string, measure: string) =>
    natural.find((one) => one.group === group && one.measure === measure)!;
  const inPercent = ({ estimate, low, high }: typeof natural[number]) => {
    const [middle, ...ends] = [estimate, low, high].map((value) => percent(Number(value), 1));
    return `${middle} % [${ends.join(", ")}]`;
  };
  const rowsOfTrials = NATURAL_TRIALS.read();
  const trials = [...new Set(rowsOfTrials.map(({ trial }) => trial))];
  const isNatural = ({ set }: typeof rowsOfTrials[number]) => set.startsWith(NATURAL_SET);
  const meanOf = (trial: string) => {
    const sources = rowsOfTrials.filter((one) => one.trial === trial && !isNatural(one));
    const sum = sources.reduce((sum, one) => sum + one.balanced_accuracy, 0);
    return (sum / sources.length).toFixed(3);
  };
  const naturalOf = (trial: string) =>
    rowsOfTrials.find((one) => one.trial === trial && isNatural(one))!.balanced_accuracy.toFixed(3);
  const toldApart = naturalRow(ALL_CONTRADICTIONS, DISCRIMINATED);
  const balanced = naturalRow(ALL_CLAIMS, BALANCED_ACCURACY);
  const { entries } = JSON.parse(read("data/factuality/judge_calibration.json"));
  const { measured: judge } = entries.find(({ id, prompt }: { id: string; prompt: string }) =>
    id.startsWith("Qwen") && prompt === "support"
  );
  const { measured: [pairs, models] } = JSON.parse(read("data/factuality/large_verifier.json"));
  const interval = ({ low, high }: Record<"low" | "high", number>) => `[${two(low)}, ${two(high)}]`;
  const orders = ORDERS.read().filter(({ component }) =>
    component.endsWith("(next word, which is better)")
  );
  const named = orders.filter(({ winner }) => winner === "first").length;
  const figures = {
    "docs/fact_checking_method.md": [
      ...heldOutSourcesTable(VERIFIER_TRAINING.read(), VERIFIER_ANSWERS.read()).trim().split("\n")
        .filter((line) => !line.includes("---")),
      ...Object.entries(sources).map(([words, source]) => {
        const [refuted, supported] = [row(source, "refuted"), row(source, "supported")];
        const [passed, accepted] = [refuted, supported].map(({ supported, n }) =>
          percent(supported, n)
        );
        return `| ${words} | ${refuted.n} | ${passed} | ${supported.n} | ${accepted} |`;
      }),
      `Of ${silent.n} claims with sources that do not mention them, ` +
      `${percent(silent.refuted, silent.n)} % were called refuted and ` +
      `${percent(silent.supported, silent.n)} % supported.`,
      ...changes.map(noticed),
      ...[
        ...[ALL_CONTRADICTIONS, SET_RIGHT, REWORDED, NOT_STATED, "negated event", "age limit"],
        ...["attributes swapped", "postponed or decided", "from and until", "scope"],
      ].map((group) => {
        const found = naturalRow(group, NOT_ACCEPTED);
        return `| ${group} | ${found.n} | ${inPercent(found)} |`;
      }),
      ...trials.map((trial) => `| ${trial} | ${meanOf(trial)} | ${naturalOf(trial)} |`),
      `in ${inPercent(toldApart)} of ${toldApart.n} pairs`,
      `${two(Number(balanced.estimate))} [${two(Number(balanced.low))}, ` +
      `${two(Number(balanced.high))}] on ${balanced.n} claims`,
      `Its balanced accuracy is ${two(pairs.balancedAccuracy)} ${interval(pairs)} on ${pairs.n} ` +
      `pairs of nli_development (AUC ${two(pairs.areaUnderCurve)}), and ` +
      `${two(models.balancedAccuracy)} ${interval(models)} on ${models.n} claims of models with ` +
      `looked-up passages (AUC ${two(models.areaUnderCurve)}).`,
      `its balanced accuracy is ${two(judge.balancedAccuracy)} ${interval(judge)} on ${judge.n} ` +
      "claims about development countries.",
    ],
    "docs/fact_checking_models.md": [
      `named the first text in ${named} of the study's ${orders.length} comparisons`,
    ],
  };
  for (const [page, written] of Object.entries(figures)) {
    assertStates(page, written.map((figure) => figure.replace(/ ?\| ?/g, "|")));
  }
});

Deno.test("docs/rating_analysis.md has the numbers of its file", () => {
  const rows = rowsOf("translation/wmt23_python.csv");
  const compared = rows.reduce((sum, row) => sum + Number(row.compared), 0);
  const largest = Math.max(...rows.map((row) => Number(row.largest_difference)));
  const [digits, power] = largest.toExponential(1).split("e-");
  const superscript = [...power!].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
  assertStates("docs/rating_analysis.md", [
    `Of ${compared} numbers the largest difference is ${digits} × 10⁻${superscript}`,
  ]);
});

Deno.test("docs/exports.md has the numbers of its files", () => {
  const sets = {
    forward: "norse/likelihoods.csv",
    reverse: "norse/reverse_likelihoods.csv",
    main: "sanskrit/likelihoods.csv",
  };
  assertStates(
    "docs/exports.md",
    Object.entries(sets).map(([set, path]) => {
      const rows = rowsOf(path).filter(({ model }) => model === "SmolLM2-135M-Instruct");
      const right = rows.filter(({ grammatical_logprob, ungrammatical_logprob }) =>
        Number(grammatical_logprob) > Number(ungrammatical_logprob)
      );
      return `|\`${set}\`|${rows.length}|${(100 * right.length / rows.length).toFixed(1)} %|`;
    }),
  );
  const umlaut = rowsOf("norse/minimal_pairs.csv").filter(({ phenomenon }) =>
    phenomenon === "UMLAUT"
  );
  assertStates("docs/exports.md", [`split="umlaut") # ${umlaut.length} rows`]);
});

Deno.test("docs/million_pairs.md has the length of the sentences", () => {
  const rows = rowsOf("norse/likelihoods.csv").filter(({ model }) =>
    model === "SmolLM2-135M-Instruct"
  );
  const tokens = rows.reduce(
    (sum, row) => sum + Number(row.grammatical_tokens) + Number(row.ungrammatical_tokens),
    0,
  );
  // Where it changes, count the questions' tokens anew, too.
  const mean = (tokens / (2 * rows.length)).toFixed(0);
  assertStates("docs/million_pairs.md", [`454 at most, and a sentence ${mean}.`]);
});

Deno.test("workflows are YAML, and call tasks that there are", () => {
  const { tasks } = JSON.parse(read("deno.json"));
  const files = globSync(".github/workflows/*.yml", { cwd: ROOT });
  const called = files.flatMap((file) => {
    const { jobs } = parseYaml(read(file));
    const steps = Object.values<{ steps: { run?: string }[] }>(jobs).flatMap(({ steps }) => steps);
    return steps.flatMap(({ run }) => run?.match(/(?<=deno@\S+ task )\S+/g) ?? []);
  });
  assert.ok(files.length >= 2 && called.length >= 3);
  assert.deepEqual(called.filter((name) => !(name in tasks)), []);
});

/** Words and table cells of a page in one line, however they are broken and padded. */
const flat = (path: string) => read(path).replace(/\s+/g, " ").replace(/ ?\| ?/g, "|");

// A row of a data file: fields of CSV as text, values of JSON lines as they are.
// deno-lint-ignore no-explicit-any
type Row = Readonly<Record<string, any>>;

/** Rows of a CSV or JSONL file of `data/`. */
function rowsOf(path: string): readonly Row[] {
  const text = read(`data/${path}`);
  if (path.endsWith(".csv")) return parseCsv(text, { columns: true });
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

const count = (rows: readonly Row[], isCounted: (row: Row) => boolean) =>
  String(rows.filter(isCounted).length);
const grouped = (value: number) => value.toLocaleString("en-GB");

/** Ratings of blind readers about the pairs of these certificates. */
function readings(study: string): readonly Row[] {
  const pairs = new Set(rowsOf(`${study}/certificates.csv`).map(({ sha256 }) => sha256));
  return rowsOf(`${study}/blind_review.csv`).filter(({ sha256 }) => pairs.has(sha256));
}

Deno.test("docs/old_norse.md has the numbers of its files", () => {
  const sets = ["minimal_pairs", "further_pairs", "reverse_pairs"].map((set) => {
    const rows = rowsOf(`norse/${set}.csv`);
    const phenomena = ["QUIRKY_CASE", "ADJECTIVE", "UMLAUT", "MIDDLE_VOICE"]
      .map((name) => count(rows, ({ phenomenon }) => phenomenon === name));
    return `|\`${set}.csv\`|${rows.length}|${phenomena.join("|")}|`;
  });
  const certificates = rowsOf("norse/certificates.csv");
  const marked = (...marks: readonly string[]) =>
    count(certificates, (row) => marks.some((mark) => row.marks.split("; ").includes(mark)));
  const quirky = certificates.filter(({ pair_id }) => pair_id.startsWith("ON_QUIRKY_CASE"));
  const framed = (...names: readonly string[]) =>
    count(quirky, ({ construction }) => names.includes(construction));
  const read = readings("norse");
  const doubted = read.filter(({ rating }) => rating === "1");
  const old = new Set(
    certificates.filter(({ marks }) => marks.includes("regular_in_old_norwegian"))
      .map(({ sha256 }) => sha256),
  );
  const precision = rowsOf("norse/precision.csv");
  const shown = certificates.find(({ pair_id }) => pair_id === "ON_MIDDLE_VOICE_018")!;
  const clash = ["verb_person_clash", "verb_number_clash", "modifier_keeps_case"];
  assert.ok(
    read.every(({ chose_grammatical, rating }) =>
      chose_grammatical === "True" && "01".includes(rating)
    ),
  );
  assertStates("docs/old_norse.md", [
    ...sets,
    `(chapter ${shown.chapter}, sentence ${shown.sentence}, rule ${shown.rule}) ` +
    shown.explanation,
    `${certificates.length} pairs, 0 of them proposed`,
    `${rowsOf("norse/further_pairs.csv").length} further pairs`,
    `${rowsOf("norse/reverse_pairs.csv").length} pairs of the reverse set`,
    `${marked("regular_in_old_norwegian")} umlaut variants are regular in Old Norwegian`,
    `${marked(...clash)} of the ${quirky.length} pairs of quirky case break more than case`,
    `The other ${marked("only_case")} have the mark`,
    `Only ${marked("role_subject")} pairs of quirky case have a certain oblique subject`,
    `In ${marked("role_experiencer")} pairs the oblique is an experiencer next to a theme, ` +
    `in ${marked("role_benefactive")} a benefactive`,
    `${marked("direction_to_active")} pairs remove _-sk_`,
    `${marked("direction_to_middle")} add it to an active`,
    `${
      framed("impersonal_verb", "middle_verb")
    } pairs have an active or middle verb with an oblique subject`,
    `copular phrase (${framed("copular_phrase")}), a passive that keeps the dative ` +
    `(${framed("passive")}) or a verbal idiom (${framed("verbal_idiom")})`,
    `${marked("only_one_feature_in_every_dialect")} of the ${certificates.length} pairs break only`,
    `judged all ${read.length} pairs blind`,
    `They called ${doubted.length} variants doubtful, ` +
    `${count(doubted, ({ sha256 }) => old.has(sha256))} of them only`,
    `${
      count(precision, ({ flipped }) => flipped === "True")
    } of ${precision.length} measured pairs`,
  ]);
});

Deno.test("the pairs that docs/old_norse.md shows are in the set", () => {
  const pairs = rowsOf("norse/minimal_pairs.csv");
  const page = read("docs/old_norse.md");
  const shown = [...page.matchAll(/\*\*([^*|]+)\*\*[^|]*?\\\*\*\*([^*|]+)\*\*/gu)];
  assert.equal(shown.length, 5);
  for (const [, target, variant] of shown) {
    const isShown = (row: Row) =>
      row.target === target && row.ungrammatical.split(/[ .,]+/).includes(variant);
    assert.ok(pairs.some(isShown), `${target} → ${variant}`);
  }
});

Deno.test("docs/sanskrit.md has the numbers of its files", () => {
  const pairs = rowsOf("sanskrit/morph_contrast_sets.jsonl");
  const sets = ["morph_contrast_sets", "control_sentences", "bare_contrast_sets"].map((set) =>
    `|\`${set}.jsonl\`|${rowsOf(`sanskrit/${set}.jsonl`).length}|`
  );
  const names = ["case", "number", "verb_agreement", "adjective_agreement", "declension"];
  const of = (name: string) => count(pairs, ({ phenomenon }) => phenomenon === name);
  const printed = (name: string) =>
    new RegExp(`(\\d+) of \\d+ ${name} contrasts`).exec(flat("docs/sanskrit.md"))?.[1];
  assert.deepEqual(names.map(printed), names.map(of));
  const design = rowsOf("sanskrit/probe_statistics.csv").filter(({ model }) =>
    model === "(design)"
  );
  const bare = ["case", "number"].map((feature) => {
    const measured = (measure: string) =>
      design.find((row) => row.phenomenon === `bare.${feature}` && row.measure === measure)!;
    const counts = ["attested_one", "attested_both", "attested_none"].map(measured)
      .map(({ estimate, n }) => Math.round(Number(estimate) * Number(n)));
    const { n, clusters } = measured("attested_one");
    return `|${feature}|${n}|${clusters}|${counts.join("|")}|`;
  });
  const nouns = pairs.filter(({ phenomenon }) => ["case", "number"].includes(phenomenon));
  const cases = pairs.filter(({ phenomenon }) => phenomenon === "case");
  const singular = (name: string) =>
    count(
      cases,
      ({ metadata }) => metadata.correct_case === name && metadata.correct_number === "singular",
    );
  assert.ok(
    nouns.every(({ metadata: { correct_case, correct_number } }) =>
      !["dative", "ablative", "vocative"].includes(correct_case) && correct_number !== "dual"
    ),
  );
  const gold = rowsOf("sanskrit/gold_agreement.csv");
  const agree = ["case", "number", "gender"].map((name) => {
    const { n, agreeing } = gold.find((row) => row.words === "parsed" && row.feature === name)!;
    return `${name} for ${grouped(Number(agreeing))} of ${grouped(Number(n))}`;
  });
  const read = readings("sanskrit");
  const rated = (digit: string) => count(read, ({ rating }) => rating === digit);
  assertStates("docs/sanskrit.md", [
    ...[...sets, ...bare, ...agree, ...names.map((name) => `|${name}|${of(name)}|`)],
    `${rowsOf("sanskrit/control_sentences.jsonl").length} control sentences`,
    `Of the ${cases.length} correct forms of case, ${singular("nominative")} are nominative ` +
    `singulars and ${singular("accusative")} accusative singulars`,
    `Only ${count(nouns, ({ metadata }) => metadata.gender === "neuter")} of the ${nouns.length} ` +
    "nouns of case and number are neuters",
    `judged ${read.length} of the ${pairs.length} pairs`,
    `clearly wrong in ${rated("0")}, doubtful in ${rated("1")} and acceptable in ${rated("2")}`,
  ]);
});

Deno.test("docs/departures.md has the numbers of its files", () => {
  const certificates = rowsOf("norse/certificates.csv");
  const quirky = certificates.filter(({ pair_id }) => pair_id.startsWith("ON_QUIRKY_CASE"));
  const framed = (...names: readonly string[]) =>
    count(quirky, ({ construction }) => names.includes(construction));
  const marked = (mark: RegExp) => count(certificates, ({ marks }) => mark.test(marks));
  const pairs = rowsOf("sanskrit/morph_contrast_sets.jsonl");
  const written = rowsOf("factuality/robustness_report.csv").find((row) =>
    row.component === "SmolLM2-135M-Instruct (written score)" &&
    row.measure === "variance of scores (points²)"
  )!;
  const of = (name: string) => count(pairs, ({ phenomenon }) => phenomenon === name);
  assertStates("docs/departures.md", [
    `${pairs.length} pairs in lines: ${of("case")} case, ${of("number")} number, ` +
    `${of("verb_agreement")} verbs, ${of("adjective_agreement")} modifiers, ` +
    `${of("declension")} declension`,
    `${
      framed("impersonal_verb", "middle_verb")
    } of ${quirky.length} pairs; the others are copular ` +
    `phrases (${framed("copular_phrase")}), passives (${framed("passive")}) and idioms ` +
    `(${framed("verbal_idiom")}). ${marked(/role_(?:experiencer|benefactive)/)} are marked`,
    `${marked(/direction_to_active/)} pairs restore the active`,
    `${marked(/direction_to_middle/)} add _-sk_`,
    `also ${rowsOf("norse/reverse_pairs.csv").length} reverse pairs`,
    `SmolLM2 have a variance of ${grouped(Math.round(Number(written.estimate)))} points²`,
  ]);
});

/** Fails with the figures that a page does not state. */
function assertStates(page: string, figures: readonly string[]): void {
  const text = flat(page);
  assert.deepEqual(figures.filter((figure) => !text.includes(figure)), [], `${page} lacks these`);
}

/** Pages that keep to the rules of language: at most 35 words a sentence, at most 1,200 a page. */
const SHORT_PAGES = [
  ...["commands", "file_formats", "glossary", "notebooks", "old_norse", "related_work", "sanskrit"]
    .map((name) => `docs/${name}.md`),
  ...globSync(
    "docs/{fact_checking*,human_evaluation,rating_*,own_*,million_pairs,hosted_models,exports,reliability,site}.md",
    { cwd: ROOT },
  ),
];

Deno.test("no sentence of the short pages has more than 35 words, no page more than 1,200", () => {
  const wordsOf = (text: string) => text.match(/[\p{L}][\p{L}\p{M}’'-]*/gu) ?? [];
  for (const page of [...SHORT_PAGES, "docs/departures.md"]) {
    const prose = read(page).replace(/```[\s\S]*?```/g, "").replace(/\]\([^)]*\)/g, "]");
    const sentences = prose.split(/\n(?=[-#|\n]|\d+\.)|\||(?<=[.!?:;])\s/);
    assert.deepEqual(sentences.filter((one) => one.trim().split(/\s+/).length > 35), [], page);
    const n = wordsOf(prose).length;
    if (SHORT_PAGES.includes(page)) assert.ok(n <= 1200, `${page} has ${n} words`);
  }
});

Deno.test("RESULTS.md has no sentence over 35 words and no table over seven columns", () => {
  const lines = read("RESULTS.md").split("\n");
  const prose = lines.filter((line) => !/^[|<]/.test(line)).join("\n");
  const sentences = prose.split(/\n\n|\n(?=- |\d+\. )|(?<=[.!?:;])\s/);
  assert.deepEqual(sentences.filter((one) => one.trim().split(/\s+/).length > 35), []);
  const wide = lines.filter((line) => /^\|[\s|:-]+$/.test(line) && line.split("|").length > 9);
  assert.deepEqual(wide, []);
});

Deno.test("README's figures with intervals are in RESULTS.md, which the notebooks write", () => {
  // Excerpts of what commands print are tested in excerpts_test.ts.
  const prose = read("README.md").replace(/^```[^]*?^```$/gm, "");
  const cited = prose.match(/-?\d+(?:\.\d+)? \[[^\]]*\]/g) ?? [];
  const results = read("RESULTS.md");
  assert.ok(cited.length >= 8);
  assert.deepEqual(cited.filter((figure) => !results.includes(figure)), []);
});
