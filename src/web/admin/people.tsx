import type { Portal } from '../../domain/actor.ts';
import * as accounts from '../../operations/users/people/account.ts';
import * as passwords from '../../operations/users/people/set-password.ts';
import { Action } from '../components/operation-form.tsx';
import { Instant } from '../components/text.tsx';
import { type Doing, operationPage } from '../operation-page.tsx';
import { type AdminContext, type PageAnswer, page } from '../page.ts';

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

/** The only page that shows a password link. */
export function linkPage(
  { origin, t }: AdminContext,
  { email, path, endsAt }: passwords.PasswordLink,
  back: string,
): PageAnswer {
  const content = (
    <>
      <h1>{t('Link to set a password')}</h1>
      <p class="notice">{t('Copy the link now. It is shown only once.')}</p>
      <pre id="secret" data-copy>
        {`${origin}${path}`}
      </pre>
      <p>
        {t(
          'Give the link to {{email}} and nobody else. It works once. It expires {{at}}, or when a newer link or a new password is set.',
          {
            email: <strong>{email}</strong>,
            at: endsAt && <Instant at={endsAt} />,
          },
        )}
      </p>
      <p>
        <a href={back}>{t('Back')}</a>
      </p>
    </>
  );
  return page(t('Link to set a password'), content);
}
