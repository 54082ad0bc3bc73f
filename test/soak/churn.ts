import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/database/open.ts';
import { signIn } from '../faults/sign-in.ts';
import { Company } from './companies.ts';

const everyMs = 3000;
/** A minute: below the limit of failed sign-ins of one address. */
const roundsOfAMinute = 20;

/** Replaces a company a minute, and meanwhile credentials and sandboxes of others. Reports each by its name. */
export async function churn(
  deadline: number,
  store: Database,
  origin: string,
  active: Company[],
  report: (name: string, wrong: string | undefined) => void,
): Promise<void> {
  const replaceOldest = async (): Promise<void> => {
    active.push(await Company.create(store, origin));
    active.shift();
  };
  const failSignIn = async (): Promise<void> => {
    const answer = await signIn(origin, `${randomUUID()}@example.com`, 'errada').catch(({ message }: Error) => message);
    if (answer !== 'the sign-in answered 422') throw new Error(answer);
  };
  for (let round = 1; performance.now() < deadline; round++) {
    await sleep(everyMs);
    const company = active[round % active.length];
    const [name, work] = ((): [string, () => Promise<unknown> | undefined] => {
      if (round % roundsOfAMinute === 0) return ['new company', replaceOldest];
      if (round % roundsOfAMinute === 1) return ['failed sign-in', failSignIn];
      if (round % 3 === 0) return ['sandbox reset', () => company?.resetSandbox()];
      return ['new credential', () => company?.rotate()];
    })();
    await Promise.resolve(work()).then(
      () => report(name, undefined),
      (error: unknown) => report(name, `${name}: ${error}`),
    );
  }
}
