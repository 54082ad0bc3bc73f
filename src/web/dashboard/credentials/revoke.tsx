import { hasEnded, showCredential } from '../../../operations/credentials/list-credentials.ts';
import { revokeCredential } from '../../../operations/credentials/revoke-credential.ts';
import { accessNames, maskedSecret } from '../../components/credential-table.tsx';
import { PostForm } from '../../components/form.tsx';
import { type DashboardContext, type PageAnswer, page, redirect } from '../../page.ts';
import { credentialIn } from './replace.tsx';

const list = '/dashboard/credentials';

/** Asks for confirmation: a revoked credential cannot be restored. */
export async function showRevoke(ctx: DashboardContext): Promise<PageAnswer> {
  const credential = await showCredential(ctx, credentialIn(ctx));
  const { id, label, environment, access, state } = credential;
  if (hasEnded(state)) return redirect(list, `${label} no longer works.`);
  return page(
    'Revoke a credential',
    <article class="narrow">
      <h1>{`Revoke ${label}?`}</h1>
      <p>
        <code>{maskedSecret(credential)}</code> {`(${environment}, ${accessNames[access].toLowerCase()})`} stops working
        with its next request, over REST and MCP. This cannot be undone.
      </p>
      <PostForm action={`${list}/${id}/revoke`}>
        <button type="submit">Revoke</button>
      </PostForm>
      <a href={list}>Cancel and go back to the credentials</a>
    </article>,
  );
}

export async function revoke(ctx: DashboardContext): Promise<PageAnswer> {
  await revokeCredential(ctx, credentialIn(ctx));
  return redirect(list, 'The credential is revoked.');
}
