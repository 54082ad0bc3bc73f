import type { PasswordLink } from '../../operations/users/people/set-password.ts';
import type { PageContent, PageContext } from '../page.ts';
import { Instant, Notice } from './text.tsx';

/** The only page that shows a password link. */
export function linkPage({ origin, t }: PageContext, { email, path, endsAt }: PasswordLink, back: string): PageContent {
  const content = (
    <>
      <h1>{t('Link to set a password')}</h1>
      <Notice>{t('Copy the link now. It is shown only once.')}</Notice>
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
  return { status: 200, title: t('Link to set a password'), content };
}
