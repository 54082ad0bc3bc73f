import type { ComponentChildren, VNode } from 'preact';
import type { Context } from '../context.ts';
import type { Declaration, ListedPage, Shown } from '../operations/declare.ts';
import { type Field, fieldsOf, fromText } from '../operations/fields.ts';
import { Table } from './components/data-table.tsx';
import { choicesOf, OperationField } from './components/operation-form.tsx';
import { FormContext } from './components/post-form.tsx';
import { Instant } from './components/text.tsx';
import { type FieldErrors, type FieldValues, Form, tryOperation } from './form.ts';
import { idInQuery, type Options, type PageAnswer, type PageContext, page, usePageRequest, useT } from './page.ts';

type DeclaredList<F> = Declaration & ((ctx: Context, given: never) => Promise<F>);

interface Filter {
  readonly fields: readonly Field[];
  readonly values: FieldValues;
  /** The values that are no defaults, for links. */
  readonly query: FieldValues;
  readonly options: Readonly<Record<string, Options>>;
  readonly errors: FieldErrors;
}

/** A list as the query asks for it. */
interface ReadList<F> extends Filter {
  readonly list: DeclaredList<F>;
  /** Undefined if the filter is wrong. */
  readonly found: F | undefined;
  /** Whether anything but an order or a default is chosen. */
  readonly isFiltering: boolean;
  readonly isFirstPage: boolean;
}

