import type { ListedCredential } from '../../../operations/credentials/list-credentials.ts';
import { listCredentials } from '../../../operations/credentials/list-credentials.ts';
import { CredentialTable } from '../../components/credential-table.tsx';
import { Field } from '../../components/field.tsx';
import { FilterForm } from '../../components/form.tsx';
import { isMatch, searchIn } from '../../components/list-search.tsx';
import { Instant, VisuallyHidden } from '../../components/text.tsx';
import { type DashboardContext, type PageAnswer, page } from '../../page.ts';
import { type Texts, useTexts } from '../../texts/texts.ts';

/** A list of fewer needs no search. */
const shownAtOnce = 10;

/** The company's credentials; a sub-account cannot change them. */
export async function credentials(ctx: DashboardContext): Promise<PageAnswer> {
  const { companyCredentials: texts, credentials: words, lists } = ctx.texts;
  const { isMain, company } = ctx.person;
  const all = await listCredentials(ctx, { companyId: company.id });
  const text = searchIn(ctx.query);
  const [valid, ended] = [all.valid, all.ended].map((credentials) =>
    credentials.filter(({ label }) => text === undefined || isMatch(label, text)),
  ) as [ListedCredential[], ListedCredential[]];
  return page(
    texts.title,
    <>
      <h1>{texts.title}</h1>
      <ExpiringCredentials credentials={all.valid} isMain={isMain} />
      {all.valid.length + all.ended.length > shownAtOnce && (
        <FilterForm action="/dashboard/credentials" values={{ text: text ?? '' }}>
          <Field name="text" label={lists.search} type="search" />
        </FilterForm>
      )}
      {isMain ? (
        <p>
          <a href="/dashboard/credentials/issue" class="action">
            {texts.issue}
          </a>
        </p>
      ) : (
        <p>{texts.onlyMain}</p>
      )}
      <h2>{texts.valid}</h2>
      {valid.length > 0 ? (
        <CredentialTable label={words.validLabel} credentials={valid} actions={isMain ? links(ctx.texts) : undefined} />
      ) : (
        <p>{text === undefined ? texts.noValid : lists.noneFound}</p>
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
