import assert from "node:assert/strict";
import { join } from "node:path";
import { inspect } from "node:util";
import fc from "fast-check";
import { inFolder } from "../../files/testdata/folder.ts";
import {
  apiKey,
  parseEnvFile,
  parseGroqKeys,
  readGroqKeys,
  readServerKey,
  withoutSecrets,
} from "./api_keys.ts";

/** Built here, so that no text that looks like a key stands in a file. */
const secretOf = (letters: string) => ["gsk", "test", letters].join("_");

Deno.test("parseGroqKeys() gives the keys in the order of their numbers", () => {
  const [one, two, ten] = ["one", "two", "ten"].map(secretOf);
  const later = Array.from({ length: 7 }, (_, i) => `GROQ_API_KEY_${i + 3}=${secretOf(`k${i}`)}`);
  const text = [
    `GROQ_API_KEY_10=${ten}`,
    `GROQ_API_KEY_2 = "${two}"  # a second account`,
    ...later,
    `OTHER=1`,
    `export GROQ_API_KEY_1='${one}'`,
  ].join("\r\n");
  const keys = parseGroqKeys(text, ".env");
  assert.deepEqual(keys.map(({ label }) => label).slice(0, 2), [
    "GROQ_API_KEY_1",
    "GROQ_API_KEY_2",
  ]);
  assert.deepEqual([keys[0], keys[1], keys[9]].map((key) => key?.reveal()), [one, two, ten]);
});

