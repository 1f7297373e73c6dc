// Started by run_test.ts, which kills it: the task in a folder, against a stand-in's address.

import { runBatchTask } from "../batch.ts";
import { OPTIONS, worldIn } from "./host.ts";

const [folder = "", baseUrl = ""] = Deno.args;

await runBatchTask(OPTIONS, worldIn(folder, baseUrl));
