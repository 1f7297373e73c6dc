import assert from "node:assert/strict";
import { z } from "zod";
import { damageReason } from "./damage_reason.ts";

Deno.test("damageReason() puts any error on one line", () => {
  assert.equal(damageReason(new SyntaxError("two\n  lines")), "two lines");
  assert.equal(damageReason("text"), "text");
  assert.equal(damageReason(new Error("")), "refused without a reason");
});

Deno.test("damageReason() names the fields that a zod schema refuses", () => {
  const { error } = z.object({ id: z.string(), bytes: z.number() }).safeParse({ bytes: "x" });
  assert.match(damageReason(error), /^id: .+; bytes: [^{]+$/);
});
