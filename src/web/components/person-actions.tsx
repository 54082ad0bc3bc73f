import type { Declaration } from '../../operations/kit/declare.ts';
import * as accounts from '../../operations/users/people/account.ts';
import * as passwords from '../../operations/users/people/set-password.ts';
import { operationPage } from '../operation-page.tsx';
import type { Person, Route } from '../page.ts';
import { linkPage } from './link-page.tsx';
import { Action } from './operation-form.tsx';

const users = [passwords.setUserPassword, accounts.unlockUser, accounts.removeUser];

/** The operations on a person in each list of people. An operation's page is named after the verb of its command. */
const changes = {
  administrators: [passwords.setAdministratorPassword, accounts.unlockAdministrator, accounts.removeAdministrator],
  users,
  colleagues: users.filter(({ by }) => by.includes('main account')),
} satisfies Readonly<Record<string, readonly Declaration<passwords.PasswordLink>[]>>;

type People = keyof typeof changes;

const verbOf = ({ command }: Declaration): string => command.split(' ').at(-1) ?? '';

/** The pages of the operations on a person, below a list of people. */
export const personPages = <P extends Person>(people: People, list: string, next: string): Route<P>[] =>
  changes[people].flatMap((change: Declaration<passwords.PasswordLink>) => {
    const settings = 'password' in change.input.shape ? { resultPage: linkPage } : {};
    return operationPage<P, passwords.PasswordLink>(`${list}/:email/${verbOf(change)}`, change, next, settings);
  });

interface PersonActionsProps {
  readonly people: People;
  readonly list: string;
  readonly email: string;
  readonly locked?: boolean;
}

/** Links to the operations on a person. The link to unlock is shown only if the person is locked. */
export function PersonActions({ people, list, email, locked }: PersonActionsProps) {
  const path = `${list}/${encodeURIComponent(email)}`;
  return changes[people]
    .filter((change) => locked || verbOf(change) !== 'unlock')
    .map((change) => <Action key={change.command} operation={change} href={`${path}/${verbOf(change)}`} row={email} />);
}