/** Reads a declared list. `given` is what the path and the person say; the query says the rest, by the names of the fields. */
export async function readList<F>(
  ctx: PageContext,
  list: DeclaredList<F>,
  given: Shown = {},
  moreOptions: Filter['options'] = {},
): Promise<ReadList<F>> {
  const { query } = ctx;
  const { shape } = list.input;
  const fields = fieldsOf(list.input).filter(({ name }) => !(name in given || name === 'page' || name === 'before'));
  const choices = await choicesOf(ctx, list, fields, { ...Object.fromEntries(query), ...given });
  const options = { ...choices, ...moreOptions };
  const chosen = fields.map((field) => ({ field, text: textIn(query, field, options[field.name]) }));
  const filled = chosen.filter(({ field, text }) => text !== '' && text !== field.initial);
  const before = idInQuery(query, 'before');
  const input = {
    ...Object.fromEntries(filled.map(({ field, text }) => [field.name, fromText(field, text)])),
    ...('page' in shape && { page: pageIn(query) }),
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

const pageMax = 1_000_000;

/** The page number in a query; 1 by default. */
function pageIn(query: URLSearchParams): number {
  const text = query.get('page') ?? '';
  return /^[1-9]\d{0,6}$/.test(text) ? Math.min(Number(text), pageMax) : 1;
}

/** A choice that is none of its values counts as empty. */
function textIn(query: URLSearchParams, { name, values }: Field, options?: Options): string {
  const text = query.get(name)?.trim() ?? '';
  const choices = options?.map(([value]) => value) ?? (values.length > 0 ? values : [text]);
  return choices.includes(text) ? text : '';
}

type RowOf<F> = F extends ListedPage<infer Row> ? Row : never;

/** How columns are shown that are more than their value; null leaves one out. */
export type Cells<Row> = { readonly [Name in keyof Row]?: ((row: Row) => ComponentChildren) | null };

interface RowsProps<Row> {
  readonly label: string;
  /** The column that names a row. */
  readonly rowName: string & keyof Row;
  readonly cells?: Cells<Row>;
  /** What the reader can do with a row. */
  readonly actions?: ((row: Row) => VNode) | undefined;
}

/** Rows of a declared list in its columns. */
export function Rows<Row extends object>({
  list: { columns = {} },
  rows,
  label,
  rowName,
  cells = {},
  actions,
}: RowsProps<Row> & { readonly list: Pick<Declaration, 'columns'>; readonly rows: readonly Row[] }) {
  const t = useT();
  // What names a row comes first.
  const shown = Object.entries({ [rowName]: '', ...columns }).flatMap(([name, heading = name]) => {
    const cell = cells[name as keyof Row];
    const plain = (row: Row) => <Value value={(row as Shown)[name]} />;
    return cell === null ? [] : [[t(heading), cell ?? plain] as const];
  });
  const acted = actions && ((row: Row) => <div class="actions">{actions(row)}</div>);
  return (
    <Table
      label={label}
      rows={rows}
      rowHead={t(columns[rowName] ?? rowName)}
      columns={acted ? [...shown, [t('Actions'), acted]] : shown}
    />
  );
}

interface ListProps<F> extends RowsProps<RowOf<F>> {
  readonly read: ReadList<F>;
  /** Why it is empty if nothing is filtered. */
  readonly none: ComponentChildren;
}

/** A declared list: its filter, its columns, and links to its other pages. A page past the last one leads back to the last. */
function List<F extends ListedPage>({ read, none, ...shown }: ListProps<F>) {
  const t = useT();
  const { list, found, values, query, isFiltering, isFirstPage } = read;
  const { page, lastPage = 1, total, searched, next } = found ?? {};
  const items = (found?.items ?? []) as readonly RowOf<F>[];
  const isPast = page !== undefined && page > lastPage;
  const empty = isFiltering ? t('Nothing found. Change the filter.') : none;
  const last = isFirstPage ? empty : t('No more entries.');
  const isEmpty = found && items.length === 0 && !isPast;
  return (
    <>
      <ListFilter {...read} />
      {total !== undefined && items.length > 0 && (
        <p>{t('{{count}} results', { count: total, one: '{{count}} result' })}</p>
      )}
      {searched !== undefined && <p>{t('Only {{searched}} were searched. There are more.', { searched })}</p>}
      {items.length > 0 && <Rows list={list} rows={items} {...shown} />}
      {isEmpty && <p>{next ? t('Nothing found so far. There are more.') : last}</p>}
      {page !== undefined && (lastPage > 1 || isPast) && <Pager page={page} lastPage={lastPage} query={query} />}
      <OlderLink next={next} query={query} text={values.sort === 'oldest' ? t('Newer entries') : t('Older entries')} />
    </>
  );
}

const queryString = (query: FieldValues): string => String(new URLSearchParams(query));

interface PagerProps {
  readonly page: number;
  readonly lastPage: number;
  readonly query: FieldValues;
}

/** Links to a page's neighbours. */
function Pager({ page, lastPage, query }: PagerProps) {
  const { path, t } = usePageRequest();
  const isPast = page > lastPage;
  const href = (to: number): string => `${path}?${queryString({ ...query, page: String(to) })}`;
  return (
    <nav aria-label={t('Pagination')} class="pager">
      {page > 1 && (
        <a href={href(isPast ? lastPage : page - 1)} rel="prev">
          {isPast ? t('Go to the last page') : t('Previous page')}
        </a>
      )}
      <span>{t('Page {{page}} of {{last}}', { page, last: lastPage })}</span>
      {page < lastPage && (
        <a href={href(page + 1)} rel="next">
          {t('Next page')}
        </a>
      )}
    </nav>
  );
}

interface OlderLinkProps {
  /** The cursor of the next page; absent on the last one. */
  readonly next: bigint | null | undefined;
  /** Such as: Older requests. */
  readonly text: string;
  readonly query?: FieldValues;
  /** Where the list is, if not on this page. */
  readonly path?: string;
}

/** Link to the entries before those on this page. */
export function OlderLink({ next, text, query = {}, path }: OlderLinkProps) {
  const { path: here } = usePageRequest();
  if (next === undefined || next === null) return null;
  return (
    <nav aria-label={text} class="pager">
      <a href={`${path ?? here}?${queryString({ ...query, before: String(next) })}`} rel="next">
        {text}
      </a>
    </nav>
  );
}

/** A page that is one list. */
export const listPage = <F extends ListedPage>(
  title: string,
  read: ReadList<F>,
  {
    intro,
    outro,
    ...list
  }: Omit<ListProps<F>, 'read' | 'label'> & { readonly intro?: ComponentChildren; readonly outro?: ComponentChildren },
): PageAnswer =>
  page(
    title,
    <>
      <h1>{title}</h1>
      {intro}
      <List label={title} read={read} {...list} />
      {outro}
    </>,
    read.errors,
  );

function Value({ value }: { readonly value: unknown }) {
  const t = useT();
  if (value instanceof Date) return <Instant at={value} />;
  if (typeof value === 'boolean') return <span class="bare">{value ? t('Yes') : t('No')}</span>;
  return <>{value === null || value === undefined ? '–' : String(value)}</>;
}

/** How many fields are on the line above the table. */
const fieldsOnLine = 4;

function ListFilter({ fields, values, query, options, errors }: Filter) {
  const t = useT();
  const controls = fields.map((field) => (
    <OperationField key={field.name} field={field} options={options[field.name]} none={t('All')} />
  ));
  const isUsed = fields.slice(fieldsOnLine).some(({ name }) => name in query);
  if (controls.length === 0) return null;
  return (
    <FormContext.Provider value={{ values, errors }}>
      <search>
        <form class="filter">
          {controls.slice(0, fieldsOnLine)}
          {controls.length > fieldsOnLine && (
            <details open={isUsed}>
              <summary>{t('More filters')}</summary>
              {controls.slice(fieldsOnLine)}
            </details>
          )}
          <button type="submit" class="secondary small">
            {t('Filter')}
          </button>
        </form>
      </search>
    </FormContext.Provider>
  );
}
