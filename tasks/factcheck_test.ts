import assert from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import { existsSync } from "node:fs";
import { biasMarkdown } from "../lib/factuality/own/bias_report.ts";
import {
  components,
  judgement,
  literalVerifier,
  retrievedPassage,
  scriptedJudge,
  scriptedRetriever,
} from "../lib/factuality/check/testdata/fakes.ts";
import { unscored } from "../lib/factuality/decision.ts";
import type { Verifier } from "../lib/factuality/types.ts";
import { readPromptTemplates } from "../lib/factuality/judges/prompts.ts";
import { readProfileJson } from "../lib/factuality/metrics/profile.ts";
import { FACTUALITY_PATHS } from "../lib/factuality/paths.ts";
import { readEvaluationJson } from "../lib/factuality/report/formats.ts";
import { inFolder } from "../lib/files/testdata/folder.ts";
import {
  type Behaviour,
  startStandInServer,
} from "../lib/models/hosted/testdata/stand_in/server.ts";
import { EXIT, exitCodeOf } from "./command.ts";
import { checkOne, FACTCHECK, requestOf } from "./factcheck.ts";
import { checkBatch, requestsOf } from "./factcheck/batch.ts";
import { biasOfText, TASK as BIAS } from "./factcheck/bias.ts";
import { reportFolder } from "./factcheck/opening.ts";
import { compareFiles, TASK as PAIRWISE } from "./factcheck/pairwise.ts";

const { signal } = new AbortController();

/** Output meanwhile, on either stream. */
async function saidBy(work: () => unknown): Promise<string> {
  const said: string[] = [];
  const before = { log: console.log, error: console.error };
  console.log = console.error = (text: string) => void said.push(text);
  try {
    await work();
  } finally {
    Object.assign(console, before);
  }
  return said.join("\n");
}

/** A judge whose answers no judge gives: the evaluation itself fails on them. */
const BROKEN = scriptedJudge("one", () => Promise.resolve({ ...judgement(1), flagged: null! }));

/** A request in a folder of its own. */
const withRequest = (
  text: string,
  source: string,
  body: (folder: string, request: ReturnType<typeof requestOf>) => Promise<void>,
) =>
  inFolder((folder) => {
    const [candidate, from] = [join(folder, "c.txt"), join(folder, "s.txt")];
    Deno.writeTextFileSync(candidate, text);
    Deno.writeTextFileSync(from, source);
    return body(join(folder, "out"), requestOf(candidate, from));
  });

Deno.test("factcheck: one text gives its reports as page, Markdown, JSON and tables", () =>
  withRequest("Elk swim. Elk fly.", "All elk swim.", async (out, request) => {
    const said = await saidBy(async () =>
      assert.equal(await checkOne(out, request, components(), signal), EXIT.done)
    );
    assert.match(
      said,
      /finds 1 of 2 checkable claims supported \(50 \[9, 91\] %\)\. Refuted: 0, not enough info: 1/,
    );
    const names = [...Deno.readDirSync(out)].map(({ name }) => name).sort();
    const reports = [
      "batch.lock",
      "claims.csv",
      "evaluation.html",
      "evaluation.json",
      "evaluation.md",
    ];
    assert.deepEqual(names, [...reports, "judgements.csv"]);
    const json = Deno.readTextFileSync(join(out, "evaluation.json"));
    assert.equal(readEvaluationJson(json, "x").mode, "source");
  }));

