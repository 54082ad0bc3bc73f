import type { CompanyPerson } from '../../../auth/person.ts';
import { type CredentialList, listCredentials } from '../../../operations/credentials/list-credentials.ts';
import { type PageAnswer, type PageContext, page } from '../../page.ts';
import { Expiring } from './expiring.tsx';
import { CredentialTable } from './table.tsx';

/** A company's credentials; a sub-account sees them and may change none. */
export async function credentials(ctx: PageContext<CompanyPerson>): Promise<PageAnswer> {
  const { isMain, company } = ctx.person;
  const found = await listCredentials(ctx, { companyId: company.id });
  return page('Credentials', <Credentials {...found} isMain={isMain} />);
}

function Credentials({ valid, ended, isMain }: CredentialList & { readonly isMain: boolean }) {
  return (
    <>
      <h1>Credentials</h1>
      <Expiring credentials={valid} isMain={isMain} />
      {isMain ? (
        <p>
          <a href="/dashboard/credentials/issue" class="deed">
            Issue a credential
          </a>
        </p>
      ) : (
        <p>Only the main account of the company issues and revokes credentials.</p>
      )}
      <h2>Valid</h2>
      {valid.length > 0 ? (
        <CredentialTable label="Valid credentials" credentials={valid} isMain={isMain} />
      ) : (
        <p>There is no valid credential. A program needs one to use the API.</p>
      )}
      {ended.length > 0 && (
        <>
          <h2>Ended</h2>
          <CredentialTable label="Ended credentials" credentials={ended} isMain={false} />
        </>
      )}
    </>
  );
}
