import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { parseEnvFile } from "../lib/models/hosted/api_keys.ts";

const PROJECT = join(import.meta.dirname!, "..");

/** Files searched for keys: all that is committed or shown, and the cache of hosted calls. */
const SEARCHED = [
  "README.md",
  "RESULTS.md",
  ".env.example",
  "deno.json",
  "data",
  "figures",
  "lib",
  "notebooks",
  "tasks",
  ".cache/hosted",
];

/** Format of Groq's keys; those of tests have another underscore. */
const GROQ_KEY = /gsk_[A-Za-z0-9]{24,}/;

function files(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  if (Deno.statSync(path).isFile) return [path];
  return [...Deno.readDirSync(path)].flatMap(({ name }) => files(join(path, name)));
}

const holdsSecret = (text: string, secrets: readonly string[]) =>
  GROQ_KEY.test(text) || secrets.some((secret) => text.includes(secret));

Deno.test("no file of the project holds a key, be it of this machine's own .env; one would be found", () => {
  const own = files(join(PROJECT, ".env"))
    .flatMap((path) => parseEnvFile(Deno.readTextFileSync(path), path))
    .filter(({ name, value }) => /KEY|TOKEN|SECRET/.test(name) && value.length >= 8);
  const secrets = own.map(({ value }) => value);
  const searched = SEARCHED.flatMap((path) => files(join(PROJECT, path)));
  assert.ok(searched.length > 100);
  // Every byte is one character, so that figures are searched like texts.
  const latin = new TextDecoder("latin1");
  const found = searched.filter((path) =>
    holdsSecret(latin.decode(Deno.readFileSync(path)), secrets)
  );
  // Names alone: an assertion that shows the text would be one more place that holds the key.
  assert.deepEqual(found.map((path) => relative(PROJECT, path)), []);
  assert.ok(holdsSecret(`"output": "${["gsk", "a1B2".repeat(13)].join("_")}"`, []));
  assert.ok(holdsSecret("x own-server-key y", ["own-server-key"]));
  assert.ok(!holdsSecret(["gsk", "test", "a".repeat(40)].join("_"), ["own-server-key"]));
});
