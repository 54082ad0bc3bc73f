/** A state in one or two words; the colour only repeats what they say. */
export type Tone = 'good' | 'waiting' | 'bad' | 'quiet';

export const Badge = ({ tone, text }: { readonly tone: Tone; readonly text: string }) => (
  <span class={`badge ${tone}`}>{text}</span>
);
