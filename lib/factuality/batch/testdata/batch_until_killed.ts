/**
 * Runs a batch in a separate process, to be killed: FOLDER REQUESTS MILLISECONDS. Each request
 * takes that many milliseconds. A line on standard output marks the start of the first.
 */
import { components, countingClock, literalVerifier } from "../../check/testdata/fakes.ts";
import { evaluateBatch } from "../evaluate_batch.ts";
import { killedRequests } from "./kill_batch.ts";

const [folder, requests, milliseconds] = Deno.args;

const slow: typeof literalVerifier = {
  ...literalVerifier,
  async verify(claims, passages) {
    await new Promise((resolve) => setTimeout(resolve, Number(milliseconds)));
    return await literalVerifier.verify(claims, passages);
  },
};

await evaluateBatch({
  folder: folder!,
  requests: killedRequests(Number(requests)),
  components: components({ verifier: slow }),
  concurrency: 2,
  clock: countingClock(),
  seed: 1,
  versions: {},
  onProgress({ done, resumed }) {
    if (done === resumed) console.log("begun");
  },
});
