import type { Portal } from '../../domain/actor.ts';
import * as accounts from '../../operations/users/people/account.ts';
import * as passwords from '../../operations/users/people/set-password.ts';
import { linkPage } from '../components/link-page.tsx';
import { Action } from '../components/operation-form.tsx';
import { type Doing, operationPage } from '../operation-page.tsx';

/** An administrator's operations on a person, by portal. Each page is named after its command. */
const changes: Readonly<Record<Portal, readonly Doing<passwords.PasswordLink>[]>> = {
  company: [passwords.setUserPassword, accounts.unlockUser, accounts.removeUser],
  administrator: [passwords.setAdministratorPassword, accounts.unlockAdministrator, accounts.removeAdministrator],
};
const verbOf = ({ command }: Doing<unknown>): string => command.replace(/.* /, '');

/** The pages of these operations, below a list of people. */
export const personPages = (portal: Portal, list: string, next: string) =>
  changes[portal].flatMap((change) => {
    const settings = 'password' in change.input.shape ? { resultPage: linkPage } : {};
    return operationPage(`${list}/:email/${verbOf(change)}`, change, next, settings);
  });

interface PersonActionsProps {
  readonly portal: Portal;
  readonly list: string;
  readonly email: string;
  readonly locked: boolean;
}

/** Links to them; only a person who is locked can be unlocked. */
export function PersonActions({ portal, list, email, locked }: PersonActionsProps) {
  const path = `${list}/${encodeURIComponent(email)}`;
  return changes[portal]
    .filter((change) => locked || verbOf(change) !== 'unlock')
    .map((change) => <Action key={change.command} operation={change} href={`${path}/${verbOf(change)}`} row={email} />);
}
