import type { ComponentChildren, VNode } from 'preact';
import type { Declaration, ListedPage, Shown } from '../operations/kit/declare.ts';
import { type Field, fieldsOf, fromText } from '../operations/kit/fields.ts';
import { Table } from './components/data-table.tsx';
import { choicesOf, OperationField } from './components/operation-form.tsx';
import { FormContext } from './components/post-form.tsx';
import { Instant, LeftOut } from './components/text.tsx';
import { type FieldErrors, type FieldValues, Form, tryOperation } from './form.ts';
import {
  idInQuery,
  type Options,
  type PageAnswer,
  type PageContext,
  type Person,
  page,
  redirect,
  usePageRequest,
  useT,
} from './page.ts';
import { isolated } from './texts/isolated.ts';

interface Filter {
  readonly fields: readonly Field[];
  readonly values: FieldValues;
  /** The values that differ from the defaults, for links. */
  readonly query: FieldValues;
  /** Whether a field without a default is set. A field with one, such as the environment or the order, leaves nothing out. */
  readonly isFiltering: boolean;
  readonly options: Readonly<Record<string, Options>>;
}

/** Reads a list's filter from the query. Its values are keyed by field name. */
export function filterIn(query: URLSearchParams, fields: readonly Field[], options: Filter['options']) {
  const chosen = fields.map((field) => ({ field, text: textIn(query, field, options[field.name]) }));
  const filled = chosen.filter(({ field, text }) => text !== '' && text !== field.initial);
  return {
    fields,
    options,
    values: Object.fromEntries(chosen.map(({ field, text }) => [field.name, text || String(field.initial ?? '')])),
    query: Object.fromEntries(filled.map(({ field, text }) => [field.name, text])),
    input: Object.fromEntries(filled.map(({ field, text }) => [field.name, fromText(field, text)])),
    isFiltering: filled.some(({ field }) => field.initial === undefined),
  };
}

/** The page number in a query; 1 by default. */
function pageIn(query: URLSearchParams): number {
  const text = query.get('page') ?? '';
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}

/** The text of a field in the query. A text that is not among the field's choices counts as empty. */
function textIn(query: URLSearchParams, { name, values }: Field, options?: Options): string {
  const text = query.get(name)?.trim() ?? '';
  const choices = options?.map(([value]) => value) ?? (values.length > 0 ? values : [text]);
  return choices.includes(text) ? text : '';
}

type RowOf<F> = F extends ListedPage<infer Row> ? Row : never;

/** Custom cells. A cell may use the rest of the result; null leaves a column out. */
export type Cells<Row, F = unknown> = {
  readonly [Name in keyof Row]?: ((row: Row, found: F) => ComponentChildren) | null;
};

interface RowsProps<F> {
  readonly label: string;
  /** The column that names a row. */
  readonly rowName: string & keyof RowOf<F>;
  readonly cells?: Cells<RowOf<F>, F>;
  /** The reader's actions on a row. */
  readonly actions?: ((row: RowOf<F>) => VNode) | undefined;
}

/** Shows rows of a declared list as a table with the list's columns. */
export function Rows<F extends ListedPage>({
  list: { columns = {} },
  found,
  label,
  rowName,
  cells = {},
  actions,
}: RowsProps<F> & { readonly list: Pick<Declaration, 'columns'>; readonly found: F }) {
  const t = useT();
  // The column that names a row comes first.
  const shown = Object.entries({ [rowName]: '', ...columns }).flatMap(([name, heading = name]) => {
    const cell = cells[name as keyof RowOf<F>];
    const shownIn = (row: RowOf<F>) => (cell ? cell(row, found) : <Value value={(row as Shown)[name]} />);
    return cell === null ? [] : [[t(heading), shownIn] as const];
  });
  const acted = actions && ((row: RowOf<F>) => <div class="actions">{actions(row)}</div>);
  return (
    <Table
      label={label}
      rows={found.items as readonly RowOf<F>[]}
      rowHead={t(columns[rowName] ?? rowName)}
      columns={acted ? [...shown, [t('Actions'), acted]] : shown}
    />
  );
}

/** The text of a link, and the query of its page. */
type PageLink = readonly [text: string, query: FieldValues] | false | undefined;

