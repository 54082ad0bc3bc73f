import * as z from 'zod';
import { changedSinceRead, nothingToChange } from '../../../domain/errors.ts';
import { asSent, changesOf, type FieldRules, type Fields } from '../../../domain/field-rules.ts';
import { closedNow, requireAccess } from '../../companies/company-access.ts';
import { etagOf, type StoredResource } from '../../kit/api/stored-resource.ts';
import { deleteRow, listRows, updateRow } from '../../kit/api/stored-rows-sql.ts';
import { declare, declareList, declareShow, type Shown } from '../../kit/declare.ts';
import { environment, json, page, version } from '../../kit/fields.ts';
import { listed, perPage } from '../../kit/paging.ts';
import { recordedFor, unchanged } from '../../kit/recorded.ts';
import { nameFieldOf, StoredRows } from '../stored-rows.ts';

// The operations of people on a stored resource, with the API's checks. Changes have the summaries of the API's operations as titles.

const by = ['operator', 'main account'] as const;
const readers = ['operator', 'administrator', 'person'] as const;

/** Declares a resource's operations for commands and pages: its list, the view of one row, and the changes. */
export function peopleOf(resource: StoredResource) {
  const rows = new StoredRows(resource);
  return {
    resource,
    word: rows.word,
    nameField: nameFieldOf(resource),
    nameOf: rows.nameOf,
    list: list(rows),
    show: show(rows),
    create: create(rows),
    update: update(rows),
    remove: remove(rows),
  };
}

const list = ({ word, ofTenant, resource: { table, rules } }: StoredRows) =>
  declareList({
    command: `${word} list`,
    title: `List a company's ${table} in one environment`,
    by: readers,
    input: z.object({ ...ofTenant, environment: environment().default('production'), page: page() }),
    items: table,
    columns: { id: 'ID', ...columnsOf(rules), updated_at: 'Changed' },
    read: async (ctx, { page: at, ...tenant }) => {
      const { rows, total } = await listRows(ctx.db, table, tenant, { page: at, perPage });
      const items = rows.map((row): Shown => ({ ...row, id: BigInt(row.id) }));
      return listed(items, at, total);
    },
  });

const columnsMax = 5;

/** The headings of a list's columns: the labels of the first fields that are short enough. */
const columnsOf = (rules: StoredResource['rules']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...rules]
      .filter(([, rule]) => isShort(rule))
      .slice(0, columnsMax)
      .map(([field, { label }]) => [field, label]),
  );

const isShort = ({ kind, maxLength = 0 }: FieldRules): boolean =>
  !['html', 'list', 'object'].includes(kind) && maxLength <= 255;

const show = (rows: StoredRows) =>
  declareShow({
    command: `${rows.word} show`,
    title: `Show one of a company's ${rows.resource.table}`,
    by: readers,
    input: z.object(rows.ofRow),
    read: async (ctx, given) => {
      const { row, name } = await rows.find(ctx, given);
      return { row, name, version: etagOf(row) };
    },
    shows: ({ row, version }) => ({ [rows.resource.noun]: row, version }),
  });

/** Creates a row. Throws `environment_closed`, 403 `quota`, and `invalid_input` as for a POST. */
function create(rows: StoredRows) {
  const { resource, word, ofTenant, choices } = rows;
  const operation = resource.operationOf('post');
  const hint = 'JSON of the fields, as in POST; - is standard input.';
  return declare({
    command: `${word} create`,
    title: operation.summary,
    by,
    records: rows.recordedAs('created'),
    input: z.object({ ...ofTenant, fields: json().meta({ hint, example: `${word}.json` }) }),
    choices,
    subject: (ctx, { companyId, environment }) => closedNow(ctx, { companyId, environment }),
    run: async (ctx, { fields, ...tenant }) => {
      const kept = await rows.checked(ctx, tenant, operation, fields);
      return recordedFor(ctx, tenant.companyId, async (tx) => {
        await requireAccess(ctx, tx, tenant);
        return rows.changed(tenant, await resource.insert(tx, tenant, kept, ctx.now));
      });
    },
    done: 'Created: {{name}}.',
  });
}

/** Changes a row. Throws `environment_closed`, `unknown_row`, `changed`, and `invalid_input` as for a PATCH. */
function update(rows: StoredRows) {
  const { resource, word, ofRow, choices } = rows;
  const operation = resource.operationOf('patch');
  const hint = 'JSON of the fields to change, as in PATCH; - is standard input.';
  return declare({
    command: `${word} update`,
    title: operation.summary,
    by,
    records: rows.recordedAs('updated'),
    input: z.object({ ...ofRow, fields: json().meta({ hint, example: `${word}.json` }), version: version() }),
    choices,
    subject: async (ctx, given) => {
      const { tenant, row, name } = await rows.find(ctx, given);
      const values = { fields: asSent(resource.rules, row), version: etagOf(row) };
      return { name, values, ...(await closedNow(ctx, tenant)) };
    },
    run: async (ctx, { fields: asked, version: read, ...given }) => {
      const fields: Fields = { ...(asked as object) };
      if (Object.keys(fields).length === 0) throw nothingToChange();
      const { tenant, row } = await rows.find(ctx, given);
      if (read !== undefined && read !== etagOf(row)) throw changedSinceRead();
      const supplied = changesOf(resource.rules, row, fields);
      const changes = changesOf(
        resource.rules,
        row,
        await rows.checked(ctx, tenant, operation, supplied, asSent(resource.rules, row)),
      );
      return recordedFor(ctx, tenant.companyId, async (tx) => {
        await requireAccess(ctx, tx, tenant);
        if (Object.keys(changes).length === 0) return unchanged(rows.changed(tenant, row).result);
        const written = await updateRow(tx, resource.table, tenant, row, changes, ctx.now);
        if (!written) throw changedSinceRead();
        return rows.changed(tenant, written, Object.keys(changes));
      });
    },
    done: 'Changed: {{name}}.',
  });
}

/** Permanently deletes a row. Throws `unknown_row`. */
function remove(rows: StoredRows) {
  const { resource, word, ofRow } = rows;
  return declare({
    command: `${word} delete`,
    title: resource.operationOf('delete').summary,
    by,
    records: rows.recordedAs('deleted'),
    whileSuspended: true,
    dangerous: 'This cannot be undone.',
    input: z.object(ofRow),
    subject: async (ctx, given) => ({ name: (await rows.find(ctx, given)).name }),
    run: async (ctx, given) => {
      const { tenant, row } = await rows.find(ctx, given);
      return recordedFor(ctx, tenant.companyId, async (tx) => {
        if (!(await deleteRow(tx, resource.table, tenant, row.id, undefined))) throw rows.unknown(row.id);
        return rows.changed(tenant, row);
      });
    },
    done: 'Deleted: {{name}}.',
  });
}
