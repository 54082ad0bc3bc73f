import { type Fault, Skipped } from './fault.ts';
import { faults } from './table.ts';

const usage = `npm run faults [-- --short] [-- NAME...]\nnames: ${faults.map(({ name }) => name).join(', ')}`;

/** Prints one line; false where a promise was broken. */
async function tryFault({ name, run }: Fault, scale: 'full' | 'short'): Promise<boolean> {
  const started = performance.now();
  try {
    const { figures, broken } = await run(scale);
    const decision = broken.length === 0 ? 'kept' : `BROKEN: ${broken.slice(0, 5).join('; ')}`;
    console.log(`${name}: ${figures}; ${((performance.now() - started) / 1000).toFixed(0)} s; ${decision}`);
    return broken.length === 0;
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    console.log(`${name}: skipped, ${error.message}`);
    return true;
  }
}

const given = process.argv.slice(2);
const wanted = given.filter((word) => word !== '--short');
const unknown = wanted.find((word) => faults.every(({ name }) => name !== word));
if (unknown) {
  console.error(`there is no fault ${unknown}\nusage: ${usage}`);
  process.exit(2);
}
for (const fault of faults) {
  if (wanted.length > 0 && !wanted.includes(fault.name)) continue;
  if (!(await tryFault(fault, given.includes('--short') ? 'short' : 'full'))) process.exitCode = 1;
}
