import { inviteUser, roleLabels } from '../../operations/users/people/create-account.ts';
import { listUsers } from '../../operations/users/people/list-users.ts';
import { Action } from '../components/operation-form.tsx';
import { PersonActions } from '../components/person-actions.tsx';
import { mainAccountLabels } from '../labels.ts';
import { listPage } from '../list.tsx';
import type { DashboardContext } from '../page.ts';

/** The company's people; only its main account changes them. */
export const people = listPage('People', listUsers, ({ t, person }: DashboardContext) => ({
  given: { companyId: person.company.id },
  intro: person.isMain ? (
    <Action operation={inviteUser} href="/dashboard/people/invite" />
  ) : (
    <p>{t(mainAccountLabels.people)}</p>
  ),
  none: null,
  rowName: 'email',
  cells: { role: ({ role }) => t(roleLabels[role]), locked: null },
  actions: person.isMain
    ? ({ email, role }) => (
        <>{role === 'sub' && <PersonActions people="colleagues" list="/dashboard/people" email={email} />}</>
      )
    : undefined,
}));
