/**
 * Commands that train verifiers and calibrate judges on labelled claims: `deno task factcheck train
 * NAME [options]`. The project's weights were made by them.
 */
import { group } from "../command.ts";

export const TASK = group(
  "factcheck train",
  "Verifiers and judges, fitted to your labelled claims",
  {
    verifier: [
      "head over network and features, or the scaling of a language model",
      () => import("./train/verifier.ts"),
    ],
    network: ["MiniLM's weights, with PyTorch", () => import("./train/network.ts")],
    judges: ["scaling and accuracy of judges", () => import("./train/judges.ts")],
  },
);
