import assert from "node:assert/strict";
import { openProxy, type Passing } from "../../lib/models/hosted/batch/testdata/proxy.ts";
import type { StandInServer } from "../../lib/models/hosted/testdata/stand_in/server.ts";
import { inFolder } from "../../lib/pairs/testdata/folder.ts";
import { askedOneByOne, contents, openHost, timesAsked } from "./testdata/host.ts";

const SCRIPT = new URL("./testdata/host.ts", import.meta.url).href;

/** Where a process is killed: as a request arrives, or when the host has done it and not yet said so. */
const KILLS = [
  ["before", "POST /files"],
  ["after", "POST /files"],
  ["before", "POST /batches"],
  ["after", "POST /batches"],
  ["after", "POST /batches"],
  ["before", "GET /batches/:id"],
  ["after", "GET /files/:id/content"],
] as const;

/** One process, killed where it first comes by the place; whether it was. */
async function lifeOfTask(
  folder: string,
  host: StandInServer,
  kill?: typeof KILLS[number],
): Promise<boolean> {
  let isStruck = false;
  const strike = async (moment: string, { kind }: Passing) => {
    if (isStruck || moment !== kill?.[0] || kind !== kill[1]) return;
    isStruck = true;
    child.kill("SIGKILL");
    await child.status;
  };
  await using proxy = openProxy({
    target: host.baseUrl,
    meddle: async (request) => {
      await strike("before", request);
      // What the process was killed before never reaches the host.
      return isStruck ? { status: 500, body: {} } : "pass";
    },
    answered: (request) => strike("after", request),
  });
  const reach = [`--allow-write=${folder}`, "--allow-env", "--allow-net=127.0.0.1"];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--allow-read", ...reach, SCRIPT, folder, proxy.url],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const errors = new Response(child.stderr).text();
  const { success } = await child.status;
  assert.ok(isStruck || success, await errors);
  await errors;
  return isStruck;
}

Deno.test("runBatchTask() killed at every kind of request and resumed: one submission a question, one row each", async () => {
  const expected = await askedOneByOne();
  await using host = openHost({ unfinishedPolls: 1 });
  await inFolder(async (_, folder) => {
    for (const kill of KILLS) {
      assert.ok(await lifeOfTask(folder, host, kill), `not killed ${kill.join(" ")}`);
      assert.ok(timesAsked(host).every((times) => times === 1), `asked twice: ${kill.join(" ")}`);
    }
    assert.equal(await lifeOfTask(folder, host), false);
    assert.deepEqual(contents(folder), expected);
    assert.deepEqual(timesAsked(host), Array(12).fill(1));
  });
});
