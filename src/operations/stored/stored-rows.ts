import type * as z from 'zod';
import type { Context } from '../../context.ts';
import type { Operation } from '../../contract/document.ts';
import type { StoredAction } from '../../domain/audit-actions.ts';
import { camelCase } from '../../domain/camel-case.ts';
import type { Tenant } from '../../domain/environment.ts';
import { type ApiError, rejection } from '../../domain/errors.ts';
import { type Fields, hasVisibleCharacter, newRow } from '../../domain/field-rules.ts';
import type { FieldError } from '../../domain/message.ts';
import { type FieldsContext, refuseFields } from '../kit/api/check-fields.ts';
import type { StoredResource } from '../kit/api/stored-resource.ts';
import { findRow, type StoredRow } from '../kit/api/stored-rows-sql.ts';
import { type ChoicesOf, idField, type Shown } from '../kit/declare.ts';
import { companyId, environment, id } from '../kit/fields.ts';
import { bodyErrors, inFormNames } from '../kit/persons-body.ts';
import { referenceChoices } from '../reference/people/reference-choices.ts';

/** The field that names a row: the first required text, or otherwise the id. */
export const nameFieldOf = ({ rules }: Pick<StoredResource, 'rules'>): string =>
  [...rules].find(([, { kind, required }]) => kind === 'text' && required)?.[0] ?? 'id';

const ofTenant = { companyId: companyId(), environment: environment() };

/** A stored resource, for the operations of people. */
export class StoredRows {
  readonly resource: StoredResource;
  /** The first word of its commands, and the name of the parameter in its pages' paths. */
  readonly word: string;
  /** The input fields that name a tenant (`ofTenant`), or a row of a tenant (`ofRow`). */
  readonly ofTenant = ofTenant;
  readonly ofRow: Readonly<Record<string, z.ZodType>> & typeof ofTenant;
  readonly choices: Readonly<Record<string, ChoicesOf>>;
  readonly #idField: string;

  constructor(resource: StoredResource) {
    const { noun, rules } = resource;
    this.resource = resource;
    this.word = camelCase(noun);
    this.#idField = idField(this.word);
    this.ofRow = { [this.#idField]: id().meta({ label: 'ID' }), ...ofTenant };
    const referring = [...rules].flatMap(([field, { references }]) =>
      references ? [[`${noun}.${field}`, referenceChoices[references]] as const] : [],
    );
    this.choices = Object.fromEntries(referring);
  }

  recordedAs(verb: 'created' | 'updated' | 'deleted'): StoredAction {
    const noun: string = this.resource.noun;
    return `${noun}.${verb}` as StoredAction;
  }

  /** The name of a row for people. It is the id if the row has no name that can be seen, as a row from before its field was required. */
  nameOf = (row: StoredRow | Shown): string => {
    const { [nameFieldOf(this.resource)]: name, id }: Shown = { ...row };
    return typeof name === 'string' && hasVisibleCharacter(name) ? name : String(id);
  };

  unknown(rowId: unknown): ApiError {
    return rejection('unknown_row', `There is no ${this.resource.noun} ${rowId}.`, this.#idField);
  }

  /** Finds the row that an input names. Throws `unknown_row`. */
  async find(ctx: Context, given: object) {
    // The cast is needed: the compiler does not know a computed name.
    const { [this.#idField]: rowId, companyId, environment } = given as Shown & Tenant;
    const tenant = { companyId, environment };
    const row = await findRow(ctx.db, this.resource.table, tenant, Number(rowId));
    if (!row) throw this.unknown(rowId);
    return { tenant, row, name: this.nameOf(row) };
  }

  /** The result of changing a row, and the audit entry of the change. */
  changed(tenant: Tenant, row: StoredRow, fields?: readonly string[]) {
    const details = { id: row.id, ...(fields && { fields: [...fields] }) };
    return {
      result: { ...tenant, id: BigInt(row.id), name: this.nameOf(row) },
      audit: { environment: tenant.environment, details },
    };
  }

  /** Checks a body as the API does. Throws `invalid_input` with messages by the names of the form's fields. */
  async checked(
    ctx: Context,
    tenant: Tenant,
    operation: Operation,
    fields: Fields,
    stored: Fields = newRow(this.resource.rules),
  ) {
    const { noun, rules } = this.resource;
    const owned: FieldsContext = { ...ctx, actor: { tenant } };
    const check = (supplied: Fields, before: Fields | 'unknown', known: readonly FieldError[] = []) =>
      this.resource.checked(owned, supplied, before, known);
    try {
      const known = await bodyErrors(operation, rules, fields, ctx.today);
      if (known.length > 0) await refuseFields(rules, fields, known, stored, check);
      return await check(fields, stored);
    } catch (error) {
      throw inFormNames(error, noun, 'fields');
    }
  }
}
