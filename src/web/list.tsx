import type { ComponentChildren, VNode } from 'preact';
import type { Context } from '../context.ts';
import type { ListedPage, Operation } from '../operations/declare.ts';
import { type Field, fieldsOf, fromText } from '../operations/fields-of.ts';
import type { Shown } from '../operations/shown.ts';
import { Table } from './components/data-table.tsx';
import { OperationField } from './components/operation-form.tsx';
import { OlderLink, Paged, pageIn } from './components/pager.tsx';
import { FilterForm } from './components/post-form.tsx';
import { Instant } from './components/text.tsx';
import { type FieldErrors, type FieldValues, Form, tryOperation } from './form.ts';
import { type PageAnswer, type PageContext, type Person, page } from './page.ts';
import { idInQuery, type Options } from './params.ts';
import { useT } from './texts/t.ts';

type DeclaredList<F> = Operation & ((ctx: Context, given: never) => Promise<F>);

interface Filter {
  readonly fields: readonly Field[];
  readonly values: FieldValues;
  /** The values that are no defaults, for links. */
  readonly query: FieldValues;
  readonly options: Readonly<Record<string, Options>>;
  /** Whether anything but an order or a default is chosen. */
  readonly isFiltering: boolean;
}

/** A list as the query asks for it. */
export interface ReadList<F> extends Filter {
  readonly list: DeclaredList<F>;
  /** Undefined if the filter is wrong. */
  readonly found: F | undefined;
  readonly errors: FieldErrors;
  readonly isFirstPage: boolean;
}

/** Reads a declared list. `given` is what the path and the person say; the query says the rest, by the names of the fields. */
export async function readList<F>(
  ctx: PageContext<Person>,
  list: DeclaredList<F>,
  given: Shown = {},
  options: Filter['options'] = {},
): Promise<ReadList<F>> {
  const { shape } = list.input;
  const fields = fieldsOf(list.input).filter(({ name }) => !(name in given || name === 'page' || name === 'before'));
  const chosen = fields.map((field) => ({ field, text: textIn(ctx.query, field, options[field.name]) }));
  const filled = chosen.filter(({ field, text }) => text !== '' && text !== field.initial);
  const before = idInQuery(ctx.query, 'before');
  const input = {
    ...Object.fromEntries(filled.map(({ field, text }) => [field.name, fromText(field, text)])),
    ...('page' in shape && { page: pageIn(ctx.query) }),
    ...('before' in shape && { before }),
    ...given,
  };
  const values = Object.fromEntries(chosen.map(({ field, text }) => [field.name, text || String(field.initial ?? '')]));
  // The list checks its input itself.
  const read = () => list(ctx, input as never);
  const { result: found, errors = {} } = await tryOperation({ ...ctx, form: new Form({ body: values }) }, read);
  return {
    list,
    fields,
    options,
    values,
    query: Object.fromEntries(filled.map(({ field, text }) => [field.name, text])),
    isFiltering: filled.some(({ field }) => field.initial === undefined),
    found,
    errors,
    isFirstPage: before === undefined,
  };
}

/** A choice that is none of its values counts as empty. */
function textIn(query: URLSearchParams, { name, values }: Field, options?: Options): string {
  const text = query.get(name)?.trim() ?? '';
  const choices = options?.map(([value]) => value) ?? (values.length > 0 ? values : [text]);
  return choices.includes(text) ? text : '';
}

type RowOf<F> = F extends ListedPage<infer Row> ? Row : never;

/** How columns are shown that are more than their value; null leaves one out. */
export type Cells<F> = { readonly [Name in keyof RowOf<F>]?: ((row: RowOf<F>) => ComponentChildren) | null };

interface ListProps<F> {
  readonly label: string;
  readonly read: ReadList<F>;
  /** Why it is empty if nothing is filtered. */
  readonly none: ComponentChildren;
  /** The column that names a row. */
  readonly rowName: string & keyof RowOf<F>;
  readonly cells?: Cells<F>;
  /** What the reader can do with a row. */
  readonly actions?: (row: RowOf<F>) => VNode;
}

/** A declared list: its filter, its columns, and links to its other pages. */
export function List<F extends ListedPage>({ read, label, none, rowName, cells = {}, actions }: ListProps<F>) {
  const t = useT();
  const { list, found, values, query, isFiltering, isFirstPage } = read;
  const shown = cells as Readonly<Record<string, ((row: object) => ComponentChildren) | null>>;
  const columns = Object.entries(list.columns ?? {})
    .filter(([name]) => shown[name] !== null)
    .map(([name, heading = name]) => {
      const cell = shown[name] ?? ((row: object) => <Value value={(row as Shown)[name]} />);
      return [t(heading), cell] as const;
    });
  const { items = [], page, lastPage, total = 0, next } = found ?? {};
  const table = (
    <Table
      label={label}
      rows={items}
      rowHead={t(list.columns?.[rowName] ?? rowName)}
      columns={actions ? [...columns, [t('Actions'), actions as (row: object) => VNode]] : columns}
    />
  );
  const empty = isFiltering ? t('Nothing found. Change the filter.') : none;
  if (page !== undefined && lastPage !== undefined)
    return (
      <>
        <ListFilter {...read} />
        <Paged list={{ page, lastPage, total }} none={empty} query={query}>
          <p>{t('{{count}} results', { count: total, one: '{{count}} result' })}</p>
          {table}
        </Paged>
      </>
    );
  const last = isFirstPage ? empty : t('No more entries.');
  const older = values.sort === 'oldest' ? t('Newer entries') : t('Older entries');
  return (
    <>
      <ListFilter {...read} />
      {items.length > 0 && table}
      {found && items.length === 0 && <p>{next ? t('Nothing found so far. There are more.') : last}</p>}
      <OlderLink next={next} query={query} text={older} />
    </>
  );
}

/** A page that is one list. */
export const listPage = <F extends ListedPage>(
  title: string,
  read: ReadList<F>,
  { intro, ...list }: Omit<ListProps<F>, 'read' | 'label'> & { readonly intro?: ComponentChildren },
): PageAnswer =>
  page(
    title,
    <>
      <h1>{title}</h1>
      {intro}
      <List label={title} read={read} {...list} />
    </>,
    read.errors,
  );

function Value({ value }: { readonly value: unknown }) {
  const t = useT();
  if (value instanceof Date) return <Instant at={value} />;
  if (typeof value === 'boolean') return <>{value ? t('Yes') : t('No')}</>;
  return <>{value === null || value === undefined ? '–' : String(value)}</>;
}

/** How many fields are on the line above the table. */
const fieldsOnLine = 4;

function ListFilter({ fields, values, query, options, errors }: Filter & { readonly errors: FieldErrors }) {
  const t = useT();
  const controls = fields.map((field) => (
    <OperationField key={field.name} field={field} texts={[]} options={options[field.name]} none={t('All')} />
  ));
  const isUsed = fields.slice(fieldsOnLine).some(({ name }) => name in query);
  return (
    controls.length > 0 && (
      <FilterForm values={values} errors={errors}>
        {controls.slice(0, fieldsOnLine)}
        {controls.length > fieldsOnLine && (
          <details open={isUsed}>
            <summary>{t('More filters')}</summary>
            {controls.slice(fieldsOnLine)}
          </details>
        )}
      </FilterForm>
    )
  );
}
