import { useState } from "preact/hooks";
import { listed } from "../../lib/translation/rating/wording.ts";
import type { RunConfig } from "../../lib/translation/run_config.ts";
import { orderRule } from "../order_rule.ts";
import type { OpenedRun } from "../opened_run.ts";
import type { Autosave, SavedSession } from "../storage/autosave.ts";
import type { PickedFile } from "../storage/save_file.ts";
import { DropPlace } from "./drop_place.tsx";
import { InterruptedRuns } from "./interrupted_runs.tsx";
import { openFiles, type Opening } from "./open_workbook.ts";
import { ProblemTable } from "./problem_table.tsx";
import { findRecovery } from "./recovery.ts";
import { RecoveryOffer } from "./recovery_offer.tsx";

/** A run that is chosen; the tab has not claimed it yet. */
export type ChosenRun = Omit<OpenedRun, "readOnly">;

type Opened = Extract<Opening, { readonly kind: "opened" }>;

type Stage =
  | { readonly kind: "waiting" }
  | { readonly kind: "reading"; readonly fileName: string }
  | Extract<Opening, { readonly kind: "refused" }>
  | { readonly kind: "recovery"; readonly opened: Opened; readonly saved: SavedSession };

/** Choose a file, or go on where a closed tab stopped. */
export function StartScreen({ config, demo, autosave, onOpen }: {
  readonly config: RunConfig;
  /** The demo workbook; undefined where the page has none. */
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
    else onOpen(asIs(opening));
  };
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
      {stage.kind === "recovery"
        ? (
          <RecoveryOffer
            {...stage}
            onFile={() => onOpen(asIs(stage.opened))}
            onSaved={() => onOpen(recovered(stage.saved, stage.opened.config, stage.opened.handle))}
            onCancel={() => setStage({ kind: "waiting" })}
          />
        )
        : (
          <>
            <DropPlace demo={demo} onFiles={open} />
            <p role="status">{stage.kind === "reading" && `Reading ${stage.fileName} …`}</p>
            {stage.kind === "refused" && <ProblemTable {...stage} />}
            <InterruptedRuns
              {...{ autosave, config }}
              onContinue={(saved) => onOpen(recovered(saved, config, undefined))}
            />
          </>
        )}
    </main>
  );
}

function asIs({ workbook, config, fileName, handle }: Opened): ChosenRun {
  return { workbook, config, fileName, handle, recovered: false };
}

function recovered(
  { workbook, fileName }: SavedSession,
  config: RunConfig,
  handle: FileSystemFileHandle | undefined,
): ChosenRun {
  return { workbook, config, fileName, handle, recovered: true };
}
