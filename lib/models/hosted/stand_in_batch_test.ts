import assert from "node:assert/strict";
import Groq, { toFile } from "groq-sdk";
import OpenAI from "openai";
import { type StandInOptions, startStandInServer } from "./stand_in_server.ts";

const QUIET = { maxRetries: 0, logLevel: "off" } as const;

const line = (customId: string, prompt: string) => ({
  custom_id: customId,
  method: "POST",
  url: "/v1/chat/completions",
  body: { model: "m", messages: [{ role: "user", content: prompt }] },
});

function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

/** Submits four lines as one batch and fetches what came out. */
async function runBatch(options: StandInOptions) {
  await using server = startStandInServer(options);
  const client = new Groq({ ...QUIET, apiKey: "gsk_test_one", baseURL: server.baseUrl });
  const text = jsonLines(["a", "b", "c", "d"].map((name) => line(name, `${name}?`)));
  const file = await client.files.create({
    file: await toFile(new Blob([text]), "in.jsonl"),
    purpose: "batch",
  });
  const made = await client.batches.create({
    input_file_id: file.id ?? "",
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  });
  const states = [made.status];
  let batch = await client.batches.retrieve(made.id);
  while (!["completed", "failed", "expired"].includes(batch.status)) {
    states.push(batch.status);
    batch = await client.batches.retrieve(made.id);
  }
  const fetched = async (id: string | null | undefined) =>
    id ? await (await client.files.content(id)).text() : undefined;
  const listed = (await client.batches.list()).data.map(({ id }) => id);
  const files = (await client.files.list()).data.map(({ filename }) => filename);
  const [output, errors] = [
    await fetched(batch.output_file_id),
    await fetched(batch.error_file_id),
  ];
  return { batch, states, listed, files, output, errors };
}

Deno.test("startStandInServer() runs a batch from upload to output", async () => {
  const { batch, states, listed, files, output, errors } = await runBatch({
    answer: ({ prompt }) => prompt.toUpperCase(),
    batchPlan: () => ({ unfinishedPolls: 2 }),
  });
  assert.deepEqual(states, ["validating", "in_progress", "in_progress"]);
  assert.deepEqual([batch.status, listed], ["completed", [batch.id]]);
  assert.deepEqual(files, ["in.jsonl", "batch_1_output.jsonl"]);
  assert.deepEqual(batch.request_counts, { total: 4, completed: 4, failed: 0 });
  const replies = output?.trimEnd().split("\n").map((text) => JSON.parse(text)) ?? [];
  assert.deepEqual(replies.map(({ custom_id }) => custom_id), ["a", "b", "c", "d"]);
  assert.equal(replies[2].response.body.choices[0].message.content, "C?");
  assert.equal(errors, undefined);
});

Deno.test("startStandInServer() loses, doubles, cuts and refuses lines of a batch by plan", async () => {
  const fates = { a: "twice", b: "cut", c: "missing", d: { status: 429 } } as const;
  const { batch, output, errors } = await runBatch({
    batchPlan: () => ({
      end: "expired",
      fate: ({ customId }) => fates[customId as keyof typeof fates],
    }),
  });
  assert.equal(batch.status, "expired");
  const [first, second, half] = output?.split("\n") ?? [];
  assert.deepEqual([first, JSON.parse(first ?? "").custom_id], [second, "a"]);
  assert.throws(() => JSON.parse(half ?? ""), SyntaxError);
  assert.match(errors ?? "", /"custom_id":"d".*"status_code":429/);
});

Deno.test("startStandInServer() fails batches, and shows them to keys of their organisation only", async () => {
  const failed = await runBatch({ batchPlan: () => ({ end: "failed" }) });
  assert.deepEqual([failed.batch.status, failed.output], ["failed", undefined]);
  await using server = startStandInServer({ organisationOf: (key) => key });
  const [one, two] = ["gsk_test_one", "gsk_test_two"].map((apiKey) =>
    new Groq({ ...QUIET, apiKey, baseURL: server.baseUrl })
  );
  const upload = { file: await toFile(new Blob(["{}\n"]), "in.jsonl"), purpose: "batch" } as const;
  const { id } = await one!.files.create(upload);
  assert.equal((await two!.files.list()).data.length, 0);
  await assert.rejects(two!.files.info(id ?? ""), { status: 404 });
  const wrong = { endpoint: "/v1/chat/completions", completion_window: "24h" } as const;
  await assert.rejects(one!.batches.create({ ...wrong, input_file_id: id ?? "" }), {
    status: 400,
    message: /line 1 is no request/,
  });
});

Deno.test("startStandInServer() echoes log-probabilities, or refuses to", async () => {
  const complete = async (options: StandInOptions) => {
    await using server = startStandInServer(options);
    const client = new OpenAI({ ...QUIET, apiKey: "none", baseURL: server.openAiBaseUrl });
    const asked = { model: "m", prompt: "Hann ǫr", echo: true, logprobs: 1, max_tokens: 0 };
    return (await client.completions.create(asked)).choices[0];
  };
  const tokens = () => [
    { text: "Hann", logProbability: null },
    { text: " ǫ", logProbability: -2.5 },
    { text: "r", logProbability: -1 },
  ];
  const echoed = await complete({ echo: { kind: "echoes", tokens } });
  assert.deepEqual(echoed?.logprobs?.token_logprobs, [null, -2.5, -1]);
  assert.deepEqual(echoed?.logprobs?.text_offset, [0, 4, 6]);
  assert.equal((await complete({ echo: { kind: "ignores" } }))?.text, " A");
  const bare = await complete({ echo: { kind: "echoes text only" } });
  assert.deepEqual([bare?.text, bare?.logprobs], ["Hann ǫr", null]);
  await assert.rejects(complete({ echo: { kind: "refuses" } }), { status: 400 });
  await assert.rejects(complete({}), { status: 404 });
});
