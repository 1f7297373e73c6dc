// Started by load.ts: the stand-in server in a process of its own, so that its work is not counted
// as the client's. Prints its address, then answers until it is killed.
import { startStandInServer } from "../../lib/models/hosted/stand_in_server.ts";

const delayMs = Number(Deno.args[0]);
const { baseUrl } = startStandInServer({ delayMs });
console.log(baseUrl);
