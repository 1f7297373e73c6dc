import { useState } from "preact/hooks";
import { formatScore, parseScore } from "../score_text.ts";
import { scoreId } from "./places.ts";

/** The number box: shows what was typed while it says the score, else the score. */
export function ScoreBox(
  { position, bucket, score, problemId, atFault, describedBy, readOnly, onScore }: {
    readonly position: number;
    /** The label of the row's bucket, said with the box's name. */
    readonly bucket: string | undefined;
    readonly score: number | string | undefined;
    readonly problemId: string | undefined;
    readonly atFault: boolean;
    readonly describedBy: string;
    readonly readOnly: boolean;
    readonly onScore: (da: number | string | undefined) => void;
  },
) {
  const [typed, setTyped] = useState("");
  return (
    <input
      type="text"
      inputMode="decimal"
      autocomplete="off"
      id={scoreId(position)}
      class="score"
      data-place="score"
      value={parseScore(typed) === score ? typed : formatScore(score)}
      readOnly={readOnly}
      aria-label={`Row ${position + 1}, ${bucket === undefined ? "" : `${bucket}, `}score`}
      aria-invalid={atFault}
      aria-describedby={problemId ? `${problemId} ${describedBy}` : describedBy}
      onInput={(event) => {
        setTyped(event.currentTarget.value);
        onScore(parseScore(event.currentTarget.value));
      }}
      onBlur={() => setTyped("")}
    />
  );
}