Deno.test("Requirement 9.4: one text that was stopped goes on; another text, source or verifier takes nothing", () =>
  withRequest("Elk swim. Elk fly. Elk read.", "All elk swim.", async (out, request) => {
    /** Inputs, ending and output of a run that is stopped before its nth claim. */
    const run = async (of: typeof request, stopBefore = Infinity, version = 1) => {
      const [stop, read] = [new AbortController(), [] as string[]];
      const verify: Verifier["verify"] = (claims, passages) => {
        if (read.length + 1 >= stopBefore) stop.abort(new Error("stopped"));
        stop.signal.throwIfAborted();
        read.push(...claims);
        return literalVerifier.verify(claims, passages);
      };
      const verifier = { ...literalVerifier, settings: { version }, verify };
      const judges = [scriptedJudge("one", () => Promise.resolve(judgement(60)))];
      const asked = components({ verifier, batchSize: 1, judges });
      let code: number | undefined;
      const said = await saidBy(async () => code = await checkOne(out, of, asked, stop.signal));
      return { code, read: read.join(" "), said };
    };
    const kept = join(out, "unfinished.jsonl");
    const stopped = await run(request, 3);
    assert.deepEqual([stopped.code, stopped.read], [EXIT.incomplete, "Elk swim. Elk fly."]);
    assert.match(stopped.said, /the same command continues from there/);
    // A kill may cut a line.
    Deno.writeTextFileSync(kept, '{"key": "ab', { append: true });
    for (
      const other of [{ ...request, source: "Elk fly." }, {
        ...request,
        candidate: "Elk run. Elk ski.",
      }]
    ) {
      assert.equal((await run(other, 2)).read, other.candidate.split(/(?<=\.) /)[0]);
    }
    assert.equal((await run(request, 2, 2)).read, "Elk swim.");
    const ended = await run(request);
    assert.deepEqual([ended.code, ended.read, existsSync(kept)], [EXIT.done, "Elk read.", false]);
    assert.match(ended.said, /reused from an interrupted run: 5\./);
    const kinds = () => {
      const json = Deno.readTextFileSync(join(out, "evaluation.json"));
      return readEvaluationJson(json, "x").claims.map(({ verdict, judges }) => ({
        verdict,
        judges,
      }));
    };
    const gone = kinds();
    assert.equal((await run(request)).read, "Elk swim. Elk fly. Elk read.");
    assert.deepEqual(kinds(), gone);
  }));

Deno.test("Requirement 9.4: what failed is told once; what cannot be mended leaves a diagnosis", () =>
  withRequest("Elk swim.", "x", async (out, request) => {
    const split = () => Promise.reject(new Error("it hangs"));
    const splitter = { name: "s", settings: {}, split };
    const problems = ["The judge x did not load."];
    const said = await saidBy(async () => {
      const given = components({ splitter, problems });
      assert.equal(await checkOne(out, request, given, signal), EXIT.incomplete);
    });
    assert.match(
      said,
      /No checkable claim was found.*^The splitter s failed: it hangs$/ms,
    );
    assert.doesNotMatch(said, /The judge x/);
    const down = unscored("one", "failure", "Its server is down.");
    const judges = [scriptedJudge("one", () => Promise.resolve(down))];
    const lost = await saidBy(async () => {
      const given = components({ judges });
      assert.equal(await checkOne(out, request, given, signal), EXIT.incomplete);
    });
    assert.match(lost, /^Its server is down\.$/m);
    const given = components({ judges: [BROKEN] });
    await assert.rejects(checkOne(out, request, given, signal), TypeError);
    const found = JSON.parse(Deno.readTextFileSync(join(out, "diagnosis.json")));
    assert.deepEqual([found.stage, found.request], ["report", "c.txt"]);
  }));

