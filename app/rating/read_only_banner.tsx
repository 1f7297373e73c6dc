/** Why a second tab of the same run changes nothing. */
export function ReadOnlyBanner() {
  return (
    <p class="banner looking">
      This file is open in another tab, which has the right to change it. Here you can only look:
      close this tab, or close the other and reload this one.
    </p>
  );
}
