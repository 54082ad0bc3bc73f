import { hasEnded, showCredential } from '../../../operations/credentials/list-credentials.ts';
import { revokeCredential } from '../../../operations/credentials/revoke-credential.ts';
import { maskedSecret } from '../../components/credential-table.tsx';
import { PostForm } from '../../components/form.tsx';
import { type DashboardContext, type PageAnswer, page, redirect } from '../../page.ts';
import { credentialIn } from './replace.tsx';

const list = '/dashboard/credentials';

/** Asks for confirmation: a revoked credential cannot be restored. */
export async function showRevoke(ctx: DashboardContext): Promise<PageAnswer> {
  const credential = await showCredential(ctx, credentialIn(ctx));
  const { id, label, environment, access, state } = credential;
  const { companyCredentials: texts, environments, credentials } = ctx.texts;
  if (hasEnded(state)) return redirect(list, texts.ended(label));
  return page(
    texts.revokeTitle,
    <article class="narrow">
      <h1>{texts.revokeHeading(label)}</h1>
      <p>
        {texts.revokeExplanation(
          <code>{maskedSecret(credential)}</code>,
          environments[environment].lower,
          credentials.accessLower[access],
        )}
      </p>
      <PostForm action={`${list}/${id}/revoke`}>
        <button type="submit">{credentials.revoke}</button>
      </PostForm>
      <a href={list}>{texts.cancel}</a>
    </article>,
  );
}

export async function revoke(ctx: DashboardContext): Promise<PageAnswer> {
  await revokeCredential(ctx, credentialIn(ctx));
  return redirect(list, ctx.texts.companyCredentials.revoked);
}
