import { parentPort } from 'node:worker_threads';
import { createPurify, type Purified } from './purify.ts';
import { warmUpBody } from './warm-up.ts';

/** A body for a worker; the worker announces `number` when it begins, from then on the deadline counts. */
export interface Task {
  number: number;
  html: string;
}

export interface Begun {
  begun: number;
}

let purify = createPurify();
// Compiled code is some five times as fast: the first bodies should meet it too.
for (let round = 0; round < 4; round += 1) purify(warmUpBody);

export default function run({ number, html }: Task): Purified {
  parentPort?.postMessage({ begun: number } satisfies Begun);
  const purified = purify(html);
  // An error may have left DOMPurify or the window half-way.
  if (purified.kind === 'unparsable') purify = createPurify();
  return purified;
}
