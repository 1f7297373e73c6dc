/** Whether all is rated, so that this is the file to hand in. */
export type Standing = "checkpoint" | "final";

/**
 * What a checkpoint is called where the rater does not say: the opened file's name with the time,
 * so that checkpoints stand in order and none takes another's place, and a word that tells the file
 * to hand in from all others. `stamp` is ISO 8601.
 */
export function checkpointName(fileName: string, standing: Standing, stamp: string): string {
  const base = fileName.replace(/\.xlsx$/i, "").replace(/-(?:checkpoint|final)-\d{8}-\d{6}$/, "");
  const [date, time] = stamp.slice(0, 19).split("T");
  return `${base}-${standing}-${date!.replaceAll("-", "")}-${time!.replaceAll(":", "")}.xlsx`;
}
