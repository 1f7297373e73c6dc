/**
 * What a checkpoint is called where the rater does not say: the opened file's name with the time,
 * so that checkpoints stand in order and none takes another's place. `stamp` is ISO 8601.
 */
export function checkpointName(fileName: string, stamp: string): string {
  const base = fileName.replace(/\.xlsx$/i, "").replace(/-checkpoint-\d{8}-\d{6}$/, "");
  const [date, time] = stamp.slice(0, 19).split("T");
  return `${base}-checkpoint-${date!.replaceAll("-", "")}-${time!.replaceAll(":", "")}.xlsx`;
}
