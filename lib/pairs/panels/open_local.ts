import { formatDownload } from "../../files/download_status.ts";
import { openStatusLine } from "../../files/status_line.ts";
import { loadLocalModel, type LoadProgress, type LocalModel } from "../../models/local_models.ts";
import type { GgufEntry } from "../../models/panel.ts";

/** Loads a panel's model; downloads and expansion of weights are shown on a status line. */
export async function loadShowingProgress(
  entry: GgufEntry,
  cacheDirectory: string,
  threads?: number,
): Promise<LocalModel> {
  using line = openStatusLine();
  return await loadLocalModel(entry, {
    cacheDirectory,
    onProgress: (progress) => line.show(describeLoading(progress)),
    ...(threads === undefined ? {} : { threads }),
  });
}

function describeLoading(progress: LoadProgress): string {
  if (progress.stage === "download") return formatDownload(progress.download);
  const what = progress.stage === "expand" ? "expanding weights of" : "loading";
  return `${what} ${progress.model}`;
}
