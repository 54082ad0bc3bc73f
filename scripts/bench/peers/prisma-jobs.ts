import { type Job, Prisma } from '../../../generated/prisma/client.ts';
import type { Schemas } from '../../../src/contract/types.ts';
import { jobColumns } from './job-columns.ts';

export type Caller = Prisma.CredentialGetPayload<{ include: { company: true } }>;
type Row = Readonly<Record<string, unknown>>;

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const fields = Object.entries(jobColumns).map(([name, type]) => ({ name, type, key: camelCase(name) }));

/** The supplied fields, as Prisma writes them. */
export function rowOf(input: Schemas['JobPatch']): Partial<Prisma.JobUncheckedCreateInput> {
  const row: Record<string, unknown> = {};
  for (const { name, type, key } of fields) {
    const value = (input as Row)[name];
    if (value === undefined) continue;
    if (value === null) row[key] = type === 'jsonb' ? Prisma.DbNull : null;
    else row[key] = type === 'date' ? new Date(String(value)) : value;
  }
  return row;
}

/** The job as the contract shows it. */
export function present(job: Job, { company }: Caller): Row {
  const shown: Record<string, unknown> = {
    id: Number(job.id),
    company_name: job.isAnonymous ? null : company.name,
    status: job.status,
    is_active: job.status === 'active',
    is_anonymous: job.isAnonymous,
    created_at: job.createdAt.toISOString(),
    updated_at: job.updatedAt.toISOString(),
  };
  for (const { name, type, key } of fields) {
    const value = (job as Row)[key];
    if (value instanceof Date) shown[name] = value.toISOString().slice(0, 10);
    else shown[name] = type === 'numeric' && value !== null ? (value as Prisma.Decimal).toFixed(2) : value;
  }
  return shown;
}
