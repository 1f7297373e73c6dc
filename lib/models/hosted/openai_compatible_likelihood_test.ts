import assert from "node:assert/strict";
import fc from "fast-check";
import type { LanguageModel } from "../model.ts";
import type { ServerEntry } from "../panel.ts";
import { NO_KEY } from "./chat_completion.ts";
import { openKeyedCalls } from "./keyed_calls.ts";
import { serverModel } from "./openai_compatible.ts";
import { coversText } from "./openai_compatible_likelihood.ts";
import { openSmallHost } from "./testdata/small_host.ts";

/** A token and the log-probability it has after whatever stands before it. */
type Scored = readonly [text: string, logProbability: number | null];

/** Words with their spaces: minus an eighth of their length, and " five" as it is generated. */
const words = (prompt: string): readonly Scored[] =>
  [...prompt.matchAll(/<\|\w+\|>| ?[^ <]+/g)]
    .map(([word]) => [word, word === " five" ? -1.5 : -word.length / 8]);

/** Answers as vLLM does: the first token of all has no log-probability. */
function answerTo({ prompt, echo }: { prompt: string; echo?: boolean }, begins: readonly Scored[]) {
  const read = echo ? [...begins, ...words(prompt)] : [];
  const tokens: readonly Scored[] = [...read, [" five", -1.5]];
  const logprobs = {
    tokens: tokens.map(([text]) => text),
    token_logprobs: tokens.map(([, value], index) => echo && index === 0 ? null : value),
  };
  const text = `${echo ? prompt : ""} five`;
  return { choices: [{ index: 0, text, logprobs }], usage: { completion_tokens: 1 } };
}
type Answer = ReturnType<typeof answerTo>;

type Instead = (answer: Answer, prompt: string) => unknown;

/** Opens a model whose server sends `instead`, and counts the calls. */
async function withModel(
  work: (model: LanguageModel, asked: () => number) => Promise<unknown>,
  instead: Instead = () => undefined,
  begins: readonly Scored[] = [["<bos>", 0]],
  path = "/v1",
) {
  let asked = 0;
  await using host = openSmallHost(async (request) => {
    asked += 1;
    const body = await request.json();
    const answer = answerTo(body, begins);
    const sent = instead(answer, body.prompt) ?? answer;
    return sent instanceof Response ? sent : Response.json(sent);
  });
  using calls = openKeyedCalls([NO_KEY], { host: "the server", tries: 2, backoffSeconds: 0.001 });
  const own = { id: "served", kind: "openai-compatible", licence: "MIT" } as const;
  const entry = { ...own, baseUrl: `${host.url}${path}`, concurrency: 4 };
  const generation = { temperature: 0, maxReplyTokens: 10 };
  const roles: ServerEntry["roles"] = ["likelihood"];
  await work(serverModel({ ...entry, roles }, generation, { calls }).likelihood!, () => asked);
}

Deno.test("score() sums a text's tokens after the server's own start token", () =>
  withModel(async (model, asked) => {
    const settings = { host: "openai-compatible", hostModel: "served", readout: "likelihood" };
    assert.deepEqual(model.settings, settings);
    await assert.rejects(model.score(["Hann.", ""]), RangeError);
    assert.equal(asked(), 0);
    // "Hánum" 5/8 + " líkaði" 7/8 + " þat." 5/8; what was generated is not among them.
    const expected = [{ logProbability: -17 / 8, tokens: 3, bytes: 21 }];
    assert.deepEqual(await model.score(["Hánum líkaði þat."]), expected);
    // Seven requests of the check, once; then one a text.
    await model.score(["Hann.", "Hánum."]);
    assert.equal(asked(), 7 + 1 + 2);
  }));

/** Answers a text (not the server's check) with a change in its choice. */
const changed =
  (change: (logprobs: Answer["choices"][0]["logprobs"]) => object): Instead =>
  ({ choices: [choice], usage }, prompt) =>
    prompt.startsWith("Hann")
      ? { choices: [{ ...choice!, ...change(choice!.logprobs) }], usage }
      : undefined;
const valued = (value: number | null) =>
  changed(({ tokens }) => ({
    logprobs: { tokens, token_logprobs: tokens.map((_, index) => index === 1 ? value : -1) },
  }));
const status = (code: number, message: string) => () =>
  Response.json({ error: { message, type: "invalid_request_error" } }, { status: code });
/** Assigns each token the log-probability of the one after it, or before it. */
const onePlaceOff = (places: 1 | -1): Instead => (answer, prompt) => {
  const [choice] = answer.choices;
  if (!choice?.text.startsWith(prompt)) return undefined;
  const scored: readonly Scored[] = [["<bos>", -1], ...words(prompt), [" six", -6]];
  const other = scored.map((_, index) => scored[index + places]?.[1] ?? -1);
  const logprobs = {
    tokens: scored.map(([text]) => text),
    token_logprobs: [null, ...other.slice(1)],
  };
  return { ...answer, choices: [{ ...choice, logprobs }] };
};

