import { inTransaction } from '../../src/database/transaction.ts';
import type { Environment } from '../../src/domain/environment.ts';
import type { FieldRules } from '../../src/domain/field-rules.ts';
import type { StoredResource } from '../../src/operations/kit/api/stored-resource.ts';
import { nameFieldOf } from '../../src/operations/stored/stored-rows.ts';
import { actionContext } from './fixtures.ts';

function sampleValue({ kind, references, values: [first] = [] }: FieldRules): unknown {
  if (references) return references === 'categories' ? 303 : 13;
  const others: Partial<Record<FieldRules['kind'], unknown>> = { enum: first, boolean: true, date: '2099-01-01' };
  return others[kind] ?? (kind === 'integer' || kind === 'decimal' ? 1 : 'Exemplo');
}

/** A body of a resource that the contract stores: its fields that cannot be null. */
export const storedSample = ({ rules }: StoredResource): Record<string, unknown> =>
  Object.fromEntries([...rules].flatMap(([field, rule]) => (rule.nullable ? [] : [[field, sampleValue(rule)]])));

/** A change of that sample. */
export const storedChange = (resource: StoredResource): Record<string, unknown> => ({
  [nameFieldOf(resource)]: 'Outro exemplo',
});

/** Adds a row without a request, and returns its id. */
export async function addStored(resource: StoredResource, companyId: bigint, environment: Environment) {
  const { db, now } = actionContext();
  const tenant = { companyId, environment };
  const row = await inTransaction(db, (tx) => resource.insert(tx, tenant, storedSample(resource), now));
  return BigInt(row.id);
}
