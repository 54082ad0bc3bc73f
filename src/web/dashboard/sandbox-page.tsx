import { resetSandbox, showSandbox } from '../../operations/companies/people/reset-sandbox.ts';
import { Quota } from '../components/access.tsx';
import type { FieldErrors } from '../form.ts';
import { mainAccountLabels } from '../labels.ts';
import { operationForm } from '../operation-page.tsx';
import { type DashboardContext, type PageAnswer, page } from '../page.ts';

/** The page with the form that resets the sandbox. */
export async function sandbox(ctx: DashboardContext, errors?: FieldErrors): Promise<PageAnswer> {
  const { t } = ctx;
  const { company, isMain } = ctx.person;
  const { used, capacity } = await showSandbox(ctx, { companyId: company.id });
  const content = (
    <>
      <h1>{t('Sandbox')}</h1>
      <article class="narrow">
        <Quota id="usage" used={used} limit={capacity} period={null} allowance="sandbox" />
      </article>
      {isMain ? (
        <article class="narrow">
          <h2>{t('Reset')}</h2>
          {await operationForm(ctx, reset, errors)}
        </article>
      ) : (
        <p>{t(mainAccountLabels.sandbox)}</p>
      )}
    </>
  );
  return page(t('Sandbox'), content, errors);
}

export const reset = { operation: resetSandbox, path: '/sandbox/reset', next: '/sandbox', form: sandbox };
