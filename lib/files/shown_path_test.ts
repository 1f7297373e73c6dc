import assert from "node:assert/strict";
import { shownPath } from "./shown_path.ts";

Deno.test("shownPath() starts from the working folder, also from a folder of the project", () => {
  assert.equal(shownPath("/home/me/project/.env", "/home/me/project"), ".env");
  assert.equal(shownPath("/home/me/project/.env", "/home/me/project/notebooks"), "../.env");
  assert.equal(shownPath("/home/me/project/data/a.csv", "/home/me/project"), "data/a.csv");
});

Deno.test("shownPath() leaves what is further away", () => {
  assert.equal(shownPath("/tmp/a/.env", "/home/me/project"), "/tmp/a/.env");
  assert.equal(shownPath("/home/me", "/home/me/project"), "/home/me");
});
