import type { CompanyPerson } from '../../../auth/person.ts';
import { resetSandbox } from '../../../operations/sandbox/reset-sandbox.ts';
import { type PageAnswer, type PageContext, redirect } from '../../page.ts';
import { requireMain } from '../main-account.ts';
import { resetWord, sandboxPage } from './sandbox.tsx';

/** Only for the word itself, in capitals. */
export async function reset(ctx: PageContext<CompanyPerson>): Promise<PageAnswer> {
  requireMain(ctx, 'reset the sandbox');
  const typed = ctx.form.text('word');
  if (typed.trim() !== resetWord)
    return sandboxPage(ctx, typed, { word: `Type ${resetWord} in capital letters to reset the sandbox.` });
  const { jobs, keys } = await resetSandbox(ctx, { companyId: ctx.person.company.id });
  return redirect('/dashboard/sandbox', `The sandbox is reset: jobs deleted: ${jobs}, idempotency keys: ${keys}.`);
}
