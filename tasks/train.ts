/**
 * Trains verifiers, calibrates judges: `deno task train NAME [options]`.
 *
 *     deno task train verifier --cases mine.csv    its head, on labelled claims of your own
 *     deno task train network --cases mine.csv     its network, with PyTorch
 */
import { group, run } from "./command.ts";

const TRAIN = group("train", "Verifiers of this project and of your own", {
  verifier: [
    "head over network and features, on labelled claims",
    () => import("./train/verifier.ts"),
  ],
  network: ["MiniLM's own weights, with PyTorch", () => import("./train/network.ts")],
  judges: ["scaling and accuracy of judges", () => import("./train/judges.ts")],
});

if (import.meta.main) await run(TRAIN);
