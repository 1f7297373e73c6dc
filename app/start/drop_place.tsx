import { useState } from "preact/hooks";
import { droppedFiles, type PickedFile, pickWorkbook } from "../storage/save_file.ts";

/** Where files are chosen or dropped. */
export function DropPlace({ demo, onFiles }: {
  /** The demo workbook; undefined where the page has none. */
  readonly demo: File | undefined;
  readonly onFiles: (files: readonly PickedFile[]) => void;
}) {
  const [over, setOver] = useState(false);
  const pick = async () => {
    const picked = await pickWorkbook();
    if (picked) onFiles([picked]);
  };
  return (
    <section
      class={over ? "drop over" : "drop"}
      aria-label="Open a workbook"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={async (event) => {
        event.preventDefault();
        setOver(false);
        if (event.dataTransfer) onFiles(await droppedFiles(event.dataTransfer));
      }}
    >
      <button type="button" class="primary" onClick={pick}>Choose your workbook …</button>
      <span>
        or drop the .xlsx file here, together with its settings file (.yaml) if it came with one
      </span>
      {demo && (
        <button type="button" onClick={() => onFiles([{ file: demo, handle: undefined }])}>
          Try it with a demo file
        </button>
      )}
    </section>
  );
}
