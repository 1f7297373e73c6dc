import { writeJsonAtomic } from "../../files/json_file.ts";
import type { EvaluationComponents } from "../evaluation/components.ts";
import { configurationOf } from "../evaluation/configuration_of.ts";
import { diagnosis, type FailurePlace } from "./diagnosis.ts";

/** Writes what helps to find out why a run could not go on, where that can be written; never throws. */
export function keepDiagnosis(
  path: string,
  error: unknown,
  place: FailurePlace,
  { components, versions }: {
    readonly components: EvaluationComponents;
    readonly versions: Readonly<Record<string, string>>;
  },
): void {
  try {
    writeJsonAtomic(path, diagnosis(error, place, configurationOf(components), versions));
  } catch {
    // The disk may be what failed: the error itself says more than this one.
  }
}