Deno.test("factcheck: a batch tells refused lines, and is done only when each request has a result", () =>
  inFolder(async (folder) => {
    const batch = join(folder, "b.csv");
    // As a spreadsheet saves it where the comma is in numbers.
    Deno.writeTextFileSync(batch, "id;candidate;source\na;Elk swim.;Elk swim.\nb;;x\n");
    await saidBy(async () => {
      let read!: ReturnType<typeof requestsOf>;
      const refused = await saidBy(() => read = requestsOf(batch));
      assert.match(refused, /b\.csv, line 3 is skipped: candidate/);
      const one = { components: components(), concurrency: 1, signal };
      assert.equal(await checkBatch(folder, batch, read, one), EXIT.done);
      const profiles = readProfileJson(Deno.readTextFileSync(join(folder, "profile.json")), "x");
      assert.equal(profiles[0]?.counts.supported, 1);
      assert.match(Deno.readTextFileSync(join(folder, "profile.html")), /candidates of b\.csv/);
      // One claim is drawn, and labelled as the verifier has it.
      const label = join(folder, "claim_labels.csv");
      await checkBatch(folder, batch, read, { ...one, draw: 5 });
      const drawn = Deno.readTextFileSync(label);
      assert.match(drawn, /^evaluation,claim,text,source,label\na,c1,Elk swim\.,Elk swim\.,$/m);
      await assert.rejects(
        checkBatch(folder, batch, read, { ...one, draw: 5 }),
        /exists already/,
      );
      Deno.writeTextFileSync(label, drawn.replace(/,$/m, ",supported"));
      const told = await saidBy(() => checkBatch(folder, batch, read, { ...one, labels: label }));
      assert.match(
        told,
        /unsupported claims \(n = 1\): .* by the verifier alone, .* corrected by 1 labels/,
      );
      const failing = { ...one, components: components({ judges: [BROKEN] }) };
      const said = await saidBy(async () => {
        const out = join(folder, "other");
        assert.equal(
          await checkBatch(out, batch, read, { ...failing, draw: 5 }),
          EXIT.incomplete,
        );
        // A draw from a part would be none from the batch.
        assert.ok(!existsSync(join(out, "claim_labels.csv")));
      });
      assert.match(
        said,
        /b\.csv that were skipped: 1\.\n1 have no result yet: .*\nReasons of the failures: .*failures/,
      );
      const verify = () => Promise.reject(new Error("it hangs"));
      const dead = { ...one, components: components({ verifier: { ...literalVerifier, verify } }) };
      const lost = await saidBy(async () => {
        const out = join(folder, "dead");
        assert.equal(await checkBatch(out, batch, read, dead), EXIT.incomplete);
      });
      assert.match(lost, /^0 evaluated, 0 of them in earlier runs; 1 incomplete; 0 failed\.$/m);
      assert.match(lost, /^a is incomplete and is asked again .*it hangs$/m);
    });
    const blank = Array.from({ length: 200 }, (_, at) => `r${at},\n`).join("");
    Deno.writeTextFileSync(batch, `id,candidate\na,Elk swim.\n${blank}`);
    const alike = await saidBy(() => requestsOf(batch));
    assert.match(alike, /^.*b\.csv, lines 3, 4, 5 and 197 others are skipped: candidate.*$/);
    assert.doesNotMatch(alike, /\n/);
    Deno.writeTextFileSync(batch, "id\na\n");
    assert.throws(() => requestsOf(batch), /b\.csv: .*its columns are id\. One must/);
    assert.throws(() => requestsOf("b.xlsx"), /neither \.jsonl nor \.csv/);
  }));

Deno.test("Requirement 16.2-16.5: a batch of several systems' answers has a profile of each, and is compared", () =>
  inFolder(async (folder) => {
    const batch = join(folder, "b.jsonl");
    const rows = [["one", "Elk swim. Elk fly."], ["two", "Elk swim."]].flatMap((
      [system, candidate],
    ) =>
      ["q1", "q2"].map((query_id) => ({ system, query_id, candidate, source: "All elk swim." }))
    );
    Deno.writeTextFileSync(batch, rows.map((row) => JSON.stringify(row)).join("\n"));
    // Whose claims say the same is told by the batch's own verifier: one claim read as another's source.
    const read: string[] = [];
    const verify: Verifier["verify"] = (claims, passages) => {
      if (passages[0]!.collection === "another response") read.push(...claims);
      return literalVerifier.verify(claims, passages);
    };
    const verifier = { ...literalVerifier, verify };
    const said = await saidBy(async () => {
      const given = { components: components({ verifier }), concurrency: 1, signal };
      assert.equal(await checkBatch(folder, batch, requestsOf(batch), given), EXIT.done);
    });
    assert.match(said, /Of 6 checkable claims the verifier finds 4 supported/);
    assert.ok(read.includes("Elk fly."));
    assert.match(said, /^one: supported 0\.50; .* F1 0\.67\ntwo: supported 1\.00;/m);
    const profiles = readProfileJson(Deno.readTextFileSync(join(folder, "profile.json")), "x");
    assert.deepEqual(profiles.map(({ model }) => model), ["one", "two"]);
    const { consensusF1 } = profiles[1]!.metrics;
    assert.equal(consensusF1.kind === "measured" && consensusF1.estimate.toFixed(2), "0.67");
    for (const name of ["report.html", "report.md", "profile.html"]) {
      assert.match(Deno.readTextFileSync(join(folder, name)), /\bone\b/, name);
    }
  }));