Deno.test("parseGroqKeys() says of every mistake where it is and what to write", () => {
  const key = secretOf("a");
  const cases: readonly (readonly [string, RegExp])[] = [
    ["", /\.env: it has no Groq key; add a line GROQ_API_KEY_1=…/],
    ["OTHER=1\n", /no Groq key/],
    [`# GROQ_API_KEY_1=${key}\n`, /no Groq key/],
    [`\nGROQ_API_KEY=${key}`, /line 2: GROQ_API_KEY is no key's name; write GROQ_API_KEY_1=…/],
    [`GROQ_API_KEY_0=${key}`, /line 1: GROQ_API_KEY_0 is no key's name/],
    [`GROQ_API_KEY_01=${key}`, /GROQ_API_KEY_01 is no key's name/],
    [`groq_api_key_1=${key}`, /groq_api_key_1 is no key's name/],
    [`GROQ_API_KEY _1=${key}`, /GROQ_API_KEY _1 is no key's name/],
    [`GROQ_API_KEY_1 ${key}`, /line 1: GROQ_API_KEY_1 has no = behind it/],
    [
      `GROQ_API_KEY_1=${key}\nGROQ_API_KEY_3=b`,
      /line 2: .*_3 stands there without GROQ_API_KEY_2; add/,
    ],
    [`GROQ_API_KEY_2=${key}`, /without GROQ_API_KEY_1/],
    [
      `GROQ_API_KEY_1=${key}\nGROQ_API_KEY_2=${key}`,
      /line 2: .*_2 is the same key as GROQ_API_KEY_1 on line 1/,
    ],
    [`GROQ_API_KEY_1=${key}\nGROQ_API_KEY_1=b`, /GROQ_API_KEY_1 stands twice, on lines 1 and 2/],
    [`GROQ_API_KEY_1=${key} ${key}`, /line 1: GROQ_API_KEY_1 has a space/],
    [`GROQ_API_KEY_1=" ${key}"`, /has a space/],
    [`GROQ_API_KEY_1="${key}`, /has a quotation mark/],
    [`GROQ_API_KEY_1=${key},b`, /line 1: GROQ_API_KEY_1 has a comma/],
    [`\n${key}\n`, /line 2: it is a key without a name/],
    [`GROQ_API_KEY_1=“${key}”`, /has a quotation mark/],
    [`GROQ_API_KEY_1=${key}þ`, /has a character/],
    ["GROQ_API_KEY_1=", /line 1: GROQ_API_KEY_1 has no value/],
    ["GROQ_API_KEY_1=your-first-key", /has the placeholder/],
  ];
  for (const [text, pattern] of cases) {
    assert.throws(() => parseGroqKeys(text, ".env"), (error) => {
      assert.ok(error instanceof SyntaxError);
      assert.match(error.message, pattern);
      assert.ok(!error.message.includes(key), error.message);
      return true;
    });
  }
});

Deno.test(".env.example has nothing to read until a key is put in", () => {
  const file = new URL("../../../.env.example", import.meta.url);
  const text = Deno.readTextFileSync(file);
  assert.throws(() => parseGroqKeys(text, ".env"), /placeholder/);
  const filled = text.replace("your-first-key", secretOf("mine"));
  assert.deepEqual(parseGroqKeys(filled, ".env").map((key) => key.reveal()), [secretOf("mine")]);
});

Deno.test("readGroqKeys() and readServerKey() say what to do about a missing file or name", () => {
  inFolder((folder) => {
    const path = join(folder, ".env");
    const remedy = /\.env is missing; run `cp \.env\.example \.env`/;
    assert.throws(() => readGroqKeys(path), { name: "NotFound", message: remedy });
    assert.throws(() => readServerKey(path, "MINE_KEY"), /on the line MINE_KEY=…/);
    Deno.writeTextFileSync(path, `MINE_KEY=${secretOf("m")}\nEMPTY_KEY=\n`);
    assert.equal(readServerKey(path, "MINE_KEY").reveal(), secretOf("m"));
    assert.throws(() => readServerKey(path, "OTHER_KEY"), /it has no OTHER_KEY; add a line/);
    assert.throws(() => readServerKey(path, "EMPTY_KEY"), /line 2: EMPTY_KEY has no value/);
    assert.throws(() => readGroqKeys(path), /no Groq key/);
  });
});

Deno.test("apiKey() hides its secret from every printing (property: no text of a key holds it)", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9]{8,40}$/), (letters) => {
      const key = apiKey("GROQ_API_KEY_1", secretOf(letters));
      assert.equal(key.reveal(), secretOf(letters));
      const printed = [
        String(key),
        `${key}`,
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

const secret = ["gsk", "test", "abcdefghij"].join("_");
const key = apiKey("GROQ_API_KEY_2", secret);

Deno.test("withoutSecrets() names keys by their label and hides what looks like one", () => {
  assert.equal(withoutSecrets(`key ${secret}!`, [key]), "key [GROQ_API_KEY_2]!");
  assert.equal(withoutSecrets(`key ${secret}!`, []), "key [key]!");
  assert.equal(withoutSecrets("Authorization: Bearer abc.def", []), "Authorization: [key]");
  assert.equal(withoutSecrets("disk, task_force and gsk", [key]), "disk, task_force and gsk");
});

Deno.test("withoutSecrets() takes out organisations and addresses", () => {
  const text =
    "in organization `org_01abc`, see https://host.example/a?b=c. (tcp 127.0.0.1:8080, [::1]:80)";
  assert.equal(
    withoutSecrets(text, []),
    "in organization `[organisation]`, see [address] (tcp [address], [address])",
  );
  assert.equal(
    withoutSecrets("llama-3.3-70b, 9m38.016s, 1.2.3", []),
    "llama-3.3-70b, 9m38.016s, 1.2.3",
  );
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

Deno.test("parseEnvFile() gives names, values and lines", () => {
  const text = "\uFEFF# keys\r\nexport ONE=\"a b\" # first\r\n\r\n  TWO = c#d\nTHREE: 'e'\nFOUR=\n";
  assert.deepEqual(parseEnvFile(text, ".env"), [
    { name: "ONE", value: "a b", line: 2 },
    { name: "TWO", value: "c", line: 4 },
    { name: "THREE", value: "e", line: 5 },
    { name: "FOUR", value: "", line: 6 },
  ]);
  assert.deepEqual(parseEnvFile("", ".env"), []);
});

Deno.test("parseEnvFile() refuses a name that stands twice, without showing a value", () => {
  assert.throws(() => parseEnvFile("A=secret1\nB=1\nA=secret2\n", "my.env"), {
    name: "SyntaxError",
    message: "Cannot read my.env: A stands twice, on lines 1 and 3; remove one, or give it the " +
      "next number",
  });
});
