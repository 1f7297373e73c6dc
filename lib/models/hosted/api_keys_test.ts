import assert from "node:assert/strict";
import { join } from "node:path";
import { inspect } from "node:util";
import fc from "fast-check";
import { inFolder } from "../../files/testdata/folder.ts";
import { apiKey, keyNotice, readGroqKeys, readServerKey, withoutSecrets } from "./api_keys.ts";

/** Builds a key at run time, so that no file holds text that looks like one. */
const secretOf = (letters: string) => ["gsk", "test", letters].join("_");

const keysIn = (text: string) =>
  inFolder((folder) => {
    const path = join(folder, ".env");
    Deno.writeTextFileSync(path, text);
    return readGroqKeys(path);
  });

Deno.test("readGroqKeys() says of every mistake where it is and what to write, and shows no key", () => {
  const key = secretOf("a");
  const cases: readonly (readonly [string, RegExp])[] = [
    ["OTHER=1\n", /\.env: it has no Groq key; add a line GROQ_API_KEY_1=…/],
    [`\nGROQ_API_KEY=${key}`, /line 2: it is no key's line; write GROQ_API_KEY_1=…/],
    [`GROQ_API_KEY_01=${key}`, /line 1: it is no key's line/],
    [`groq_api_key_1=${key}`, /no key's line/],
    [`\n${key}\n`, /line 2: it is no key's line/],
    [`GROQ_API_KEY_1=${key}\nGROQ_API_KEY_3=b`, /line 2: .*_3 stands there without GROQ_API_KEY_2/],
    [`GROQ_API_KEY_1=${key}\nGROQ_API_KEY_2=${key}`, /line 2: .*_2 is the same key as .* line 1/],
    [`GROQ_API_KEY_1=${key}\nGROQ_API_KEY_1=b`, /GROQ_API_KEY_1 occurs twice, on lines 1 and 2/],
    [`GROQ_API_KEY_1=${key} ${key}`, /line 1: GROQ_API_KEY_1 has .* a space/],
    [`GROQ_API_KEY_1=${key}þ`, /another character/],
    ["GROQ_API_KEY_1=", /line 1: GROQ_API_KEY_1 has no value/],
    [Deno.readTextFileSync(new URL("../../../.env.example", import.meta.url)), /placeholder/],
  ];
  for (const [text, pattern] of cases) {
    assert.throws(() => keysIn(text), (error) => {
      assert.ok(error instanceof SyntaxError);
      assert.match(error.message, pattern);
      return !error.message.includes(key);
    });
  }
});

const HERE = "http://127.0.0.1:8000/v1";

Deno.test("readServerKey() lets a key of Groq's go to Groq alone, and none over http but to this machine", () =>
  inFolder((folder) => {
    const path = join(folder, ".env");
    Deno.writeTextFileSync(path, `GROQ_API_KEY_1=${secretOf("g")}\nMINE_KEY=${secretOf("m")}\n`);
    const label = (name: string, url: string) => readServerKey(path, name, url).label;
    for (
      const host of [
        "http://localhost:1",
        "http://127.0.0.2",
        "http://[::1]:8",
        "https://h.example",
      ]
    ) {
      assert.equal(label("MINE_KEY", `${host}/v1`), "MINE_KEY");
    }
    const groq = "https://api.groq.com/openai/v1";
    assert.equal(label("GROQ_API_KEY_1", groq), "GROQ_API_KEY_1");
    for (
      const host of [
        "http://api.groq.com",
        "http://127.0.0.1.h.example",
        "http://localhost.h.example",
        "http://10.0.0.1",
        "http://h.example",
      ]
    ) {
      const name = host.includes("groq") ? "GROQ_API_KEY_1" : "MINE_KEY";
      assert.throws(
        () => label(name, `${host}/v1`),
        /^SyntaxError: Cannot send \w+ to its server at .*: over http/,
      );
    }
    for (
      const host of ["https://h.example", "https://groq.com.h.example", "https://notgroq.com", HERE]
    ) {
      assert.throws(
        () => label("GROQ_API_KEY_1", host),
        /Cannot send GROQ_API_KEY_1 to .* to Groq alone\./,
      );
    }
    assert.equal(
      keyNotice(readServerKey(path, "MINE_KEY", HERE), HERE),
      "The key MINE_KEY of .env goes to its server at 127.0.0.1:8000.",
    );
  }));

Deno.test("readServerKey() says what to do about a missing file, name or value", () => {
  inFolder((folder) => {
    const path = join(folder, ".env");
    const remedy = /\.env is missing; run `cp \.env\.example \.env` .* on the line MINE_KEY=…/;
    assert.throws(() => readServerKey(path, "MINE_KEY", HERE), {
      name: "NotFound",
      message: remedy,
    });
    Deno.writeTextFileSync(path, `MINE_KEY=${secretOf("m")}\nEMPTY_KEY=\n`);
    assert.equal(readServerKey(path, "MINE_KEY", HERE).reveal(), secretOf("m"));
    assert.throws(() => readServerKey(path, "OTHER_KEY", HERE), /it has no OTHER_KEY; add a line/);
    assert.throws(() => readServerKey(path, "EMPTY_KEY", HERE), /line 2: EMPTY_KEY has no value/);
  });
});

Deno.test("apiKey() hides its secret from every printing (property: no text of a key holds it)", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9]{8,40}$/), (letters) => {
      const key = apiKey("GROQ_API_KEY_1", secretOf(letters));
      assert.equal(key.reveal(), secretOf(letters));
      const printed = [
        String(key),
        JSON.stringify({ key }),
        Deno.inspect(key, { showHidden: true, depth: 9 }),
        inspect({ key }, { showHidden: true, depth: 9 }),
        JSON.stringify(Object.entries(key)),
        String(structuredClone({ ...key }).label),
      ];
      for (const text of printed) assert.ok(!text.includes(letters), text);
    }),
  );
});

Deno.test("withoutSecrets() hides keys, organisations and addresses, and nothing else", () => {
  const key = apiKey("GROQ_API_KEY_2", secretOf("abcdefghij"));
  assert.equal(withoutSecrets(`key ${key.reveal()}!`, [key]), "key [GROQ_API_KEY_2]!");
  const unknown = withoutSecrets(`key ${key.reveal()}! Authorization: Bearer abc.def`, []);
  assert.equal(unknown, "key [key]! Authorization: [key]");
  assert.equal(
    withoutSecrets("`org_01abc`, see https://host.example/a?b=c. (127.0.0.1:8080, [::1]:80)", []),
    "`[organisation]`, see [address] ([address], [address])",
  );
  const plain = "disk, task_force and gsk, llama-3.3-70b, 9m38.016s, 1.2.3";
  assert.equal(withoutSecrets(plain, [key]), plain);
});

Deno.test("withoutSecrets() leaves no key in any text (property)", () => {
  const secrets = fc.array(fc.stringMatching(/^[\x21-\x7e]{8,30}$/), {
    minLength: 1,
    maxLength: 3,
  });
  fc.assert(
    fc.property(secrets, fc.array(fc.string()), (values, words) => {
      const keys = values.map((value, index) => apiKey(`KEY_${index + 1}`, value));
      const text = words.flatMap((word, index) => [word, values[index % values.length]!]).join(" ");
      const clean = withoutSecrets(text, keys);
      for (const value of values) assert.ok(!clean.includes(value), clean);
    }),
  );
});