interface PagerProps {
  readonly label: string;
  readonly prev?: PageLink;
  readonly next: PageLink;
  /** The list's address, if not this page's. */
  readonly path?: string;
  readonly children?: ComponentChildren;
}

/** Links to the previous and the next page of a list, if there are any. */
export function Pager({ label, prev, next, path, children }: PagerProps) {
  const { path: here } = usePageRequest();
  const link = (to: PageLink, rel: string) =>
    to && (
      <a href={`${path ?? here}?${new URLSearchParams(to[1])}`} rel={rel}>
        {to[0]}
      </a>
    );
  return (
    (prev || next) && (
      <nav aria-label={label} class="pager">
        {link(prev, 'prev')}
        {children}
        {link(next, 'next')}
      </nav>
    )
  );
}

/** A row that another list has: its path, its name, and the words for where it is. */
interface Elsewhere {
  readonly path: string;
  readonly name: string;
  readonly place: string;
}

interface ListProps<F> extends Omit<RowsProps<F>, 'label'> {
  /** The input that comes from the path and the person. The rest is read from the query. */
  readonly given?: Shown;
  readonly options?: Filter['options'];
  /** Shown if the list is empty without a filter. */
  readonly none: ComponentChildren;
  /** Returns the path of a suggested entry, whose name is similar to the searched text. */
  readonly nearPath?: (id: bigint) => string;
  /** Finds the one row that has the searched text as its ID outside of what the list shows. Called if the list found nothing. */
  readonly elsewhere?: (id: string) => Promise<Elsewhere | undefined>;
  /** Content above the filter. */
  readonly intro?: ComponentChildren | ((found: F) => ComponentChildren);
  /** Content below the rows, such as a form about them. A refused form is shown even if no rows are left. */
  readonly outro?: ComponentChildren | ((found: F) => ComponentChildren);
  /** The path to redirect to instead of showing the list. */
  readonly opens?: (found: F) => string | undefined;
  /** The path of the list's CSV file. In some lists it depends on what is found. */
  readonly filePath?: string | ((found: F, query: FieldValues) => string | undefined);
}

/**
 * A page that shows a declared list: its filter, its columns, and links to its other pages. A page past the last links back to the last
 * one.
 */
export const listPage =
  <F extends ListedPage, P extends Person>(
    titleText: string,
    list: Declaration<F>,
    shownTo: (ctx: PageContext<P>, refused: FieldErrors) => ListProps<F> | Promise<ListProps<F>>,
  ) =>
  async (ctx: PageContext<P>, refused: FieldErrors = {}): Promise<PageAnswer> => {
    const { t, query } = ctx;
    const title = t(titleText);
    const {
      given = {},
      options = {},
      none,
      nearPath,
      elsewhere,
      intro,
      outro,
      opens,
      filePath,
      ...shown
    } = await shownTo(ctx, refused);
    const { shape } = list.input;
    const fields = fieldsOf(list.input).filter(({ name }) => !(name in given || name === 'page' || name === 'before'));
    const choices = await choicesOf(ctx, list, { ...Object.fromEntries(query), ...given });
    const filter = filterIn(query, fields, { ...choices, ...options });
    const before = idInQuery(query, 'before');
    const paging = { ...('page' in shape && { page: pageIn(query) }), ...('before' in shape && { before }) };
    // The list checks its input itself.
    const read = () => list.perform(ctx, { ...filter.input, ...paging, ...given });
    const form = new Form({ body: filter.values });
    const { result: found, errors = {} } = await tryOperation({ ...ctx, form }, read);
    const opened = found && opens?.(found);
    if (opened) return redirect(opened);
    const { page: at, lastPage = 1, total, searched, searchedFrom, leftOutNodes, near = [], next } = found ?? {};
    const file = typeof filePath === 'function' ? found && filePath(found, filter.query) : filePath;
    const { length } = found?.items ?? [];
    const isPast = at !== undefined && at > lastPage;
    const empty = filter.isFiltering ? t('Nothing found. Change the filter.') : none;
    const last = before === undefined ? empty : t('No more entries.');
    const numbered = (to: number) => ({ ...filter.query, page: String(to) });
    const other = found && length === 0 ? await elsewhere?.(filter.values.text ?? '') : undefined;
    const older = filter.values.sort === 'oldest' ? t('Newer entries') : t('Older entries');
    return page(
      title,
      <>
        <h1>{title}</h1>
        {partOf(intro, found)}
        <ListFilter {...filter} errors={errors} />
        {total !== undefined && length > 0 && (
          <p>{t('{{count}} results', { count: total, one: '{{count}} result' })}</p>
        )}
        <LeftOut nodes={leftOutNodes} />
        {searched !== undefined && <p>{t(limits[searchedFrom ?? 'newest'], { searched })}</p>}
        {file !== undefined && length > 0 && (
          <p>
            <a href={addressWith(file, rowsIn(filter.query))}>{t('Export as CSV')}</a>{' '}
            <small class="text-light">{t('Newest first. Times are in UTC.')}</small>
          </p>
        )}
        {found && length > 0 && <Rows {...shown} list={list} label={title} found={found} />}
        {found && length === 0 && !isPast && <p>{next ? t('Nothing found so far. There are more.') : last}</p>}
        {other && <FoundElsewhere {...other} />}
        {nearPath && near.length > 0 && <Near near={near} pathOf={nearPath} />}
        {at !== undefined && (
          <Pager
            label={t('Pagination')}
            prev={
              isPast ? [t('Go to the last page'), numbered(lastPage)] : at > 1 && [t('Previous page'), numbered(at - 1)]
            }
            next={at < lastPage && [t('Next page'), numbered(at + 1)]}
          >
            <span>{t('Page {{page}} of {{last}}', { page: at, last: lastPage })}</span>
          </Pager>
        )}
        <Pager label={older} next={!!next && [older, { ...filter.query, before: String(next) }]} />
        {(length > 0 || Object.keys(refused).length > 0) && found && partOf(outro, found)}
      </>,
      { ...errors, ...refused },
    );
  };

