import type { ListedCredential } from '../../../operations/credentials/list-credentials.ts';
import { listCredentials } from '../../../operations/credentials/list-credentials.ts';
import { CredentialTable, searchedCredentials } from '../../components/credential-table.tsx';
import { FilterForm } from '../../components/form.tsx';
import { SearchFields, searchIn } from '../../components/list-search.tsx';
import { Instant, VisuallyHidden } from '../../components/text.tsx';
import { type DashboardContext, type PageAnswer, page } from '../../page.ts';
import { type Texts, useTexts } from '../../texts/texts.ts';

/** The company's credentials; a sub-account cannot change them. */
export async function credentials(ctx: DashboardContext): Promise<PageAnswer> {
  const { companyCredentials: texts, credentials: words, lists } = ctx.texts;
  const { isMain, company } = ctx.person;
  const all = await listCredentials(ctx, { companyId: company.id });
  const search = searchIn(ctx.query, 'credentials');
  const { valid, ended } = searchedCredentials(all, search, ctx.texts);
  return page(
    texts.title,
    <>
      <h1>{texts.title}</h1>
      <ExpiringCredentials credentials={all.valid} isMain={isMain} />
      {isMain ? (
        <p>
          <a href="/dashboard/credentials/issue" class="action">
            {texts.issue}
          </a>
        </p>
      ) : (
        <p>{texts.onlyMain}</p>
      )}
      {all.valid.length + all.ended.length > 0 && (
        <FilterForm action="/dashboard/credentials" values={search.values}>
          <SearchFields list="credentials" />
        </FilterForm>
      )}
      <h2>{texts.valid}</h2>
      {valid.length > 0 ? (
        <CredentialTable label={words.validLabel} credentials={valid} actions={isMain ? links(ctx.texts) : undefined} />
      ) : (
        <p>{search.text === undefined ? texts.noValid : lists.noneFound}</p>
      )}
      {ended.length > 0 && (
        <>
          <h2>{words.ended}</h2>
          <CredentialTable label={words.endedLabel} credentials={ended} />
        </>
      )}
    </>,
  );
}

const links =
  ({ credentials: words }: Texts) =>
  ({ id, label, lastFour }: ListedCredential) => {
    const name = <VisuallyHidden>{`${label} …${lastFour}`}</VisuallyHidden>;
    return (
      <div class="actions">
        <a href={`/dashboard/credentials/${id}/replace`}>
          {words.replace} {name}
        </a>
        <a href={`/dashboard/credentials/${id}/revoke`}>
          {words.revoke} {name}
        </a>
      </div>
    );
  };

interface ExpiringProps {
  readonly credentials: readonly ListedCredential[];
  readonly isMain: boolean;
}

/** Warns of credentials that expire within 14 days. */
export function ExpiringCredentials({ credentials: valid, isMain }: ExpiringProps) {
  const { companyCredentials: texts, environments } = useTexts();
  const expiring = valid.filter(({ state }) => state === 'expiring');
  if (expiring.length === 0) return null;
  return (
    <div class="alert">
      <p>{texts.expiring}</p>
      <ul>
        {expiring.map(({ id, label, lastFour, environment, expiresAt }) => (
          <li key={String(id)}>
            {isMain ? (
              <a href={`/dashboard/credentials/${id}/replace`}>{texts.replaceNamed(label, lastFour)}</a>
            ) : (
              label
            )}
            {`, ${environments[environment].lower}, `}
            <Instant at={expiresAt} />
          </li>
        ))}
      </ul>
    </div>
  );
}
