/** Why a second tab of the same run changes nothing, and the way on once it could. */
export function ReadOnlyBanner({ takeOver }: {
  /** Undefined while another tab has the run. */
  readonly takeOver: (() => void) | undefined;
}) {
  return (
    <div class="banner looking" role="status">
      {takeOver
        ? (
          <>
            <span>The other tab with this file is closed.</span>
            <button type="button" onClick={takeOver}>Rate here now</button>
          </>
        )
        : (
          <span>
            This file is open in another tab, which has the right to change it. Here you can only
            look. To rate here, close the other tab.
          </span>
        )}
    </div>
  );
}
