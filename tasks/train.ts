/**
 * Trains verifiers, calibrates judges: `deno task train NAME [options]`.
 *
 *     deno task train verifier                 the one that ships, on claims made of the factbook
 *     deno task train head --cases mine.csv    a head of your own on labelled claims
 */
import { group, run } from "./command.ts";

const TRAIN = group("train", "Verifiers of this project and of your own", {
  verifier: [
    "the verifier that ships, on the factbook's claims",
    () => import("./train/verifier.ts"),
  ],
  head: ["a head of your own on labelled claims", () => import("./train/head.ts")],
  network: ["MiniLM's own weights, with PyTorch", () => import("./train/network.ts")],
  judges: ["scaling and accuracy of judges, PMI's threshold", () => import("./train/judges.ts")],
  tables: ["learning curve and ablations of notebook 45", () => import("./train/tables.ts")],
});

if (import.meta.main) await run(TRAIN);
