import assert from "node:assert/strict";
import fc from "fast-check";
import { apiKey } from "./api_keys.ts";
import { withoutSecrets } from "./redaction.ts";

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
