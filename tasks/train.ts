/** Former name of `deno task factcheck train`, kept for one version. */
import { group, hasOption, printRenamed, run } from "./command.ts";

const moved = (name: string, now = `factcheck train ${name}`) => printRenamed(`train ${name}`, now);

export const TRAIN = group("train", "The former name of deno task factcheck train", {
  verifier: ["now deno task factcheck train verifier", () => {
    moved("verifier");
    return import("./factcheck/train/verifier.ts");
  }],
  network: ["now deno task factcheck train network", () => {
    moved("network");
    return import("./factcheck/train/network.ts");
  }],
  judges: ["now deno task factcheck train judges, or study judges", (args) => {
    if (hasOption(args, "--config", "--cases")) {
      moved("judges");
      return import("./factcheck/train/judges.ts");
    }
    moved("judges", "study judges");
    return import("./studies/judges.ts");
  }],
});

if (import.meta.main) await run(TRAIN);
