/** The rater's remark on a sentence as a whole. */
export function CommentBox({ text, readOnly, onInput }: {
  readonly text: string;
  readonly readOnly: boolean;
  readonly onInput: (text: string) => void;
}) {
  return (
    <label class="comment">
      <span>Comment on this sentence (optional)</span>
      <textarea
        rows={2}
        dir="auto"
        data-place="comment"
        value={text}
        readOnly={readOnly}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}
