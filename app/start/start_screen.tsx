import { useState } from "preact/hooks";
import type { RunConfig } from "../../lib/translation/configuration.ts";
import { listed } from "../../lib/translation/rules/violations.ts";
import type { Problem } from "../../lib/translation/workbook/sheets.ts";
import type { Autosave, SavedSession } from "../storage/autosave.ts";
import { droppedFiles, type PickedFile, pickWorkbook } from "../storage/save_file.ts";
import { orderRule } from "../words.ts";
import { InterruptedRuns, RecoveryOffer } from "./kept_work.tsx";
import { type OpenedRun, openFiles, type Opening } from "./open_workbook.ts";
import { findRecovery } from "./recovery.ts";

/** A run that is chosen; the tab has not claimed it yet. */
export type ChosenRun = Omit<OpenedRun, "readOnly">;
type Opened = Extract<Opening, { readonly kind: "opened" }>;

type Stage =
  | { readonly kind: "waiting" }
  | { readonly kind: "reading"; readonly fileName: string }
  | Extract<Opening, { readonly kind: "refused" }>
  | { readonly kind: "recovery"; readonly opened: Opened; readonly saved: SavedSession };

/** Choose a file, or go on where a closed tab stopped; a page may have no demo workbook. */
export function StartScreen({ config, demo, autosave, onOpen }: {
  readonly config: RunConfig;
  readonly demo: File | undefined;
  readonly autosave: Autosave;
  readonly onOpen: (run: ChosenRun) => void;
}) {
  const [stage, setStage] = useState<Stage>({ kind: "waiting" });
  const open = async (files: readonly PickedFile[]) => {
    if (files.length === 0) return;
    setStage({ kind: "reading", fileName: files[0]!.file.name });
    const opening = await openFiles(files, config);
    if (opening.kind === "refused") return setStage(opening);
    const saved = await findRecovery(opening.workbook, autosave);
    if (saved) setStage({ kind: "recovery", opened: opening, saved });
    else onOpen({ ...opening, recovered: false });
  };
  const recover = (
    { workbook, fileName }: SavedSession,
    config: RunConfig,
    handle?: FileSystemFileHandle,
  ) => onOpen({ workbook, config, fileName, handle, recovered: true });
  return (
    <main class="start">
      <h1>Rate translations</h1>
      <p class="lead">
        You will see one sentence at a time with {config.numTranslations}{" "}
        translations. Sort each into{" "}
        {listed(config.buckets.map(({ label }) => label), "or")}, and give it a score from{" "}
        {config.daMin} to {config.daMax}. {config.strictOrdering && `${orderRule(config)} `}
        Your file stays on this computer; it also keeps how long each sentence took you, and how
        long differences were shown.
      </p>
      {stage.kind === "recovery" && (
        <RecoveryOffer
          {...stage}
          onFile={() => onOpen({ ...stage.opened, recovered: false })}
          onSaved={() => recover(stage.saved, stage.opened.config, stage.opened.handle)}
          onCancel={() => setStage({ kind: "waiting" })}
        />
      )}
      {stage.kind !== "recovery" && (
        <>
          <DropPlace demo={demo} onFiles={open} />
          <p role="status">{stage.kind === "reading" && `Reading ${stage.fileName} …`}</p>
          {stage.kind === "refused" && <ProblemTable {...stage} />}
          <InterruptedRuns
            {...{ autosave, config }}
            onContinue={(saved) => recover(saved, config)}
          />
        </>
      )}
    </main>
  );
}

/** Where files are chosen or dropped. */
function DropPlace({ demo, onFiles }: {
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

/** Problems shown at first; the others are one click away. */
const AT_FIRST = 40;

/** Everything that is wrong with a file: one sentence of the file as a whole needs no table. */
function ProblemTable({ fileName, problems }: {
  readonly fileName: string;
  readonly problems: readonly Problem[];
}) {
  const groups = grouped(problems);
  const rest = groups.slice(AT_FIRST);
  const isOfFile = problems.length === 1 && problems[0]!.sheet === undefined;
  return (
    <section class="card refused" role="alert" aria-labelledby="problems-title">
      <h2 id="problems-title">{fileName || "The file"} cannot be opened</h2>
      {isOfFile && <p>{problems[0]!.message} Nothing was changed.</p>}
      {!isOfFile && (
        <p>
          {problems.length === 1 ? "One thing is wrong." : `${problems.length} things are wrong.`}
          {" "}
          Nothing was changed. Send this list to whoever gave you the file.
        </p>
      )}
      {!isOfFile && <Rows groups={groups.slice(0, AT_FIRST)} />}
      {rest.length > 0 && (
        <details>
          <summary>{rest.length} more</summary>
          <Rows groups={rest} />
        </details>
      )}
    </section>
  );
}

/** Problems that say the same of several rows. */
type ProblemGroup = Omit<Problem, "row"> & { readonly rows: readonly number[] };

/** Without Map.groupBy, which Safari has only since 17.4: a refusal must be shown in 17.0 too. */
function grouped(problems: readonly Problem[]): readonly ProblemGroup[] {
  const groups = new Map<string, ProblemGroup & { rows: number[] }>();
  for (const { row, ...problem } of problems) {
    const saying = JSON.stringify(problem);
    const group = groups.get(saying) ?? { ...problem, rows: [] };
    groups.set(saying, group);
    if (row !== undefined) group.rows.push(row);
  }
  return [...groups.values()];
}

function Rows({ groups }: { readonly groups: readonly ProblemGroup[] }) {
  return (
    <div class="problems">
      <table>
        <thead>
          <tr>
            {["Sheet", "Row", "Column", "What is wrong"].map((it) => (
              <th key={it} scope="col">{it}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map(({ sheet, rows, column, message }, index) => (
            <tr key={index}>
              <td>{sheet ?? "–"}</td>
              <td>{rowList(rows)}</td>
              <td>{column ?? "–"}</td>
              <td>{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `2, 3, 4 and 120 more` */
function rowList(rows: readonly number[]): string {
  if (rows.length === 0) return "–";
  const more = rows.length - 6;
  return rows.slice(0, 6).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
