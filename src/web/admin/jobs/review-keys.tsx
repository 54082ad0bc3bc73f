import { useTexts } from '../../texts/texts.ts';

/** Says how the review queue is worked through by keyboard. */
export const ReviewKeys = () => (
  <p class="keys">
    {useTexts().review.keys((key) => (
      <kbd>{key}</kbd>
    ))}
  </p>
);
