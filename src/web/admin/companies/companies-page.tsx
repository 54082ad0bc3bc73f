import { createCompany } from '../../../operations/companies/create-company.ts';
import { companyStateLabels, listCompanies } from '../../../operations/companies/list-companies.ts';
import { listPlans } from '../../../operations/plans/list-plans.ts';
import { Badge, type Tone } from '../../components/badges.tsx';
import { Action } from '../../components/operation-form.tsx';
import { listPage, readList } from '../../list.tsx';
import type { AdminContext, PageAnswer } from '../../page.ts';
import { optionsOf } from '../../params.ts';
import { companyPath } from '../paths.ts';

const otherPlanLabels = { none: 'No plan', complimentary: 'Complimentary access' };

const tones: Readonly<Record<keyof typeof companyStateLabels, Tone>> = {
  waiting: 'waiting',
  closed: 'quiet',
  approved: 'good',
  suspended: 'bad',
  unverified: 'waiting',
};

/** All companies, newest first, or those that match the filter. */
export async function companies(ctx: AdminContext): Promise<PageAnswer> {
  const { t } = ctx;
  const plans = (await listPlans(ctx)).map(({ name }) => [name, name] as const);
  const read = await readList(ctx, listCompanies, {}, { plan: [...plans, ...optionsOf(otherPlanLabels, t)] });
  return listPage(t('Companies'), read, {
    intro: <Action operation={createCompany} href="/admin/companies/create" />,
    none: t('No companies yet.'),
    rowName: 'name',
    cells: {
      id: null,
      name: ({ id, name }) => <a href={companyPath(id)}>{name}</a>,
      state: ({ state }) => <Badge tone={tones[state]} text={t(companyStateLabels[state])} />,
      plan: ({ plan, complimentary }) =>
        [plan, complimentary && t('Complimentary')].filter(Boolean).join(', ') || t('None'),
      complimentary: null,
    },
  });
}
