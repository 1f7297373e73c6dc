import type { Bucket } from "../../lib/translation/run_config.ts";

/** Horizontal radio buttons, one for each bucket, numbered by the key that chooses them. */
export function BucketChoice({ position, buckets, chosen, readOnly, onChoose }: {
  readonly position: number;
  readonly buckets: readonly Bucket[];
  readonly chosen: string | undefined;
  readonly readOnly: boolean;
  /** `byMouse`: the hand is at the mouse, so the number box may take the focus. */
  readonly onChoose: (bucket: string, byMouse: boolean) => void;
}) {
  const row = `Row ${position + 1}`;
  return (
    <div class="buckets" role="radiogroup" aria-label={`${row}, sort into`}>
      {buckets.map(({ key, label }, index) => (
        <label key={key} class="bucket">
          <input
            type="radio"
            name={`bucket-${position + 1}`}
            data-place="bucket"
            aria-label={`${row}, ${label}`}
            checked={key === chosen}
            disabled={readOnly}
            onClick={(event) => onChoose(key, isByMouse(event))}
          />
          <span>
            <kbd aria-hidden="true">{index + 1}</kbd>
            {label}
          </span>
        </label>
      ))}
    </div>
  );
}

/** Browsers report the choice of a radio button by arrow key as a click without a pointer. */
function isByMouse(event: MouseEvent): boolean {
  return (event as Partial<PointerEvent>).pointerType === "mouse" && event.detail > 0;
}
