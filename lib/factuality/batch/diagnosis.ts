import type { Json } from "../../files/json_file.ts";
import { withoutSecrets } from "../../models/hosted/redaction.ts";
import type { EvaluationConfiguration } from "../evaluation/evaluation.ts";
import { errorWords } from "../evaluation/problem_log.ts";

/** Where a failure happened. */
export interface FailurePlace {
  /** Time of day. */
  readonly at: Date;
  /** Of the request that was under way; empty where none was. */
  readonly request: string;
  /** The stage that was under way; empty before the first. */
  readonly stage: string;
}

/** One line of the log of failures: no key, address or account is in it. */
export function failureRecord(error: unknown, { at, request, stage }: FailurePlace) {
  return {
    at: at.toISOString(),
    request,
    stage,
    message: errorWords(error),
    stack: stackOf(error),
  };
}

/** What helps to find out why a run could not go on; never throws for what was thrown. */
export function diagnosis(
  error: unknown,
  place: FailurePlace,
  configuration: EvaluationConfiguration | undefined,
  versions: Readonly<Record<string, string>>,
): Json {
  return {
    ...failureRecord(error, place),
    configuration: configuration === undefined ? null : JSON.parse(JSON.stringify(configuration)),
    versions,
    next: "Every result so far is kept; the same command goes on where this run ended.",
  };
}

/** With paths from the project on: an address is taken for a secret, and a home folder is one. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const stack = (error.stack ?? "").replace(/file:\/\/\S*?\/(?=(?:lib|tasks|node_modules)\/)/g, "");
  return withoutSecrets(stack, []);
}
