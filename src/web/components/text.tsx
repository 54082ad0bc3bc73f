import type { ComponentChildren } from 'preact';

export type Tone = 'good' | 'waiting' | 'bad' | 'quiet';

/** A state in one or two words. The colour only repeats what the words say. */
export const Badge = ({ tone, text }: { readonly tone: Tone; readonly text: string }) => (
  <span class={`badge ${tone}`}>{text}</span>
);

/** Text for screen readers; its place on the page says the same to everyone else. */
export const VisuallyHidden = ({ children }: { readonly children: ComponentChildren }) => (
  <span class="visually-hidden">{children}</span>
);

/** Names and values. A value that is null is left out. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== null)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
