import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { meanTokens, NO_USAGE, readUsage, withRequest } from "./usage.ts";
import { inFolder } from "./testdata/usage_folder.ts";

const NOW = Date.UTC(2026, 5, 1, 23, 59);
const SENT = { model: "m", purpose: "questions" } as const;

Deno.test("withRequest() counts by model and UTC day; meanTokens() averages over answers", () => {
  let usage = withRequest(
    NO_USAGE,
    { ...SENT, tokens: { promptTokens: 100, replyTokens: 3 } },
    NOW,
  );
  usage = withRequest(usage, SENT, NOW);
  usage = withRequest(
    usage,
    { ...SENT, model: "n", tokens: { promptTokens: 7, replyTokens: 1 } },
    NOW,
  );
  usage = withRequest(
    usage,
    { ...SENT, tokens: { promptTokens: 200, replyTokens: 4 } },
    NOW + 60_000,
  );
  assert.deepEqual(usage.days.find(({ day, model }) => day === "2026-06-01" && model === "m"), {
    day: "2026-06-01",
    model: "m",
    purpose: "questions",
    requests: 2,
    answers: 1,
    promptTokens: 100,
    replyTokens: 3,
  });
  assert.deepEqual(meanTokens(usage, "m", "questions"), { promptTokens: 150, replyTokens: 3.5 });
  assert.equal(meanTokens(usage, "other", "questions"), undefined);
  const later = withRequest(usage, SENT, NOW + 90 * 86_400_000);
  assert.deepEqual(later.days.map(({ day }) => day), ["2026-08-30"]);
});

Deno.test("meanTokens() keeps questions and proposals apart", () => {
  const tokens = { promptTokens: 900, replyTokens: 400 };
  let usage = withRequest(
    NO_USAGE,
    { ...SENT, tokens: { promptTokens: 150, replyTokens: 3 } },
    NOW,
  );
  usage = withRequest(usage, { ...SENT, purpose: "proposals", tokens }, NOW);
  assert.deepEqual(meanTokens(usage, "m", "questions"), { promptTokens: 150, replyTokens: 3 });
  assert.deepEqual(meanTokens(usage, "m", "proposals"), tokens);
});

Deno.test("readUsage() counts a day without a purpose, as files had it, as one of questions", () => {
  inFolder((_, folder) => {
    const file = join(folder, "usage.json");
    const { days } = withRequest(NO_USAGE, SENT, NOW);
    const { purpose: _purpose, ...day } = days[0]!;
    Deno.writeTextFileSync(file, JSON.stringify({ days: [day], rests: [] }));
    assert.deepEqual(readUsage(file).days, days);
  });
});

Deno.test("readUsage() takes a missing or damaged file for none (property)", () => {
  inFolder((path, folder) => {
    assert.deepEqual(readUsage(path), NO_USAGE);
    const file = join(folder, "usage.json");
    const whole = JSON.stringify(withRequest(NO_USAGE, SENT, NOW));
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), fc.string(), (length, rest) => {
        Deno.writeTextFileSync(file, `${whole.slice(0, length)}${rest}`);
        const { days } = readUsage(file);
        assert.ok(days.length === 0 || days[0]?.model.startsWith("m"));
      }),
    );
    Deno.writeTextFileSync(file, '{"days":[{"day":"yesterday"}],"rests":[]}');
    assert.deepEqual(readUsage(file), NO_USAGE);
  });
});
