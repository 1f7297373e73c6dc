import type { Problem } from "../../lib/translation/workbook/read_result.ts";

/** Problems shown at first; the others are one click away. */
const AT_FIRST = 40;

/** Everything that is wrong with a file, in plain words. */
export function ProblemTable({ fileName, problems }: {
  readonly fileName: string;
  readonly problems: readonly Problem[];
}) {
  const groups = grouped(problems);
  const rest = groups.slice(AT_FIRST);
  return (
    <section class="card refused" role="alert" aria-labelledby="problems-title">
      <h2 id="problems-title">{fileName || "The file"} cannot be opened</h2>
      {isOfFile(problems) ? <p>{problems[0]!.message} Nothing was changed.</p> : (
        <>
          <p>
            {problems.length === 1 ? "One thing is wrong." : `${problems.length} things are wrong.`}
            {" "}
            Nothing was changed. Send this list to whoever gave you the file.
          </p>
          <Rows groups={groups.slice(0, AT_FIRST)} />
        </>
      )}
      {rest.length > 0 && (
        <details>
          <summary>{rest.length} more</summary>
          <Rows groups={rest} />
        </details>
      )}
    </section>
  );
}

/** Whether there is one sentence to say, of the file as a whole: a table has nothing to add. */
function isOfFile([first, ...others]: readonly Problem[]): boolean {
  return first !== undefined && others.length === 0 && first.sheet === undefined;
}

/** Problems that say the same of several rows. */
interface ProblemGroup extends Omit<Problem, "row"> {
  readonly rows: readonly number[];
}

/** Without Map.groupBy, which Safari has only since 17.4: a refusal must be shown in 17.0 too. */
function grouped(problems: readonly Problem[]): readonly ProblemGroup[] {
  const groups = new Map<string, Problem[]>();
  for (const problem of problems) {
    const { sheet, column, message } = problem;
    const saying = JSON.stringify([sheet ?? null, column ?? null, message]);
    const group = groups.get(saying);
    if (group) group.push(problem);
    else groups.set(saying, [problem]);
  }
  return [...groups.values()].map((group) => {
    const { sheet, column, message } = group[0]!;
    return { sheet, column, message, rows: group.flatMap(({ row }) => row ?? []) };
  });
}

function Rows({ groups }: { readonly groups: readonly ProblemGroup[] }) {
  return (
    <div class="problems">
      <table>
        <thead>
          <tr>
            <th scope="col">Sheet</th>
            <th scope="col">Row</th>
            <th scope="col">Column</th>
            <th scope="col">What is wrong</th>
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
