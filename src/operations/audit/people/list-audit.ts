import * as z from 'zod';
import { findAccounts } from '../../../auth/accounts-sql.ts';
import { findNames, idsOf } from '../../../auth/actor-names-sql.ts';
import type { Context } from '../../../context.ts';
import type { ActorNames } from '../../../domain/actor.ts';
import { auditActions } from '../../../domain/audit-actions.ts';
import { wordSearch } from '../../../domain/folded-text.ts';
import { companyNamed } from '../../companies/people/list-companies.ts';
import { jobTitles } from '../../jobs/people/search-jobs.ts';
import { declareList } from '../../kit/declare.ts';
import { before, choice, companyIdOrName, line, minutes, searchText, sort, spanOf } from '../../kit/fields.ts';
import { referenceNames } from '../../reference/people/reference-choices.ts';
import { type AuditRange, type AuditRow, type Detail, listAudit as entries, listMentions } from '../audit-sql.ts';

const entriesPerPage = 50;
/** The most entries that a filtered page reads. A search for a text reads fewer, because it also searches names. */
const [filteredMax, searchedMax] = [5000, 2000];

const actorKindLabels = { administrator: 'Administrators', user: 'Company accounts', operator: 'Operators' };

/** Lists the audit trail. Throws `invalid_input` for an invalid minute, or a last minute before the first. */
export const listAudit = declareList({
  acrossCompanies: true,
  command: 'audit list',
  title: 'List the audit trail',
  by: ['operator', 'administrator', 'person'],
  input: z.object({
    text: searchText().optional().meta({ hint: "Words of a detail, such as a reason, or of a job's title." }),
    action: choice(auditActions).optional().meta({ label: 'Action' }),
    companyId: companyIdOrName().optional(),
    sort: sort(['newest', 'oldest']),
    actorKind: choice(['administrator', 'user', 'operator'])
      .optional()
      .meta({ label: 'Kind of actor', valueLabels: actorKindLabels }),
    actor: line(100).optional().meta({
      label: 'Actor',
      hint: 'An e-mail address, or such as operator:ana.',
      ownHint: 'The e-mail address of one of your people.',
    }),
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
    // The trail outlives a company that was erased.
    const companyId = typeof named === 'bigint' ? named : await companyNamed(ctx, named);
    const range = { companyId, sort, before };
    const bounds = { perPage: entriesPerPage, readMax: filter.text === undefined ? filteredMax : searchedMax };
    const actors = actor === undefined ? undefined : await actorsAt(ctx, actor);
    const mentions = filter.text === undefined ? undefined : await mentionsOf(ctx, range, filter.text);
    const found = await entries(ctx.db, range, { ...filter, mentions, actors, from: since, until }, bounds);
    const names = await namesIn(ctx, found.items);
    const items = found.items.map((row) => ({ ...row, actorEmail: names.get(row.actor) ?? null }));
    return { ...found, items, names };
  },
});

/**
 * For an e-mail address, returns the actors that have it. Any other text is already an actor as the audit trail writes it, and is returned
 * unchanged. A company's person finds only company accounts.
 */
async function actorsAt({ db, actor: { kind } }: Context, text: string): Promise<string[]> {
  const isOwn = kind === 'user';
  if (!text.includes('@')) return isOwn ? [] : [text];
  const users = await findAccounts(db, 'company', text);
  const administrators = isOwn ? [] : await findAccounts(db, 'administrator', text);
  return [...users.map(({ id }) => `user:${id}`), ...administrators.map(({ id }) => `administrator:${id}`)];
}

/** The details that hold ids, and the kind of thing that each identifies. */
export const namedDetails = {
  administrator_id: 'administrator',
  category_id: 'category',
  credential_id: 'credential',
  district_ids: 'district',
  job_id: 'job',
  parent_id: 'category',
  replaced_id: 'credential',
  user_id: 'user',
} as const;
const detailsWithIds = Object.keys(namedDetails) as (keyof typeof namedDetails)[];

/** Searches the entries that a filtered page reads. Returns each detail with the id of something whose name contains the text. */
async function mentionsOf(ctx: Context, range: AuditRange, text: string): Promise<Detail[]> {
  const listed = await listMentions(ctx.db, range, detailsWithIds, searchedMax);
  const mentions = listed.map((mention) => ({
    ...mention,
    actors: keysIn(namedDetails[mention.name], JSON.parse(mention.value)),
  }));
  const names = await namesOf(ctx, mentions, text);
  const isFound = wordSearch(text);
  // namesOf returned only the job titles that contain the text.
  const found = new Set([...names].flatMap(([key, name]) => (key.startsWith('job:') || isFound(name) ? [key] : [])));
  return mentions.filter(({ actors }) => actors.some((key) => found.has(key)));
}

/** Returns the ids in a detail, written like actors: `job:5`. */
const keysIn = (kind: string, value: unknown): string[] => [value ?? []].flat().map((id) => `${kind}:${id}`);

/** Returns the names of the entries' actors, and of everything whose id is in their details. */
const namesIn = (ctx: Context, rows: readonly AuditRow[]): Promise<ActorNames> =>
  namesOf(
    ctx,
    rows.map(({ actor, details, ...row }) => ({
      ...row,
      actors: [actor, ...Object.entries(namedDetails).flatMap(([detail, kind]) => keysIn(kind, details[detail]))],
    })),
  );

/**
 * Returns the names of actors, jobs, categories and districts. With `text`, leaves out job titles that do not contain it. A company's person
 * gets no administrator's name.
 */
async function namesOf(
  ctx: Context,
  rows: readonly (Pick<AuditRow, 'companyId' | 'companyName'> & { readonly actors: readonly string[] })[],
  text?: string,
): Promise<ActorNames> {
  const all = rows.flatMap(({ actors }) => actors);
  // A company without a name has been erased, or its database node did not respond and must not be queried.
  const owned = rows.flatMap(({ companyId, companyName, actors }) =>
    companyId !== null && companyName !== null ? actors.map((actor) => ({ companyId, actor })) : [],
  );
  const people = await findNames(ctx.db, owned, ctx.actor.kind === 'user' ? [] : all);
  const jobs = await jobTitles(
    ctx,
    owned.flatMap(({ companyId, actor }) => idsOf('job', [actor]).map((id) => ({ companyId, id }))),
    text,
  );
  const reference = await referenceNames(ctx, idsOf('category', all), idsOf('district', all));
  return new Map([
    ...people,
    ...jobs.map(({ id, title }) => [`job:${id}`, title] as const),
    ...reference.map(({ key, name }) => [key, name] as const),
  ]);
}
