// Started by killed.ts and no_network.ts: one run in a process of its own, with real time, one
// request in flight a key. Tells on standard output how it ended.

import { evaluateOnce } from "./setting.ts";

const [folder = "", baseUrl = "", pairs = "0", timeout = "0"] = Deno.args;

const report = await evaluateOnce(
  { folder, baseUrl, pairs: Number(pairs) },
  { calls: { concurrencyPerKey: 1, failuresInARow: 2, timeoutSeconds: Number(timeout) } },
);

console.log(JSON.stringify(report));