Deno.test("score() refuses a server that cannot be used, naming it, what it lacks and a remedy", async () => {
  // Of a text, once the check was stood: the others are scored.
  const ofText: readonly (readonly [RegExp, Instead])[] = [
    [/ignores echo.*likelihoods need \/completions/, changed(() => ({ text: " five" }))],
    [/echoes the text without log-probabilities.*serve the/, changed(() => ({ logprobs: null }))],
    [/echoes the text without log-probabilities/, changed(() => ({ logprobs: { content: [] } }))],
    [/sends no log-probability for "Hann/, valued(null)],
    [/sends 0.5 as log-probability of "Hann/, valued(0.5)],
  ];
  const ofServer: readonly (readonly [RegExp, Instead?, (readonly Scored[])?])[] = [
    [/answers .* another form than OpenAI's/, () => ({ hello: "world" })],
    [/refuses to echo.*400 logprobs is not supp/, status(400, "logprobs is not supported")],
    [/refuses to echo.*404 Not Found/, status(404, "Not Found")],
    [/puts .* first token unscored; name the token .* startToken: <\|endoftext\|>/, undefined, []],
    [
      /changes the log-probability of " of" by 0\.88 nats where a later word is another: /,
      onePlaceOff(1),
    ],
    [/gives a word the log-probability of any other in its place: its log-prob/, onePlaceOff(-1)],
  ];
  for (const [at, [pattern, instead, begins]] of [...ofText, ...ofServer].entries()) {
    const message = new RegExp(
      `^Cannot score with served: the server at 127.*\\d ${pattern.source}`,
    );
    const name = at < ofText.length ? "RangeError" : "TypeError";
    const refused = (model: LanguageModel) =>
      assert.rejects(model.score(["Hann."]), { name, message });
    await withModel(refused, instead, begins);
  }
});

Deno.test("score() reads answers without usage, in the newer form, and vLLM's prompt_logprobs; it names a missing /v1", async () => {
  const expected = [{ logProbability: -17 / 8, tokens: 3, bytes: 21 }];
  const scores = (instead: Instead) =>
    withModel(async (model) => {
      assert.deepEqual(await model.score(["Hánum líkaði þat."]), expected);
    }, instead);
  await scores(({ choices }) => ({ choices }));
  await scores(({ choices: [choice], usage }) => {
    const { tokens, token_logprobs } = choice!.logprobs;
    const content = tokens.map((token, at) => ({ token, logprob: token_logprobs[at] }));
    return { choices: [{ ...choice, logprobs: { content } }], usage };
  });
  await scores((answer, prompt) => {
    if (answer.choices[0]!.text.startsWith(prompt)) return { choices: [{ text: " five" }] };
    const entries = words(prompt).map(([decoded_token, logprob], at) => (
      { [at]: { logprob, decoded_token, rank: 1 }, 999: { logprob: -0.1, decoded_token: "x" } }
    ));
    return { choices: [{ text: " five", prompt_logprobs: [null, ...entries] }] };
  });
  const root = (model: LanguageModel) =>
    assert.rejects(
      model.score(["Hann."]),
      /404 Not Found\); its baseUrl does not end with \/v1, and servers/,
    );
  await withModel(root, status(404, "Not Found"), undefined, "");
});

const covers = (texts: readonly string[], text: string) =>
  coversText(texts.map((text) => ({ text, logProbability: -1 })), text);

Deno.test("coversText() accepts characters cut into tokens, however servers write the parts, and nothing else", () => {
  const covered: readonly (readonly [readonly string[], string])[] = [
    [["bytes:\\xc3", "bytes:\\xbe", "at"], "þat"],
    [[" \ufffd", "", "at"], " þat"],
    [["o\u0328", "ngr"], "ǫngr"],
  ];
  for (const [given, text] of covered) assert.ok(covers(given, text), text);
  const refused: readonly (readonly [readonly string[], string])[] = [
    [["<bos>", "Hánum"], "Hánum"],
    [["\ufffd", "\ufffd"], "þat"],
  ];
  for (const [given, text] of refused) assert.ok(!covers(given, text), text);
});

Deno.test("property: coversText() accepts UTF-8 text cut at any bytes, and sound pieces for no longer one", () => {
  const cut = fc.tuple(
    fc.string({ unit: fc.constantFrom(..."aþǫ́ðíṃ 𐌰".normalize("NFC")), minLength: 1 }),
    fc.array(fc.nat(), { maxLength: 6 }),
  );
  fc.assert(
    fc.property(cut, ([drawn, cuts]) => {
      const text = drawn.normalize("NFC");
      const bytes = new TextEncoder().encode(text);
      const ends = [...new Set([...cuts.map((n) => n % bytes.length), bytes.length])]
        .filter((n) => n > 0).toSorted((a, b) => a - b);
      const given = ends.map((end, i) =>
        new TextDecoder().decode(bytes.subarray(i === 0 ? 0 : ends[i - 1], end))
      );
      assert.ok(covers(given, text));
      if (given.every((piece) => !piece.includes("\ufffd"))) assert.ok(!covers(given, `${text}x`));
    }),
    { numRuns: 300 },
  );
});
