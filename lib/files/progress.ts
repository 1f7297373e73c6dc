/** Where a long work stands. */
export interface ProgressState {
  readonly label: string;
  /** Items done, those of an earlier run among them. */
  readonly done: number;
  readonly total: number;
  /** Items that an earlier run had done already: they tell nothing about this run's rate. */
  readonly resumed: number;
  /** Seconds since this run began. */
  readonly seconds: number;
}

/**
 * `label 120/500 24% 3.1/s 2:03 left`. Rate and time left are those of this run, and are left
 * out while nothing is known of them.
 */
export function formatProgress({ label, done, total, resumed, seconds }: ProgressState): string {
  const parts = [label, `${done}/${total}`];
  if (total > 0) parts.push(`${Math.floor((100 * done) / total)}%`);
  const rate = seconds > 0 ? (done - resumed) / seconds : 0;
  if (rate > 0) {
    parts.push(rate >= 0.95 ? `${rate.toFixed(1)}/s` : `${(1 / rate).toFixed(1)} s each`);
    const rest = formatDuration((total - done) / rate);
    parts.push(done < total ? `${rest} left` : `in ${formatDuration(seconds)}`);
  }
  return parts.join(" ");
}

/** Seconds as `m:ss`, from an hour on as `h:mm:ss`; whole seconds, rounded. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (n: number) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return (hours > 0 ? `${hours}:${two(minutes)}` : `${minutes}`) + `:${two(whole % 60)}`;
}

/** Bytes in the unit that reads best, thousands as SI counts them: `98.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(0)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}
