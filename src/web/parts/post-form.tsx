import type { ComponentChildren } from 'preact';
import { useFrame } from '../frame.tsx';
import { csrfField } from '../page-session.ts';

/** The only way to write a form that changes something: it carries the session's token. */
export function PostForm({ action, children }: { readonly action: string; readonly children: ComponentChildren }) {
  const { csrfToken } = useFrame();
  if (csrfToken === undefined) return null;
  return (
    <form method="post" action={action}>
      <input type="hidden" name={csrfField} value={csrfToken()} />
      {children}
    </form>
  );
}
