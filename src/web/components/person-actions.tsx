import { portalBase } from '../../domain/actor.ts';
import type { Declaration, Shown } from '../../operations/kit/declare.ts';
import * as accounts from '../../operations/users/people/account.ts';
import * as passwords from '../../operations/users/people/set-password.ts';
import { operationPage } from '../operation-page.tsx';
import { type Person, type Route, usePageRequest } from '../page.ts';
import type { Translate } from '../texts/language.ts';
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

/** What a company cannot do without its main account, of which it has one. Empty for a sub-account. */
const withoutMainAccount = ({ role }: Shown, t: Translate) => (
  <>
    {role === 'main' && (
      <p class="alert">
        {t(
          "This is the company's main account. Without one, the company cannot issue, replace or revoke credentials, change jobs or invite people. The credentials that it has issued keep working until they are revoked.",
        )}
      </p>
    )}
  </>
);

/** The pages of the operations on a person, below a list of people. */
export const personPages = <P extends Person>(people: People, list: string, next: string): Route<P>[] =>
  changes[people].flatMap((change: Declaration<passwords.PasswordLink>) => {
    const settings = {
      ...('password' in change.input.shape && { resultPage: linkPage }),
      ...(change.command === accounts.removeUser.command && { about: withoutMainAccount }),
    };
    return operationPage<P, passwords.PasswordLink>(`${list}/:email/${verbOf(change)}`, change, next, settings);
  });

interface PersonActionsProps {
  readonly people: People;
  readonly list: string;
  readonly email: string;
  readonly locked?: boolean;
}

/**
 * Links to the operations on a person. The link to unlock is shown only if the person is locked. Administrators cannot do these to themselves:
 * their own row links to their account.
 */
export function PersonActions({ people, list, email, locked }: PersonActionsProps) {
  const { person, t } = usePageRequest();
  if (people === 'administrators' && email === person?.email)
    return <a href={`${portalBase.administrator}/account`}>{t('Your account')}</a>;
  const path = `${list}/${encodeURIComponent(email)}`;
  const possible = changes[people].filter((change) => locked || verbOf(change) !== 'unlock');
  return (
    <>
      {possible.map((change) => (
        <Action key={change.command} operation={change} href={`${path}/${verbOf(change)}`} row={email} />
      ))}
    </>
  );
}
