import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { parseRunConfig, type RunConfig } from "../../lib/translation/configuration.ts";
import { configHash } from "../../lib/translation/hashes.ts";
import { taskDescription, type Texts, textsOf } from "../../lib/translation/page_texts.ts";
import type { ItemEvaluation, RatingWorkbook } from "../../lib/translation/types.ts";
import { readWorkbook } from "../../lib/translation/workbook/read_workbook.ts";
import { fileProblem, type Problem } from "../../lib/translation/workbook/sheets.ts";
import { Instructions } from "../rating/help.tsx";
import type { Autosave, SavedSession } from "../storage/autosave.ts";
import { droppedFiles, pickFiles } from "../storage/saving.ts";
import type { OpenedRun, PickedFile, RunFile } from "../storage/saving.ts";
import { momentWords } from "../formatting.ts";

/** A chosen run, not yet claimed by the tab. */
export type ChosenRun = Omit<OpenedRun, "readOnly">;
type Opened = Extract<Opening, { readonly kind: "opened" }>;

type Stage =
  | { readonly kind: "waiting" }
  | { readonly kind: "reading"; readonly fileName: string }
  | Extract<Opening, { readonly kind: "refused" }>
  | { readonly kind: "recovery"; readonly opened: Opened; readonly saved: SavedSession };

/** A workbook embedded in the page, for a run or as a demonstration. */
export interface EmbeddedWorkbook {
  readonly file: File;
  /** Number of sentences; undefined for the demonstration. */
  readonly sentences: number | undefined;
}

/**
 * Start screen: choose a file, or resume an interrupted run.
 * A page may have no embedded workbook. `isBack` is true after a workbook was closed.
 */
export function StartScreen({ config, embedded, autosave, isBack, onOpen }: {
  readonly config: RunConfig;
  readonly embedded: EmbeddedWorkbook | undefined;
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
      <p class="lead">{taskDescription(config)}</p>
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
          <DropArea {...{ embedded, texts }} onFiles={open} />
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

/** Area for choosing or dropping files. */
function DropArea({ embedded, texts, onFiles }: {
  readonly embedded: EmbeddedWorkbook | undefined;
  readonly texts: Texts;
  readonly onFiles: (files: readonly PickedFile[]) => void;
}) {
  const [over, setOver] = useState(false);
  const pick = async () => {
    const picked = await pickFiles();
    if (picked.length > 0) onFiles(picked);
  };
  const openEmbedded = embedded && (() => onFiles([{ file: embedded.file, handle: undefined }]));
  const isRun = embedded?.sentences !== undefined;
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
        <button type="button" class="primary" onClick={openEmbedded}>
          {texts("startOwn", { name: embedded.file.name, n: embedded.sentences! })}
        </button>
      )}
      <button type="button" class={isRun ? "" : "primary"} onClick={pick}>
        {texts(isRun ? "chooseOther" : "choose")}
      </button>
      <span>{texts("orDrop")}</span>
      {embedded && !isRun && (
        <button type="button" onClick={openEmbedded}>{texts("tryDemo")}</button>
      )}
    </section>
  );
}

/** Table of a file's problems. A single problem of the whole file needs none. */
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

