import * as z from 'zod';
import { findAccounts } from '../../../auth/accounts-sql.ts';
import { findNames } from '../../../auth/actor-names-sql.ts';
import type { Context } from '../../../context.ts';
import type { ActorNames } from '../../../domain/actor.ts';
import { auditActions } from '../../../domain/audit-actions.ts';
import { companyNamed } from '../../companies/people/list-companies.ts';
import { declareList } from '../../kit/declare.ts';
import { before, choice, companyIdOrName, line, minutes, searchText, sort, spanOf } from '../../kit/fields.ts';
import { type AuditRow, listAudit as entries } from '../audit-sql.ts';

const entriesPerPage = 50;
/** How many entries a filtered page reads at most. */
const readAuditMax = 5000;

const actorKindLabels = { administrator: 'Administrators', user: 'Company accounts', operator: 'Operators' };

/** Lists the audit trail. Throws `invalid_input` for an invalid minute, or a last minute before the first. */
export const listAudit = declareList({
  acrossCompanies: true,
  command: 'audit list',
  title: 'List the audit trail',
  by: ['operator', 'administrator', 'person'],
  input: z.object({
    text: searchText().optional().meta({ hint: 'Part of a detail, such as a reason.' }),
    action: choice(auditActions).optional().meta({ label: 'Action' }),
    companyId: companyIdOrName().optional(),
    sort: sort(['newest', 'oldest']),
    actorKind: choice(['administrator', 'user', 'operator'])
      .optional()
      .meta({ label: 'Kind of actor', valueLabels: actorKindLabels }),
    actor: line(100).optional().meta({ label: 'Actor', hint: 'An e-mail address, or such as operator:ana.' }),
    ...minutes(),
    before: before(),
  }),
  items: 'entries',
  columns: {
    id: 'ID',
    at: 'Time',
    action: 'Action',
    companyId: 'Company',
    environment: 'Environment',
    actor: 'Actor',
    actorEmail: 'E-mail address',
    details: 'Details',
  },
  read: async (ctx, { companyId: named, actor, from, to, sort, before, ...filter }) => {
    const { since, until } = spanOf(ctx, from, to);
    const companyId = await companyNamed(ctx, named);
    const range = { companyId, sort, before };
    const bounds = { perPage: entriesPerPage, readMax: readAuditMax };
    const actors = actor === undefined ? undefined : await actorsAt(ctx, actor);
    const found = await entries(ctx.db, range, { ...filter, actors, from: since, until }, bounds);
    return { ...found, names: companyId === undefined ? new Map() : await namesIn(ctx, companyId, found.items) };
  },
});

/** The actors with an e-mail address, or the one that is named as the audit trail stores it. A company learns no administrator's. */
async function actorsAt({ db, actor: { kind } }: Context, text: string): Promise<string[]> {
  if (!text.includes('@')) return [text];
  const users = await findAccounts(db, 'company', text);
  const administrators = kind === 'user' ? [] : await findAccounts(db, 'administrator', text);
  return [...users.map(({ id }) => `user:${id}`), ...administrators.map(({ id }) => `administrator:${id}`)];
}

/** The details that name a credential or a person. */
export const namedDetails = { credential_id: 'credential', replaced_id: 'credential', user_id: 'user' } as const;

const namesIn = (ctx: Context, companyId: bigint, rows: readonly AuditRow[]): Promise<ActorNames> =>
  findNames(
    ctx.db,
    companyId,
    rows.flatMap(({ actor, details }) => [
      actor,
      ...Object.entries(namedDetails).map(([detail, kind]) => `${kind}:${details[detail]}`),
    ]),
  );