/** The content above or below the rows. */
const partOf = <F,>(part: ListProps<F>['intro'], found: F | undefined): ComponentChildren =>
  typeof part === 'function' ? found && part(found) : part;

const addressWith = (path: string, query: FieldValues): string =>
  [path, new URLSearchParams(query)].filter(String).join('?');

/** What a file needs of a list's query: a file has an order of its own. */
const rowsIn = ({ sort: _, ...query }: FieldValues): FieldValues => query;

const limits = {
  newest: 'Only the newest {{searched}} are searched. There are more.',
  oldest: 'Only the oldest {{searched}} are searched. There are more.',
};

const FoundElsewhere = ({ path, name, place }: Elsewhere) => (
  <p>
    {useT()('Found {{inEnvironment}}: {{link}}', { inEnvironment: place, link: <a href={path}>{isolated(name)}</a> })}
  </p>
);

/** Suggests entries whose names are similar to the searched text. */
function Near({ near, pathOf }: Required<Pick<ListedPage, 'near'>> & { readonly pathOf: (id: bigint) => string }) {
  return (
    <>
      <h2>{useT()('Did you mean')}</h2>
      <ul>
        {near.map(({ id, name }) => (
          <li key={String(id)}>
            <a href={pathOf(id)}>{`${name} (${id})`}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

function Value({ value }: { readonly value: unknown }) {
  const t = useT();
  if (value instanceof Date) return <Instant at={value} />;
  if (typeof value === 'boolean') return <span class="bare">{value ? t('Yes') : t('No')}</span>;
  return <>{value === null || value === undefined ? '–' : String(value)}</>;
}

/** How many filter fields are always shown above the table. "More filters" has the others. */
const fieldsOnLine = 4;

function ListFilter({
  fields,
  values,
  query,
  isFiltering,
  options,
  errors,
}: Filter & { readonly errors: FieldErrors }) {
  const { t, path } = usePageRequest();
  const controls = fields.map((field) => (
    <OperationField key={field.name} field={field} options={options[field.name]} none={t('All')} />
  ));
  const kept = Object.fromEntries(
    fields.flatMap(({ name, initial }) => (initial !== undefined && query[name] ? [[name, query[name]]] : [])),
  );
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
          <button type="submit" class="secondary">
            {t('Filter')}
          </button>
          {isFiltering && <a href={addressWith(path, kept)}>{t('Clear filter')}</a>}
        </form>
      </search>
    </FormContext.Provider>
  );
}
