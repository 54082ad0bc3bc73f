import type { ComponentChildren } from 'preact';

interface WaitingProps {
  readonly count: number;
  readonly what: string;
  readonly one: string;
  readonly many: string;
  readonly href: string;
  readonly children: ComponentChildren;
}

/** How many of something wait, with the way there: 3 jobs to review. */
export const Waiting = ({ count, what, one, many, href, children }: WaitingProps) => (
  <article>
    <h2>
      <a href={href}>{`${count} ${count === 1 ? one : many} ${what}`}</a>
    </h2>
    <p>{children}</p>
  </article>
);
