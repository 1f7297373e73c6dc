import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { startStandInServer } from "../lib/models/hosted/testdata/stand_in/server.ts";

const PROJECT = join(import.meta.dirname!, "..");
/** `PAIRS=10000 deno test -A tasks/million_pairs_test.ts` takes some minutes. */
const PAIRS = Number(Deno.env.get("PAIRS") ?? 200);
const PARTS = 2;

/** A block of the page. */
function block(page: string, language: string): string {
  const [, text] = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(page) ?? [];
  assert.ok(text, `the page has no ${language} block`);
  return text;
}

Deno.test("docs/million_pairs.md: its panel and commands, killed and run again, lose and double nothing", async () => {
  const page = Deno.readTextFileSync(join(PROJECT, "docs/million_pairs.md"));
  const folder = Deno.makeTempDirSync();
  await using server = startStandInServer({ delayMs: 20 });
  const write = (name: string, text: string) => Deno.writeTextFileSync(join(folder, name), text);
  const panel = block(page, "yaml").replace(/baseUrl: .*/, `baseUrl: ${server.openAiBaseUrl}`);
  // Few pairs are not in flight all at once.
  const concurrency = Math.min(768, PAIRS / 10);
  write("cluster.yaml", panel.replace(/concurrency: \d+/, `concurrency: ${concurrency}`));
  // The project's own task, which runs in this folder.
  const evaluate =
    `deno run -A --no-check --config ${PROJECT}/deno.json ${PROJECT}/tasks/evaluate.ts`;
  write("deno.json", JSON.stringify({ tasks: { evaluate } }));
  const pairs = Array.from({ length: PAIRS }, (_, i) => {
    const [sentence_good, sentence_bad] = ["sleeps", "sleep"].map((verb) => `Cat ${i} ${verb}.`);
    return `${JSON.stringify({ sentence_good, sentence_bad, phenomenon: "agreement" })}\n`;
  });
  write("pairs.jsonl", pairs.join(""));
  const commands = block(page, "sh").replace("100000", String(PAIRS / PARTS));
  const start = () =>
    new Deno.Command("bash", {
      args: ["-e", "-c", commands],
      cwd: folder,
      detached: true,
      env: { PATH: `${dirname(Deno.execPath())}:${Deno.env.get("PATH")}` },
      stdout: "null",
      stderr: "null",
    }).spawn();
  try {
    const killed = start();
    // In the second part, with calls under way.
    while (server.calls.length < 1.5 * PAIRS) await new Promise((done) => setTimeout(done, 5));
    await new Deno.Command("bash", { args: ["-c", `kill -KILL -${killed.pid}`] }).output();
    await killed.status;
    assert.ok(server.calls.length < 2 * PAIRS, "it had ended before it was killed");
    const { success } = await start().status;
    assert.ok(success, "the second run failed");
    const rows = Array.from({ length: PARTS }, (_, i) => {
      const path = join(folder, `part_0${i + 1}`, "evaluation_results.csv");
      return Deno.readTextFileSync(path).trimEnd().split("\n").slice(1);
    }).flat();
    assert.equal(rows.length, 2 * PAIRS);
    assert.equal(new Set(rows.map((row) => row.split(",").slice(0, 3).join())).size, 2 * PAIRS);
    const asked = Map.groupBy(server.calls, ({ prompt }) => prompt);
    assert.equal(asked.size, 2 * PAIRS);
    // Asked again is what was under way, whether the server had answered or not, and nothing a third time.
    const again = [...asked.values()].filter(({ length }) => length > 1);
    console.log(`${PAIRS} pairs: ${server.calls.length} calls, ${again.length} asked again`);
    assert.ok(again.every(({ length }) => length === 2) && again.length <= concurrency);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
