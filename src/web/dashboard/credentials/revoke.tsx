import type { CompanyPerson } from '../../../auth/person.ts';
import { hasEnded, showCredential } from '../../../operations/credentials/list-credentials.ts';
import { revokeCredential } from '../../../operations/credentials/revoke-credential.ts';
import { type PageAnswer, type PageContext, page, redirect } from '../../page.ts';
import { idIn } from '../../params.ts';
import { accessNames, maskedSecret } from '../../parts/credential.ts';
import { PostForm } from '../../parts/post-form.tsx';
import { requireMain } from '../main-account.ts';

const list = '/dashboard/credentials';

function named(ctx: PageContext<CompanyPerson>) {
  requireMain(ctx, 'revoke credentials');
  return { companyId: ctx.person.company.id, credentialId: idIn(ctx.params, 'id') };
}

/** Asks once more: no other page of ours brings a revoked credential back. */
export async function showRevoke(ctx: PageContext<CompanyPerson>): Promise<PageAnswer> {
  const credential = await showCredential(ctx, named(ctx));
  const { id, label, environment, access, state } = credential;
  if (hasEnded(state)) return redirect(list, `${label} has ended already.`);
  return page(
    'Revoke a credential',
    <article class="narrow">
      <h1>{`Revoke ${label}?`}</h1>
      <p>
        <code>{maskedSecret(credential)}</code> {`(${environment}, ${accessNames[access].toLowerCase()})`} stops working
        with its next request, by REST and by MCP. This cannot be undone.
      </p>
      <PostForm action={`${list}/${id}/revoke`}>
        <button type="submit">Revoke it</button>
      </PostForm>
      <a href={list}>Keep it, back to the credentials</a>
    </article>,
  );
}

export async function revoke(ctx: PageContext<CompanyPerson>): Promise<PageAnswer> {
  await revokeCredential(ctx, named(ctx));
  return redirect(list, 'The credential is revoked.');
}
