import type { CompanyPerson } from '../../auth/page-session.ts';
import type { Context } from '../../context.ts';
import { idField, type Shown } from '../../operations/kit/declare.ts';
import { environmentLabels } from '../../operations/kit/fields.ts';
import { referenceTexts } from '../../operations/reference/people/reference-choices.ts';
import type { storedResources } from '../../operations/stored/stored-resources.ts';
import { fieldSchemas } from '../components/field-schema.ts';
import { Action } from '../components/operation-form.tsx';
import { storedEditor } from '../components/stored-form.tsx';
import { shownValue } from '../components/stored-value.tsx';
import { Facts, Instant } from '../components/text.tsx';
import { inEnvironmentLabels, rowPath, storedLabel, storedPath } from '../labels.ts';
import { listPage } from '../list.tsx';
import { operationPage } from '../operation-page.tsx';
import {
  type DashboardContext,
  environmentAsked,
  environmentIn,
  get,
  idIn,
  type Options,
  type PageAnswer,
  page,
  type Route,
} from '../page.ts';

type Stored = (typeof storedResources)[number];

/** The pages of a stored resource: the list, the page of one row, and the forms that create, change and delete a row. */
export function storedPages(stored: Stored) {
  const { resource, word, create, update, remove } = stored;
  const { table, noun, rules } = resource;
  const list = storedPath(table);
  const path = `${list}/:environment/:${word}`;
  const editing = { noun, rules, field: 'fields', previewLabel: 'Preview' };
  const inList = `${list}?environment=:environment`;
  const changes: Route<CompanyPerson>[] = [
    ...operationPage<CompanyPerson, unknown>(`${list}/create`, create, inList, {
      opens: `${list}/:environment/:${noun}`,
      editor: storedEditor({ ...editing, operation: resource.operationOf('post') }),
    }),
    ...operationPage<CompanyPerson, unknown>(`${path}/update`, update, path, {
      button: 'Save',
      editor: storedEditor({ ...editing, operation: resource.operationOf('patch') }),
    }),
    ...operationPage<CompanyPerson, unknown>(`${path}/delete`, remove, inList),
  ];
  return { reads: [get(list, rowsPage(stored)), get(path, rowPage(stored))], changes };
}

const rowsPage = (stored: Stored) =>
  listPage(storedLabel(stored.resource.table), stored.list, async (ctx: DashboardContext) => {
    const { t, person, query } = ctx;
    const { nameField: rowName } = stored;
    const { rules, table } = stored.resource;
    const environment = environmentAsked(query);
    const text = await fieldTexts(ctx, stored);
    return {
      given: { companyId: person.company.id },
      intro: person.isMain && (
        <Action operation={stored.create} href={`/dashboard${storedPath(table)}/create?environment=${environment}`} />
      ),
      none: t('None {{inEnvironment}} yet.', { inEnvironment: t(inEnvironmentLabels[environment]) }),
      rowName,
      cells: {
        ...Object.fromEntries([...rules.keys()].map((field) => [field, (row: Shown) => text(field, row) ?? '–'])),
        id: null,
        [rowName]: (row: Shown) => <a href={rowPath(table, environment, row.id)}>{stored.nameOf(row)}</a>,
        updated_at: (row: Shown) => <Instant at={new Date(String(row.updated_at))} />,
      },
    };
  });

const rowPage =
  (stored: Stored) =>
  async (ctx: DashboardContext): Promise<PageAnswer> => {
    const { t, params, person } = ctx;
    const { word, show, update, remove } = stored;
    const { table, rules } = stored.resource;
    const environment = environmentIn(params);
    const id = idIn(params, word);
    const address = rowPath(table, environment, id);
    const { row, name } = await show.perform(ctx, { companyId: person.company.id, environment, [idField(word)]: id });
    const text = await fieldTexts(ctx, stored);
    const facts = [...rules].map(([field, { label }]) => [t(label), text(field, { ...row })] as const);
    const content = (
      <>
        <h1>{name}</h1>
        <p>{t(environmentLabels[environment])}</p>
        <Facts facts={[...facts, [t('Changed'), <Instant key="changed" at={new Date(row.updated_at)} />]]} />
        {person.isMain && (
          <div class="actions">
            <Action operation={update} href={`${address}/update`} />
            <Action operation={remove} href={`${address}/delete`} />
          </div>
        )}
        <p>
          <a href={`/dashboard${storedPath(table)}?environment=${environment}`}>
            {t('Back to the list {{inEnvironment}}', { inEnvironment: t(inEnvironmentLabels[environment]) })}
          </a>
        </p>
      </>
    );
    return page(name, content);
  };

/** Returns a function that shows a field of a row. For an id of reference data, such as a category, the function shows the name. */
async function fieldTexts(ctx: Context & Pick<DashboardContext, 't'>, { resource }: Stored) {
  const { rules } = resource;
  const schemas = fieldSchemas(resource.operationOf('patch'));
  const names = new Map<string | undefined, Options>();
  // One query after the other, because a page uses one connection.
  for (const list of new Set([...rules.values()].flatMap(({ references = [] }) => references)))
    names.set(list, await referenceTexts[list](ctx));
  return (field: string, row: Shown) => {
    const { kind = 'text', references } = rules.get(field) ?? {};
    return shownValue(kind, schemas[field] ?? {}, row[field], ctx.t, names.get(references));
  };
}
