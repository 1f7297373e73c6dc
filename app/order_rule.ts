import type { RunConfig } from "../lib/translation/run_config.ts";

/** The rule of strict ordering, said with the run's own labels. */
export function orderRule({ buckets }: RunConfig): string {
  const [better, worse] = buckets;
  return `Every score in ${better!.label} must be above every score in ${worse!.label}, ` +
    "and so on downwards.";
}
