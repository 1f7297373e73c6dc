import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startStandInServer } from "../../models/hosted/stand_in_server.ts";
import { sourcePassage } from "../retrieval/passage.ts";
import { ComponentsError } from "./assemble_components.ts";
import { openComponents } from "./open_components.ts";

const PROMPTS = fileURLToPath(new URL("../../../data/factuality/prompts.yaml", import.meta.url));
const CALIBRATION = { threshold: 0.7, slope: 8, refutedShare: 0.5 };
const BASELINES = JSON.stringify({
  majority: { supported: 0.4, refuted: 0.3, "not enough info": 0.3 },
  ...{ overlap: CALIBRATION, cosine: CALIBRATION },
});

/** Opens a configuration that lies in a folder of its own, beside the thresholds of the baselines. */
async function withConfiguration<T>(
  yaml: string,
  work: (path: string, cacheDirectory: string) => Promise<T>,
): Promise<T> {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "evaluation.yaml");
    await Deno.writeTextFile(path, `name: made\nprompts: ${JSON.stringify(PROMPTS)}\n${yaml}`);
    await Deno.writeTextFile(join(folder, "verifier_baselines.json"), BASELINES);
    return await work(path, join(folder, "cache"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The problems for which nothing was opened. */
function problemsOf(yaml: string): Promise<readonly string[]> {
  return withConfiguration(yaml, async (path, cacheDirectory) => {
    try {
      await using _ = await openComponents(path, { cacheDirectory, env: join(path, "..", ".env") });
    } catch (error) {
      assert.ok(error instanceof ComponentsError);
      return error.problems;
    }
    return assert.fail("it was opened");
  });
}

Deno.test("openComponents() opens what needs no model, and its verifier works", () =>
  withConfiguration("verifier: { kind: overlap }", async (path, cacheDirectory) => {
    await using components = await openComponents(path, { cacheDirectory });
    const passages = [sourcePassage("The bridge was built in 1903.")];
    const [verdict] = await components.verifier.verify(["The bridge was built."], passages);
    assert.equal(verdict?.kind, "scored");
    assert.deepEqual([components.judges, components.problems], [[], []]);
  }));

Deno.test("openComponents() looks a claim up in the user's own folder", () =>
  withConfiguration(
    "verifier: { kind: overlap }\nretrieval: { kind: folder, path: notes, rerank: false }",
    async (path, cacheDirectory) => {
      const notes = join(path, "..", "notes");
      await Deno.mkdir(notes);
      await Deno.writeTextFile(join(notes, "bridge.txt"), "The Tarn bridge was built in 1903.\n");
      await using components = await openComponents(path, { cacheDirectory });
      const found = await components.retriever!.retrieve("The Tarn bridge was built in 1903.");
      assert.equal(found[0]?.passage.title, "bridge");
    },
  ));

Deno.test("Requirement 1.4: openComponents() names the file that is missing, or another one", async () => {
  const [missing] = await problemsOf("verifier: { kind: trained, path: gone.json }");
  assert.match(missing!, /^Verifier \(trained\): .*gone\.json/);
  const [wrong] = await problemsOf(
    `verifier: { kind: trained, path: verifier_baselines.json, sha256: ${"a".repeat(64)} }`,
  );
  assert.match(
    wrong!,
    /verifier_baselines\.json is not the file that the configuration names: its/,
  );
  const [unfitted] = await problemsOf(
    "verifier: { kind: pmi, id: small, path: small.gguf, thresholds: none.json, licence: MIT }",
  );
  assert.match(unfitted!, /^Verifier \(small, pmi\): .*none\.json/);
  const [other] = await problemsOf("verifier: { kind: trained, path: verifier_baselines.json }");
  assert.match(other!, /verifier_baselines\.json is no weights file/);
});

Deno.test("openComponents() names model and file of weights that are none, and prompts or a configuration that are missing", async () => {
  const judge =
    "{ id: torn, kind: gguf, path: verifier_baselines.json, licence: MIT, required: true }";
  const [torn] = await problemsOf(`verifier: { kind: overlap }\njudges: [${judge}]`);
  assert.match(torn!, /Cannot load model torn: .*verifier_baselines\.json is no GGUF file/);
  await withConfiguration("verifier: { kind: overlap }", async (path, cacheDirectory) => {
    const elsewhere = `${path}.other`;
    await assert.rejects(
      openComponents(elsewhere, { cacheDirectory }),
      /configuration .*\.other: /,
    );
    const text = (await Deno.readTextFile(path)).replace(/^prompts:.*$/m, "");
    await Deno.writeTextFile(path, `${text}\nprompts: gone.yaml\n`);
    await assert.rejects(openComponents(path, { cacheDirectory }), /Cannot read prompts .*gone/);
  });
});

Deno.test("openComponents() leaves out a judge without its key, and says how to give it one", () =>
  withConfiguration(
    "verifier: { kind: overlap }\njudges:\n  - { id: far/model, kind: groq, licence: MIT }\n" +
      "judgeCalibration: nowhere.json",
    async (path, cacheDirectory) => {
      const env = join(path, "..", ".env");
      await using components = await openComponents(path, { cacheDirectory, env });
      assert.deepEqual(components.judges, []);
      assert.match(components.problems[0]!, /nowhere\.json is missing: judges are reported/);
      assert.match(components.problems[1]!, /^Judge \(far\/model, groq\): Cannot read keys: /);
    },
  ));

Deno.test("openComponents() asks a judge on a server a small question before it is used", async () => {
  const answer = '{"reasoning": "The year is right.", "flagged": [], "score": 95}';
  await using server = startStandInServer({ answer: () => answer });
  const judges = `verifier: { kind: overlap }\njudges:\n  - id: served\n` +
    `    kind: openai-compatible\n    baseUrl: ${server.openAiBaseUrl}\n    licence: MIT\n`;
  await withConfiguration(judges, async (path, cacheDirectory) => {
    await using components = await openComponents(path, { cacheDirectory });
    assert.deepEqual(components.judges.map(({ name }) => name), ["served"]);
    assert.deepEqual(components.writers.map(({ name }) => name), ["served"]);
    assert.equal(server.calls.length, 1);
  });
});

Deno.test("what a server answers is kept without the key that it was sent", async () => {
  const secret = "quite-secret-0123456789";
  const answer = `{"reasoning": "You sent ${secret}.", "flagged": [], "score": 95}`;
  await using server = startStandInServer({ answer: () => answer });
  const judges = `verifier: { kind: overlap }\njudges:\n  - id: served\n    keyName: OWN_KEY\n` +
    `    kind: openai-compatible\n    baseUrl: ${server.openAiBaseUrl}\n    licence: MIT\n`;
  await withConfiguration(judges, async (path, cacheDirectory) => {
    const env = `${path}.env`;
    await Deno.writeTextFile(env, `OWN_KEY=${secret}\n`);
    await using components = await openComponents(path, { cacheDirectory, env });
    assert.equal(server.calls[0]?.key, secret);
    const reply = await components.writers[0]!.ask("?");
    assert.match(JSON.stringify(reply), /You sent \[OWN_KEY\]/);
  });
});
