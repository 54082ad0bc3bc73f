import { hasEnded, showCredential } from '../../../operations/credentials/list-credentials.ts';
import { revokeCredential } from '../../../operations/credentials/revoke-credential.ts';
import { accessText, maskedSecret } from '../../components/credential-table.tsx';
import { PostForm } from '../../components/form.tsx';
import { type DashboardContext, type PageAnswer, page, redirect } from '../../page.ts';
import { credentialIn } from './replace.tsx';

const list = '/dashboard/credentials';

/** Asks for confirmation: a revoked credential cannot be restored. */
export async function showRevoke(ctx: DashboardContext): Promise<PageAnswer> {
  const credential = await showCredential(ctx, credentialIn(ctx));
  const { id, label, state } = credential;
  const { t } = ctx;
  if (hasEnded(state)) return redirect(list, t('{{label}} no longer works.', { label }));
  return page(
    t('Revoke {{label}}?', { label }),
    <article class="narrow">
      <h1>{t('Revoke {{label}}?', { label })}</h1>
      <p>
        {t('{{secret}} ({{access}}) stops working with its next request, over REST and MCP. This cannot be undone.', {
          secret: <code>{maskedSecret(credential)}</code>,
          access: accessText(credential, t),
        })}
      </p>
      <PostForm action={`${list}/${id}/revoke`}>
        <button type="submit">{t('Revoke')}</button>
      </PostForm>
      <a href={list}>{t('Back to the credentials')}</a>
    </article>,
  );
}

export async function revoke(ctx: DashboardContext): Promise<PageAnswer> {
  await revokeCredential(ctx, credentialIn(ctx));
  return redirect(list, ctx.t('The credential is revoked.'));
}