/** One row for the same problem in several rows of the workbook. */
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
          {[...groups].map(([saying, group]) => (
            <tr key={saying}>
              <td>{group[0]!.sheet ?? "–"}</td>
              <td>{rowList(group.flatMap(({ row }) => row ?? []), texts)}</td>
              <td>{group[0]!.column ?? "–"}</td>
              <td lang="en">{group[0]!.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Lists rows: `2, 3, 4 and 120 more`. */
function rowList(rows: readonly number[], texts: Texts): string {
  if (rows.length === 0) return "–";
  const more = rows.length - 6;
  return rows.slice(0, 6).join(", ") + (more > 0 ? ` ${texts("andMore", { n: more })}` : "");
}

/** The result of opening chosen or dropped files. */
export type Opening =
  /** `writtenAt` (ISO 8601) is the file's modification time. */
  | RunFile & { readonly kind: "opened"; readonly writtenAt: string }
  | { readonly kind: "refused"; readonly fileName: string; readonly problems: readonly Problem[] };

/** Maximum file size. 300 sentences with 12 translations take less than 1 MB. */
const MAX_BYTES = 50_000_000;

/** Reads a workbook with the chosen configuration or else the page's. Never throws. */
async function openFiles(
  files: readonly PickedFile[],
  pageConfig: RunConfig,
): Promise<Opening> {
  const names = files.map(({ file }) => file.name).join(", ");
  const workbooks = files.filter(({ file }) => /\.xlsx$/i.test(file.name));
  const configs = files.filter(({ file }) => /\.(?:ya?ml|json)$/i.test(file.name));
  const [chosen] = workbooks;
  const texts = textsOf(pageConfig);
  if (!chosen || workbooks.length + configs.length !== files.length) {
    return refused(names, texts("onlyXlsx"));
  }
  if (workbooks.length > 1 || configs.length > 1) {
    return refused(names, texts("oneAtATime"));
  }
  if (chosen.file.size > MAX_BYTES) {
    return refused(names, texts("tooBig"));
  }
  const { file, handle } = chosen;
  try {
    const config = configs[0]
      ? parseRunConfig(await configs[0].file.text(), configs[0].file.name)
      : pageConfig;
    const bytes = new Uint8Array(await file.arrayBuffer());
    const read = await readWorkbook(bytes, { config, runId: crypto.randomUUID() });
    if (read.kind === "refused") return { ...read, fileName: file.name };
    const writtenAt = new Date(file.lastModified).toISOString();
    const { workbook } = read;
    return { kind: "opened", workbook, config, fileName: file.name, handle, writtenAt };
  } catch (error) {
    return refused(names, error instanceof Error ? error.message : String(error));
  }
}

function refused(fileName: string, message: string): Opening {
  return { kind: "refused", fileName, problems: [fileProblem(message)] };
}

/** Returns the browser's copy of a run if it differs. */
async function findRecovery(
  workbook: RatingWorkbook,
  autosave: Autosave,
): Promise<SavedSession | undefined> {
  const saved = await autosave.find(workbook.runId);
  return saved && fits(saved, workbook) && differs(saved, workbook) ? saved : undefined;
}

/** Counts the sentences confirmed by Next. */
function confirmedCount({ items }: RatingWorkbook): number {
  return items.filter(({ evaluation }) => evaluation.committedAt !== undefined).length;
}

/** Returns the progress: `3 of 20 sentences done`. */
function doneWords(workbook: RatingWorkbook, texts: Texts): string {
  return texts("doneOf", { done: confirmedCount(workbook), n: workbook.items.length });
}

/** Tests whether no item of a workbook was ever opened. */
function isFresh({ items }: RatingWorkbook): boolean {
  return items.every(({ evaluation }) => evaluation.startedAt === undefined);
}

/** Returns a workbook's working time in seconds; it never decreases. */
const secondsOf = ({ items }: RatingWorkbook) =>
  items.reduce((sum, { evaluation }) => sum + evaluation.activeSeconds, 0);

/**
 * Tests whether the browser's copy is ahead of the file.
 * It is if it has more working time; if equal, more confirmed sentences; if equal, a later time. It
 * is always ahead of an unopened file. A file embedded in the page has no time of its own.
 */
export function aheadOf(
  saved: SavedSession,
  file: { readonly workbook: RatingWorkbook; readonly writtenAt: string },
): boolean {
  if (isFresh(file.workbook)) return true;
  const longer = secondsOf(saved.workbook) - secondsOf(file.workbook);
  if (longer !== 0) return longer > 0;
  const more = confirmedCount(saved.workbook) - confirmedCount(file.workbook);
  return more > 0 || more === 0 && saved.savedAt > file.writtenAt;
}

function fits({ workbook: saved, configSha256 }: SavedSession, file: RatingWorkbook): boolean {
  const hashesOf = ({ items }: RatingWorkbook) =>
    items.map(({ input }) => input.rowInputHash).join();
  return configSha256 === file.configSha256 && saved.keySha256 === file.keySha256 &&
    hashesOf(saved) === hashesOf(file);
}

/** Tests whether ratings, comments or confirmations differ; differing times alone are ignored. */
function differs(saved: SavedSession, workbook: RatingWorkbook): boolean {
  const content = ({ ratings, comment, committedAt }: ItemEvaluation) =>
    JSON.stringify([ratings.map(({ bucket, da }) => [bucket, da]), comment, committedAt]);
  return workbook.items.some(({ evaluation }, index) =>
    content(evaluation) !== content(saved.workbook.items[index]!.evaluation)
  );
}

/**
 * List of runs with a copy in this browser.
 * A run of another configuration can continue only under that configuration.
 */
function InterruptedRuns({ autosave, config, onContinue }: {
  readonly autosave: Autosave;
  readonly config: RunConfig;
  readonly onContinue: (run: SavedSession) => void;
}) {
  const texts = textsOf(config);
  const [runs, setRuns] = useState<readonly SavedSession[]>([]);
  const ownConfig = useMemo(() => configHash(config), [config]);
  const list = async () => setRuns(await autosave.list());
  const discard = async ({ runId, fileName }: SavedSession) => {
    if (!confirm(texts("discardAsk", { name: fileName }))) return;
    await autosave.discard(runId);
    await list();
  };
  useEffect(() => void list(), [autosave]);
  if (runs.length === 0) return null;
  const action = (run: SavedSession, verb: string, act: (run: SavedSession) => void) => (
    <button
      type="button"
      aria-label={`${verb} ${run.fileName}`}
      onClick={() => act(run)}
    >
      {verb}
    </button>
  );
  return (
    <section class="card" aria-labelledby="interrupted-title">
      <h2 id="interrupted-title">{texts("keptWork")}</h2>
      <ul class="runs">
        {runs.map((run) => (
          <li key={run.runId}>
            <div>
              <strong>{run.fileName}</strong>
              <span>{doneWords(run.workbook, texts)}, {momentWords(run.savedAt, texts)}</span>
            </div>
            {run.configSha256 === ownConfig
              ? action(run, texts("continue"), onContinue)
              : <span class="fine">{texts("needsSettings")}</span>}
            {action(run, texts("discard"), discard)}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Question to the rater when the file and the browser's copy differ. */
function RecoveryOffer({ opened, saved, onFile, onSaved, onCancel }: {
  readonly opened: Extract<Opening, { readonly kind: "opened" }>;
  readonly saved: SavedSession;
  readonly onFile: () => void;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}) {
  const texts = textsOf(opened.config);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const further = aheadOf(saved, opened);
  const [copy, file] = further ? ["primary", ""] : ["", "primary"];
  const ahead = texts(further ? "copyAhead" : "fileAhead");
  const copyState = {
    at: momentWords(saved.savedAt, texts),
    done: doneWords(saved.workbook, texts),
  };
  const written = {
    name: opened.fileName,
    at: momentWords(opened.writtenAt, texts),
    done: doneWords(opened.workbook, texts),
  };
  return (
    <section class="card" aria-labelledby="recovery-title">
      <h2 id="recovery-title" ref={heading} tabIndex={-1}>
        {texts("otherWork")}
      </h2>
      <p>
        {texts("closedTab")} {isFresh(opened.workbook) ? texts("fileFresh") : ahead}
      </p>
      <div class="choices">
        <button type="button" class={copy} onClick={onSaved}>
          <strong>{texts("goOnCopy")}</strong>
          <span>{texts("copyKept", copyState)}</span>
        </button>
        <button type="button" class={file} onClick={onFile}>
          <strong>{texts("goOnFile")}</strong>
          <span>{texts("fileWritten", written)}</span>
        </button>
      </div>
      <p class="fine">
        {texts("copyReplaced")}{" "}
        <button type="button" class="link" onClick={onCancel}>{texts("openNeither")}</button>
      </p>
    </section>
  );
}
