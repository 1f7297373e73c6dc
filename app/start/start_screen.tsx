import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RunConfig } from "../../lib/translation/configuration.ts";
import { taskWords, type Texts, textsOf } from "../../lib/translation/texts.ts";
import type { Problem } from "../../lib/translation/workbook/sheets.ts";
import type { Autosave, SavedSession } from "../storage/autosave.ts";
import { droppedFiles, type OpenedRun, type PickedFile, pickFiles } from "../storage/saving.ts";
import { Instructions } from "../rating/help.tsx";
import {
  findRecovery,
  InterruptedRuns,
  openFiles,
  type Opening,
  RecoveryOffer,
} from "./opening.tsx";

/** A run that is chosen; the tab has not claimed it yet. */
export type ChosenRun = Omit<OpenedRun, "readOnly">;
type Opened = Extract<Opening, { readonly kind: "opened" }>;

type Stage =
  | { readonly kind: "waiting" }
  | { readonly kind: "reading"; readonly fileName: string }
  | Extract<Opening, { readonly kind: "refused" }>
  | { readonly kind: "recovery"; readonly opened: Opened; readonly saved: SavedSession };

/** A workbook that the page brings along: of a run, with so many sentences, or to try the page. */
export interface OwnWorkbook {
  readonly file: File;
  /** Undefined for the demonstration's. */
  readonly sentences: number | undefined;
}

/**
 * Choose a file, or go on where a closed tab stopped; a page may have no workbook of its own. `isBack`
 * says that a workbook was closed.
 */
export function StartScreen({ config, own, autosave, isBack, onOpen }: {
  readonly config: RunConfig;
  readonly own: OwnWorkbook | undefined;
  readonly autosave: Autosave;
  readonly isBack: boolean;
  readonly onOpen: (run: ChosenRun) => void;
}) {
  const [stage, setStage] = useState<Stage>({ kind: "waiting" });
  const texts = textsOf(config);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.documentElement.lang = config.language;
    document.title = texts("title");
    if (isBack) heading.current?.focus();
  }, []);
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
      <h1 ref={heading} tabIndex={-1}>{texts("title")}</h1>
      <p class="lead">{taskWords(config)}</p>
      <Instructions config={config} />
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
          <DropPlace {...{ own, texts }} onFiles={open} />
          <p role="status">
            {stage.kind === "reading" && texts("reading", { name: stage.fileName })}
          </p>
          {stage.kind === "refused" && <ProblemTable {...stage} texts={texts} />}
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
function DropPlace({ own, texts, onFiles }: {
  readonly own: OwnWorkbook | undefined;
  readonly texts: Texts;
  readonly onFiles: (files: readonly PickedFile[]) => void;
}) {
  const [over, setOver] = useState(false);
  const pick = async () => {
    const picked = await pickFiles();
    if (picked.length > 0) onFiles(picked);
  };
  const openOwn = own && (() => onFiles([{ file: own.file, handle: undefined }]));
  const isRun = own?.sentences !== undefined;
  return (
    <section
      class={over ? "drop over" : "drop"}
      aria-label={texts("openWorkbook")}
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
      {isRun && (
        <button type="button" class="primary" onClick={openOwn}>
          {texts("startOwn", { name: own.file.name, n: own.sentences! })}
        </button>
      )}
      <button type="button" class={isRun ? "" : "primary"} onClick={pick}>
        {texts(isRun ? "chooseOther" : "choose")}
      </button>
      <span>{texts("orDrop")}</span>
      {own && !isRun && <button type="button" onClick={openOwn}>{texts("tryDemo")}</button>}
    </section>
  );
}

/** Everything that is wrong with a file: one sentence of the file as a whole needs no table. */
function ProblemTable({ fileName, problems, texts }: {
  readonly fileName: string;
  readonly problems: readonly Problem[];
  readonly texts: Texts;
}) {
  const isOfFile = problems.length === 1 && problems[0]!.sheet === undefined;
  return (
    <section class="card refused" role="alert" aria-labelledby="problems-title">
      <h2 id="problems-title">{texts("cannotOpen", { name: fileName || texts("theFile") })}</h2>
      {isOfFile && <p>{problems[0]!.message} {texts("nothingChanged")}</p>}
      {!isOfFile && <p>{texts("sendList", { n: problems.length })}</p>}
      {!isOfFile && <Rows {...{ problems, texts }} />}
    </section>
  );
}

/** One row for problems that say the same of several rows of the workbook. */
function Rows({ problems, texts }: {
  readonly problems: readonly Problem[];
  readonly texts: Texts;
}) {
  const groups = Map.groupBy(problems, ({ row: _, ...problem }) => JSON.stringify(problem));
  return (
    <div class="problems">
      <table>
        <thead>
          <tr>
            {(["sheet", "rowColumn", "column", "wrong"] as const).map((it) => (
              <th key={it} scope="col">{texts(it)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...groups].map(([saying, own]) => (
            <tr key={saying}>
              <td>{own[0]!.sheet ?? "–"}</td>
              <td>{rowList(own.flatMap(({ row }) => row ?? []), texts)}</td>
              <td>{own[0]!.column ?? "–"}</td>
              <td lang="en">{own[0]!.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `2, 3, 4 and 120 more` */
function rowList(rows: readonly number[], texts: Texts): string {
  if (rows.length === 0) return "–";
  const more = rows.length - 6;
  return rows.slice(0, 6).join(", ") + (more > 0 ? ` ${texts("andMore", { n: more })}` : "");
}
