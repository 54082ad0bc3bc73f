import { showCompany } from '../../../operations/companies/show-company.ts';
import { type CredentialList, listCredentials } from '../../../operations/credentials/list-credentials.ts';
import { listUsers } from '../../../operations/people/list-users.ts';
import { listPlans } from '../../../operations/plans/list-plans.ts';
import { listAllDistricts } from '../../../operations/reference/list-reference.ts';
import { CredentialTable, searchedCredentials } from '../../components/credential-table.tsx';
import { FilterForm, FormErrors, PostForm } from '../../components/form.tsx';
import { type ListSearch, SearchFields, type Sort, searchIn } from '../../components/list-search.tsx';
import { Table } from '../../components/table.tsx';
import { Instant, VisuallyHidden } from '../../components/text.tsx';
import type { FieldErrors } from '../../form.ts';
import { type AdminContext, type PageAnswer, page } from '../../page.ts';
import { idIn } from '../../params.ts';
import { useTexts } from '../../texts/texts.ts';
import { companyJobsPath, companyPath } from '../paths.ts';
import { Access } from './access.tsx';
import { type Company, GrantForm, PlanForm, RegionsForm } from './company-forms.tsx';

export const company = (ctx: AdminContext): Promise<PageAnswer> => companyPage(ctx, {});

/** One company with everything that an administrator decides about it. `errors` are those of a refused form. */
export async function companyPage(ctx: AdminContext, errors: FieldErrors): Promise<PageAnswer> {
  const companyId = idIn(ctx.params, 'company');
  const [credentialSearch, peopleSearch] = [
    searchIn(ctx.query, 'credentials'),
    searchIn(ctx.query, 'people', peoplePrefix),
  ];
  const [shown, plans, districts, credentials, { items: users }] = await Promise.all([
    showCompany(ctx, { companyId }),
    listPlans(ctx),
    listAllDistricts(ctx),
    listCredentials(ctx, { companyId }),
    listUsers(ctx, { companyId, ...peopleSearch }),
  ]);
  const submitted = Object.keys(errors).length > 0 ? ctx.form : undefined;
  const form = { company: shown, submitted, errors };
  const content = (
    <>
      <h1>{shown.name}</h1>
      <FormErrors errors={errors} />
      <Access company={shown} />
      <PlanForm {...form} plans={plans} />
      <GrantForm {...form} />
      <RegionsForm {...form} districts={districts} />
      <Credentials path={companyPath(companyId)} credentials={credentials} search={credentialSearch} />
      <Jobs company={shown} />
      <People path={companyPath(companyId)} users={users} search={peopleSearch} />
    </>
  );
  return page(shown.name, content, errors);
}

interface CredentialsProps {
  readonly path: string;
  readonly credentials: CredentialList;
  readonly search: ListSearch<Sort<'credentials'>>;
}

function Credentials({ path, credentials, search }: CredentialsProps) {
  const texts = useTexts();
  const { company: own, credentials: words, lists } = texts;
  const { valid, ended } = searchedCredentials(credentials, search, texts);
  return (
    <>
      <h2 id="credentials">{own.credentials}</h2>
      {credentials.valid.length + credentials.ended.length > 0 && (
        <FilterForm action={`${path}#credentials`} label={own.credentials} values={search.values}>
          <SearchFields list="credentials" />
        </FilterForm>
      )}
      {valid.length === 0 ? (
        <p>{search.text === undefined ? own.noCredentials : lists.noneFound}</p>
      ) : (
        <CredentialTable
          label={words.validLabel}
          credentials={valid}
          actions={({ id, label, lastFour }) => (
            <PostForm action={`${path}/credentials/${id}/revoke`}>
              <button type="submit" class="secondary small">
                {words.revoke} <VisuallyHidden>{`${label} …${lastFour}`}</VisuallyHidden>
              </button>
            </PostForm>
          )}
        />
      )}
      {ended.length > 0 && (
        <>
          <h3>{words.ended}</h3>
          <CredentialTable label={words.endedLabel} credentials={ended} />
        </>
      )}
    </>
  );
}

const peoplePrefix = 'people-';

interface PeopleProps {
  readonly path: string;
  readonly users: Awaited<ReturnType<typeof listUsers>>['items'];
  readonly search: ListSearch<Sort<'people'>>;
}

function People({ path, users, search }: PeopleProps) {
  const { company: texts, lists } = useTexts();
  const { columns } = texts;
  if (users.length === 0 && search.text === undefined)
    return (
      <>
        <h2>{texts.people}</h2>
        <p>{texts.noPeople}</p>
      </>
    );
  return (
    <>
      <h2 id="people">{texts.people}</h2>
      <FilterForm action={`${path}#people`} label={texts.people} values={search.values}>
        <SearchFields list="people" prefix={peoplePrefix} />
      </FilterForm>
      {users.length === 0 && <p>{lists.noneFound}</p>}
      <Table
        label={texts.people}
        rows={users}
        rowHead={columns.email}
        columns={[
          [columns.email, ({ email }) => email],
          [columns.role, ({ role }) => texts.roles[role]],
          [columns.created, ({ createdAt }) => <Instant at={createdAt} />],
        ]}
      />
    </>
  );
}

function Jobs({ company: { id: companyId, jobs } }: { readonly company: Company }) {
  const { company: texts, environments, statuses } = useTexts();
  return (
    <>
      <h2>{texts.jobs}</h2>
      <ul>
        {(['production', 'sandbox'] as const).map((environment) => {
          const counts = jobs.filter((count) => count.environment === environment);
          const shown = counts.map((count) => {
            const { name, several } = statuses[count.status];
            return texts.jobCount(count.jobs, count.jobs === 1 ? name.toLowerCase() : several);
          });
          return (
            <li key={environment}>
              <a href={companyJobsPath({ companyId, environment })}>{texts.jobsIn(environments[environment].lower)}</a>
              {`: ${shown.join(', ') || texts.noJobs}`}
            </li>
          );
        })}
      </ul>
    </>
  );
}
