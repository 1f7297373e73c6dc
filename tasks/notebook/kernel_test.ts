import assert from "node:assert/strict";
import { decodeMessage } from "./kernel.ts";

const bytes = (frames: readonly string[]) => frames.map((frame) => new TextEncoder().encode(frame));

Deno.test("decodeMessage() checks the signature: HMAC-SHA-256 of the four parts", () => {
  // Worked out with Python: hmac.new(b"key", b'{"msg_id":"1","msg_type":"t"}{}{}{}', "sha256")
  const parts = ['{"msg_id":"1","msg_type":"t"}', "{}", "{}", "{}"];
  const signature = "5a6c96f5a0f3230fbe86bfe303866f2d24973553340f47c2e875f41a4466863b";
  const frames = (sign: string) => bytes(["<IDS|MSG>", sign, ...parts]);
  assert.equal(decodeMessage(frames(signature), "key").type, "t");
  assert.throws(() => decodeMessage(frames(signature), "other"), /its signature is not/);
  assert.throws(() => decodeMessage(frames("0".repeat(64)), "key"), /its signature is not/);
  assert.throws(() => decodeMessage(bytes(["<IDS|MSG>", "sig", "{}"]), "key"), SyntaxError);
});
