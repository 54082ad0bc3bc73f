import { useT } from '../../texts/t.ts';

/** Says how the review queue is worked through by keyboard, with the browser's own keys for access keys. */
export function ReviewKeys() {
  const keys = { n: <kbd>N</kbd>, a: <kbd>A</kbd>, r: <kbd>R</kbd>, d: <kbd>D</kbd>, q: <kbd>Q</kbd> };
  return (
    <p class="keys">
      {useT()(
        "Keyboard, with your browser's access keys (usually Alt, or Alt and Shift): {{n}} opens the first job, {{a}} approves it, {{r}} goes to the reason for denial, {{d}} denies, {{q}} returns to the queue.",
        keys,
      )}
    </p>
  );
}
