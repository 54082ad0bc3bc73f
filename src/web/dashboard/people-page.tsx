import { removeUser } from '../../operations/users/people/account.ts';
import { inviteUser, roleLabels } from '../../operations/users/people/create-account.ts';
import { listUsers } from '../../operations/users/people/list-users.ts';
import { setUserPassword } from '../../operations/users/people/set-password.ts';
import { Action } from '../components/operation-form.tsx';
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
    ? ({ email, role }) => {
        const path = `/dashboard/people/${encodeURIComponent(email)}`;
        return (
          <>
            {role === 'sub' && <Action operation={setUserPassword} href={`${path}/set-password`} row={email} />}
            {role === 'sub' && <Action operation={removeUser} href={`${path}/remove`} row={email} />}
          </>
        );
      }
    : undefined,
}));
