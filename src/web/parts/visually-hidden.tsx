import type { ComponentChildren } from 'preact';

/** Words that the place on the page says to those who see it. */
export const VisuallyHidden = ({ children }: { readonly children: ComponentChildren }) => (
  <span class="visually-hidden">{children}</span>
);
