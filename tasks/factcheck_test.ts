import assert from "node:assert/strict";
import { join } from "node:path";
import { components, judgement, toldJudge } from "../lib/factuality/evaluate/testdata/stand_ins.ts";
import { readProfileJson } from "../lib/factuality/metrics/profile_json.ts";
import { readEvaluationJson } from "../lib/factuality/report/json.ts";
import { inFolder } from "../lib/files/testdata/folder.ts";
import { EXIT, exitCodeOf } from "./command.ts";
import {
  checkBatch,
  checkOne,
  FACTCHECK,
  inputText,
  outputFolder,
  requestOf,
  requestsOf,
} from "./factcheck.ts";

const { signal } = new AbortController();

/** What is said meanwhile, on either output. */
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

/** A judge whose answers cannot be put together. */
const MISWEIGHED = { ...toldJudge("one", () => Promise.resolve(judgement(1))), weight: NaN };

Deno.test("factcheck: one text gives its reports as page, Markdown, JSON and tables", () =>
  inFolder(async (folder) => {
    const [candidate, source] = [join(folder, "c.txt"), join(folder, "s.txt")];
    Deno.writeTextFileSync(candidate, "Elk swim. Elk fly.");
    Deno.writeTextFileSync(source, "All elk swim.");
    const out = join(folder, "out");
    Deno.mkdirSync(out);
    const said = await saidBy(async () => {
      const request = requestOf(candidate, source);
      assert.equal(await checkOne(out, request, components(), signal), EXIT.done);
    });
    assert.match(said, /2 claims that can be checked: 1 supported, 0 refuted, 1 not/);
    assert.deepEqual([...Deno.readDirSync(out)].map(({ name }) => name).sort(), [
      "claims.csv",
      "evaluation.html",
      "evaluation.json",
      "evaluation.md",
      "judgements.csv",
    ]);
    const json = Deno.readTextFileSync(join(out, "evaluation.json"));
    assert.equal(readEvaluationJson(json, "x").mode, "source");
  }));

Deno.test("factcheck: what failed meanwhile is told once, and said to be no finding", () =>
  inFolder(async (folder) => {
    const candidate = join(folder, "c.txt");
    Deno.writeTextFileSync(candidate, "Elk swim.");
    const splitter = {
      name: "s",
      settings: {},
      split: () => Promise.reject(new Error("it hangs")),
    };
    const given = components({ splitter, problems: ["The judge x did not load."] });
    const said = await saidBy(() => checkOne(folder, requestOf(candidate), given, signal));
    assert.match(said, /No claim that can be checked was found in the text\./);
    assert.match(said, /^The splitter s failed: it hangs$/m);
    assert.doesNotMatch(said, /The judge x/);
  }));

Deno.test("Requirement 9.4: what cannot be mended leaves a diagnosis beside the reports", () =>
  inFolder(async (folder) => {
    const candidate = join(folder, "c.txt");
    Deno.writeTextFileSync(candidate, "Elk swim.");
    const given = components({ judges: [MISWEIGHED] });
    await assert.rejects(checkOne(folder, requestOf(candidate), given, signal), /Cannot aggregate/);
    const found = JSON.parse(Deno.readTextFileSync(join(folder, "diagnosis.json")));
    assert.deepEqual([found.stage, found.request], ["judging", "c.txt"]);
  }));

Deno.test("factcheck: a batch tells refused lines, and is done only when each request has a result", () =>
  inFolder(async (folder) => {
    const batch = join(folder, "b.csv");
    Deno.writeTextFileSync(batch, "id,candidate,source\na,Elk swim.,Elk swim.\nb,,x\n");
    await saidBy(async () => {
      let requests: Awaited<ReturnType<typeof requestsOf>>["requests"] = [];
      const refused = await saidBy(async () => ({ requests } = await requestsOf(batch)));
      assert.match(refused, /b\.csv, line 3 is passed over: candidate/);
      const one = { components: components(), concurrency: 1, signal };
      assert.equal(await checkBatch(folder, batch, requests, one), EXIT.done);
      const profiles = readProfileJson(Deno.readTextFileSync(join(folder, "profile.json")), "x");
      assert.deepEqual(profiles.map(({ model, counts }) => [model, counts.supported]), [
        ["candidates of b.csv", 1],
      ]);
      assert.match(Deno.readTextFileSync(join(folder, "profile.html")), /candidates of b\.csv/);
      const failing = { ...one, components: components({ judges: [MISWEIGHED] }) };
      const said = await saidBy(async () => {
        const out = join(folder, "other");
        assert.equal(await checkBatch(out, batch, requests, failing), EXIT.incomplete);
      });
      assert.match(said, /1 have no result yet: .*\nWhy some failed: .*failures/);
    });
    Deno.writeTextFileSync(batch, "id\na\n");
    await assert.rejects(requestsOf(batch), /b\.csv: .*its columns are id\. One must/);
    Deno.writeTextFileSync(batch, "candidate\n");
    await assert.rejects(requestsOf(batch), /has no request/);
    await assert.rejects(requestsOf("none.csv"), /none\.csv: there is no such file/);
    await assert.rejects(requestsOf("b.xlsx"), /neither \.jsonl nor \.csv/);
  }));

Deno.test("factcheck: what is wrong on the command line is one sentence, before any model loads", async () => {
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /either --candidate or --batch/],
    [["--candidate", "a", "--batch", "b.csv"], /either/],
    [["--batch", "b.csv", "--concurrency", "0"], /whole number from 1/],
    [["--batch", "b.csv", "--source", "s"], /--source and --question belong to --candidate/],
    [["--nonsense"], /--nonsense/],
  ];
  for (const [args, message] of wrong) {
    const said = await saidBy(async () =>
      assert.equal(await exitCodeOf(FACTCHECK, args), EXIT.failed)
    );
    assert.match(said, message);
  }
});

Deno.test("inputText() reads a text, and says of anything else what it is", () =>
  inFolder((folder) => {
    const at = (name: string) => join(folder, name);
    const files: readonly (readonly [string, readonly number[], RegExp])[] = [
      ["utf16.txt", [0xff, 0xfe, 0x45, 0], /utf16\.txt: it is no plain text in UTF-8/],
      ["binary.pdf", [0x25, 0, 0x45], /no plain text/],
      ["blank.txt", [0x20, 0x0a], /there is no text in it/],
    ];
    for (const [name, bytes, message] of files) {
      Deno.writeFileSync(at(name), Uint8Array.from(bytes));
      assert.throws(() => inputText(at(name)), message);
    }
    Deno.writeTextFileSync(at("elk.txt"), "\ufeffElk.");
    assert.equal(inputText(at("elk.txt")), "Elk.");
    assert.throws(() => inputText(folder), /it is a folder/);
    assert.throws(() => inputText(at("none")), /there is no such file/);
    assert.throws(() => outputFolder(at("elk.txt")), /a file is in the way.*another --out/);
  }));