Deno.test("factcheck: a judge whose server is down at the start leaves everything incomplete, and the same command makes it whole", () =>
  inFolder(async (folder) => {
    const silent = { choices: [{ finish_reason: "stop", message: { content: null } }] };
    let fault: Behaviour | undefined;
    await using elsewhere = startStandInServer({ answer: () => "true" });
    await using server = startStandInServer({ answer: () => "true", plan: () => fault });
    const [config, batch, text, source] = ["own.yaml", "b.csv", "c.txt", "s.txt"]
      .map((name) => join(folder, name));
    Deno.writeTextFileSync(
      config!,
      "name: own\nverifier: { kind: overlap }\njudges: [{ id: judge, weight: 1, readout: next-token, " +
        "kind: openai-compatible, licence: MIT, timeoutSeconds: 0.4, " +
        `baseUrl: "${server.openAiBaseUrl}" }]\n`,
    );
    const rows = ["a", "b"].map((id) => `${id},Elk swim.,Elk swim.\n`);
    Deno.writeTextFileSync(batch!, `id,candidate,source\n${rows.join("")}`);
    for (const file of [text!, source!]) Deno.writeTextFileSync(file, "Elk swim.");
    const faults: readonly (readonly [Behaviour, RegExp])[] = [
      [{ kind: "json", status: 200, body: silent }, /no words, neither/],
      [{ kind: "redirect", status: 302, to: `${elsewhere.openAiBaseUrl}/chat/completions` }, /302/],
      [{ kind: "drop" }, /broke off|connection/],
    ];
    for (const [at, [behaviour, words]] of faults.entries()) {
      const run = async (options: readonly string[], expected: number) =>
        await saidBy(async () => {
          const args = ["--config", config!, ...options];
          assert.equal(await exitCodeOf(FACTCHECK, args), expected, behaviour.kind);
        });
      const many = ["--batch", batch!, "--out", join(folder, `many ${at}`)];
      const one = ["--candidate", text!, "--source", source!, "--out", join(folder, `one ${at}`)];
      fault = behaviour;
      const down = await run(many, EXIT.incomplete);
      assert.match(down, /^0 evaluated, 0 of them in earlier runs; 2 incomplete; 0 failed\.$/m);
      const told =
        /^2 requests \(a, b\) are incomplete and are asked again .*: Judge \(judge, .*$/m;
      assert.match(told.exec(down)?.[0] ?? "", words);
      assert.match(
        await run(one, EXIT.incomplete),
        /^Judge \(judge, [^]*^Run the same command again/m,
      );
      fault = undefined;
      assert.match(
        await run(many, EXIT.done),
        /^2 evaluated, 0 of them in earlier runs; 0 incomplete/m,
      );
      await run(one, EXIT.done);
      fault = behaviour;
      assert.match(
        await run(many, EXIT.done),
        /^2 evaluated, 2 of them in earlier runs; 0 incomplete/m,
      );
    }
    assert.equal(elsewhere.calls.length, 0);
  }));

Deno.test("factcheck: texts of one name in two folders have reports in two", () =>
  inFolder((folder) => {
    const [one, other] = ["a", "b"].map((name) => join(folder, name, "c.txt"));
    for (const file of [one!, other!]) {
      Deno.mkdirSync(dirname(file));
      Deno.writeTextFileSync(file, "Elk.");
    }
    assert.match(reportFolder([one!]), /^\.cache\/factcheck\/c\.txt-[0-9a-f]{8}$/);
    assert.notEqual(reportFolder([one!]), reportFolder([other!]));
    assert.equal(reportFolder([one!]), reportFolder([relative(Deno.cwd(), one!)]));
    assert.notEqual(reportFolder([one!, other!]), reportFolder([one!]));
    return Promise.resolve();
  }));

Deno.test("factcheck: what is wrong on the command line is one sentence, before any model loads", () =>
  inFolder(async (folder) => {
    const file = join(folder, "c.txt");
    Deno.writeTextFileSync(file, "Elk.");
    Deno.writeTextFileSync(join(folder, "b.csv"), "candidate\nElk.\n");
    const wrong: readonly (readonly [string, RegExp])[] = [
      ["", /either --candidate/],
      ["--candidate a --batch b.csv", /either/],
      ["--batch b.csv --concurrency 0", /whole number from 1/],
      ["--batch b.csv --source s", /--source and --question belong to --candidate/],
      [
        `--candidate ${file} --out ${file}`,
        /Cannot write into .*: a file is in the way\. Name another folder/,
      ],
      [
        `--batch ${folder}/b.csv --labels ${folder}/l.csv --out ${folder}/out`,
        /l\.csv: there is no/,
      ],
      ["--nonsense", /--nonsense/],
    ];
    for (const [line, message] of wrong) {
      const args = line.split(" ").filter(Boolean);
      const said = await saidBy(async () =>
        assert.equal(await exitCodeOf(FACTCHECK, args), EXIT.failed)
      );
      assert.match(said, message);
    }
  }));

Deno.test("Requirement 3.1-3.3: factcheck bias tells words with places, and the text about others", async () => {
  const text = { file: "own.txt", words: "Elk swim. She runs. Women are too emotional." };
  const source = "Elk swim. She runs.";
  const { splitter, verifier, judges } = components();
  const prompts = await readPromptTemplates(FACTUALITY_PATHS.prompts);
  const opened = { splitter, verifier, judges, writers: [], prompts };
  const failures = new Map<string, number>();
  const asking = { source, config: "", perTrait: 2, tokens: 1, failures, signal };
  let found: Awaited<ReturnType<typeof biasOfText>> | undefined;
  const said = await saidBy(async () => {
    found = await biasOfText(text, { ...asking, components: opened });
  });
  assert.match(said, /medium: "Women are too emotional" \(20–43\): makes a fault/);
  assert.match(said, /\nSeverity of the text: medium\.\n/);
  assert.match(said, /gender: female → male \(She → He, Women → Men\): P\(supported\) changes by/);
  assert.deepEqual([found!.text.severity, found!.swaps.length], ["medium", 1]);
  const down = { kind: "failure", message: "It is down.", partialText: undefined } as const;
  const ask = () => Promise.resolve(down);
  const writers = [{ name: "one", settings: {}, concurrency: 1, ask }];
  // Supports what stands there, and is down for the claims about others.
  const late = unscored("literal", "time-out", "It is slow.");
  const verify: Verifier["verify"] = async (claims, passages) =>
    (await literalVerifier.verify(claims, passages))
      .map((verdict, at) => /Men|He/.test(claims[at]!) ? late : verdict);
  const failing = { ...opened, writers, verifier: { ...literalVerifier, verify } };
  const lost = await saidBy(() => biasOfText(text, { ...asking, components: failing }));
  assert.match(lost, /^one gave no answer: It is down\.\n/);
  const slow = "The verifier literal gave no answer: It is slow.";
  assert.deepEqual([...failures], [["one gave no answer: It is down.", 1], [slow, 2]]);
  const german = { ...text, words: "Die Elche schwimmen im Sommer durch den großen See." };
  const marked = await saidBy(async () => {
    found = await biasOfText(german, { ...asking, components: opened });
  });
  assert.match(marked, /^The text seems to be in German\. .* are English as well\.$/m);
  assert.match(biasMarkdown({ schemaVersion: 1, failed: [], ...found! }), /^# Bias\n\nThe text /);
  const neither = await saidBy(async () =>
    assert.equal(await exitCodeOf(BIAS, ["--source", "x.txt"]), EXIT.failed)
  );
  assert.match(neither, /name --text or --queries/);
});

Deno.test("factcheck bias is incomplete where a model's answer is missing or a judge fails, and says so in its report", () =>
  inFolder(async (folder) => {
    await using server = startStandInServer({
      answer: ({ model }) => model === "judge" ? "true" : "Maybe.",
      // Each is there when it is opened, and not for what it is asked then.
      plan: ({ model, prompt }) =>
        (model === "judge" ? /Maybe\./.test(prompt) : /Is he/.test(prompt))
          ? { kind: "status", status: 400, message: "Out of order." }
          : undefined,
    });
    const [config, queries] = ["own.yaml", "q.jsonl"].map((name) => join(folder, name));
    const served = `kind: openai-compatible, licence: MIT, baseUrl: "${server.openAiBaseUrl}"`;
    Deno.writeTextFileSync(
      config!,
      `name: own\nverifier: { kind: overlap }\njudges: [{ id: judge, readout: next-token, ${served} }]\n` +
        `models: [{ id: mine, ${served} }]\n`,
    );
    Deno.writeTextFileSync(queries!, '{"query": "Is she fit?"}');
    const stem = join(folder, "bias");
    const options = ["--config", config!, "--queries", queries!, "--judges", "--out", stem];
    const said = await saidBy(async () =>
      assert.equal(await exitCodeOf(BIAS, options), EXIT.incomplete)
    );
    assert.match(said, /^An answer of a model is missing\njudge gave no answer: .*Out of order/m);
    assert.match(
      Deno.readTextFileSync(`${stem}.md`),
      /^# Bias\n\n## What failed\n(.*\n)*\| An answer of a model is missing \| 1 \|\n\| judge gave/,
    );
  }));

Deno.test("Requirement 4.1, 4.4: factcheck pairwise tells which text is borne out better, the claims that speak against each, and what judges say", () =>
  inFolder(async (folder) => {
    const texts = [
      { id: "wrong.txt", text: "Elk fly. Elk ski. Elk read." },
      { id: "right.txt", text: "Elk swim. Elk eat. Elk run." },
    ];
    const about = { source: "Elk swim. Elk eat. Elk run.", question: "" };
    const judge = {
      name: "one",
      settings: {},
      concurrency: 1,
      compare: ({ first }: { readonly first: string }) =>
        Promise.resolve({
          ...{ kind: "answer", reasoning: "", parse: "complete" } as const,
          winner: first.includes("swim") ? "first" as const : "second" as const,
          provenance: { producedBy: "one", modelSha256: undefined, promptSha256: undefined },
        }),
    };
    const work = { components: components(), judges: [judge], out: folder, signal };
    const said = await saidBy(async () =>
      assert.equal(await compareFiles(texts, about, work), EXIT.done)
    );
    assert.match(said, /^right\.txt: \d.*\nwrong\.txt: 0\.\d\d \[.*\] \(mean P\(supported\) of 3/);
    assert.match(said, /\n {2}0\.\d\d {2}Elk fly\./);
    assert.match(said, /right\.txt less wrong\.txt: 0\.\d\d \[.*right\.txt is better\./);
    assert.match(said, /the judges in both orders: right\.txt is better/);
    const { standings } = JSON.parse(Deno.readTextFileSync(join(folder, "pairwise.json")));
    assert.deepEqual(standings.map(({ id }: { id: string }) => id), ["right.txt", "wrong.txt"]);
    // What nothing was found for counts as not borne out, and leaves no denominator.
    const found = retrievedPassage("p", "Elk swim. Elk eat.");
    const retriever = scriptedRetriever((claim) => /swim|eat/.test(claim) ? [found] : []);
    const invented = [
      { id: "some.txt", text: "Elk swim. Elk ski. Elk fly. Elk read." },
      { id: "none.txt", text: "Elk swim. Elk eat." },
    ];
    const alone = { ...work, judges: [], components: components({ retriever }) };
    const told = await saidBy(() => compareFiles(invented, { source: "", question: "" }, alone));
    assert.match(told, /\nsome\.txt: 0\.2\d \[.*\] \(mean P\(supported\) of 4 claims/);
    const down = {
      ...judge,
      compare: () => Promise.resolve(unscored("one", "failure", "Its server is down.")),
    };
    const gone = await saidBy(async () =>
      assert.equal(await compareFiles(texts, about, { ...work, judges: [down] }), EXIT.incomplete)
    );
    assert.match(gone, /in both orders: unscored, .*Its server is down\./);
    const lacking = await saidBy(async () =>
      assert.equal(await exitCodeOf(PAIRWISE, ["--a", "x.txt"]), EXIT.failed)
    );
    assert.match(lacking, /name --a and --b, or two files or more with --rank/);
  }));

Deno.test("Requirement 10.5: factcheck pairwise --truth tells Kendall's τ and Spearman's ρ of the ranking, and refuses a wrong file before models load", () =>
  inFolder(async (folder) => {
    const texts = [
      { id: "a.txt", text: "Elk swim. Elk eat. Elk run." },
      { id: "b.txt", text: "Elk swim. Elk eat. Elk ski." },
      { id: "c.txt", text: "Elk swim. Elk fly. Elk ski." },
      { id: "d.txt", text: "Elk read. Elk fly. Elk ski." },
    ];
    const about = { source: "Elk swim. Elk eat. Elk run.", question: "" };
    // One pair of six is turned: τ = (5 − 1) / 6; ranks differ by 1 twice: ρ = 1 − 6 · 2 / 60.
    const truth = new Map([["a.txt", 3], ["b.txt", 4], ["c.txt", 2], ["d.txt", 1]]);
    const work = { components: components(), judges: [], out: folder, signal, truth };
    const said = await saidBy(() => compareFiles(texts, about, work));
    assert.match(
      said,
      /by the verifier with the truth: Kendall's τ-b 0\.67, Spearman's ρ 0\.80, n = 4/,
    );
    const { truth: kept } = JSON.parse(Deno.readTextFileSync(join(folder, "pairwise.json")));
    assert.equal(kept[0].n, 4);
    const file = (name: string, text: string) => {
      Deno.writeTextFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const files = ["a.txt", "b.txt"].map((name) => file(name, "Elk swim."));
    const wrong = [
      ["text,score\na.txt,1\n", /it has no score of b\.txt/],
      ["text,score\na.txt,good\n", /line 2: good is no number/],
      ["text,score\na.txt,1\na.txt,2\n", /line 3: a\.txt occurs twice/],
      ["name,score\na.txt,1\n", /it needs the columns text and score/],
    ] as const;
    for (const [table, why] of wrong) {
      const args = ["--rank", ...files, "--truth", file("truth.csv", table)];
      const told = await saidBy(async () =>
        assert.equal(await exitCodeOf(PAIRWISE, args), EXIT.failed)
      );
      assert.match(told, why);
    }
  }));

Deno.test("factcheck pairwise tells what failed and why, decides nothing by the rest, and marks what is not English", () =>
  inFolder(async (folder) => {
    const texts = [
      { id: "a.txt", text: "Elk swim. Elk eat. Elk run." },
      { id: "b.txt", text: "Elk fly. Elk ski. Elk read." },
    ];
    const about = { source: "Elk swim. Elk eat. Elk run.", question: "" };
    const compared = async (
      given: Parameters<typeof components>[0],
      expected: number,
      of = texts,
    ) => {
      const work = { components: components(given), judges: [], out: folder, signal };
      return await saidBy(async () => assert.equal(await compareFiles(of, about, work), expected));
    };
    const dying: Verifier["verify"] = (claims, passages) =>
      claims.includes("Elk fly.")
        ? Promise.reject(new Error("it hangs"))
        : literalVerifier.verify(claims, passages);
    const verifier = { ...literalVerifier, verify: dying };
    const said = await compared({ verifier }, EXIT.incomplete);
    assert.match(said, /b\.txt: no claim that .*\n {2}The verifier literal failed: it hangs\n/);
    assert.match(said, /undecided, because a part failed\.\n.*to repeat what failed\.$/s);
    // All but the first: the mean of those left would look like an answer.
    const half = await compared({ verifier, batchSize: 1 }, EXIT.incomplete);
    assert.match(half, /b\.txt: 0\.1\d .* of 2 claims.*it hangs.*: 0\.\d.*; undecided/s);
    const retriever = scriptedRetriever(() => {
      throw new Error("its file is gone");
    });
    assert.match(
      await compared({ retriever }, EXIT.incomplete),
      /The knowledge base told failed: its file is gone\n/,
    );
    const problem = "The knowledge base x was not found.";
    // It was told when it was opened.
    const missing = { retrieverProblem: problem, problems: [problem] };
    assert.doesNotMatch(await compared(missing, EXIT.incomplete), /knowledge base x/);
    await compared({ absentJudges: ["Judge (one): it is down."] }, EXIT.incomplete);
    const german = { id: "c.txt", text: "Die Elche schwimmen im Sommer durch den großen See." };
    const marked = await compared({}, EXIT.done, [texts[0]!, german]);
    assert.match(marked, /c\.txt: .*\n( {2}0.*\n)* {2}The text seems to be in German\./);
    const { standings } = JSON.parse(Deno.readTextFileSync(join(folder, "pairwise.json")));
    assert.match(standings[1].foreign, /in German/);
  }));
