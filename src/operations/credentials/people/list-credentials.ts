import * as z from 'zod';
import type { Context } from '../../../context.ts';
import { dayMs } from '../../../domain/dates.ts';
import { isValidCredential } from '../../../domain/eligibility.ts';
import { policy } from '../../../domain/environment.ts';
import { unknownCredential } from '../../../domain/errors.ts';
import type { CompanyRef } from '../../companies/people/change-company.ts';
import { type ChoicesOf, declareList, type Settled, type Subject } from '../../kit/declare.ts';
import { companyId, id } from '../../kit/fields.ts';
import * as queries from '../credentials-sql.ts';

export type CredentialState = 'valid' | 'replaced' | 'expiring' | 'expired' | 'revoked';
export type ListedCredential = queries.CredentialRow & { readonly state: CredentialState };

/** Lists credentials of both environments: all `valid` ones, then the latest revoked or expired ones (`ended`). Each group is newest first. */
export const listCredentials = declareList({
  command: 'credential list',
  title: "List a company's credentials, the valid ones first",
  by: ['operator', 'administrator', 'person'],
  input: z.object({ companyId: companyId() }),
  items: 'credentials',
  columns: {
    id: 'ID',
    label: 'Credential',
    lastFour: 'Ends with',
    environment: 'Environment',
    access: 'Access',
    createdAt: 'Created',
    expiresAt: 'Expires',
    lastUsedAt: 'Last used',
    state: 'State',
    replacedBy: 'Replaced by',
  },
  read: async (ctx, { companyId }) => {
    const { valid, ended } = await queries.listCredentials(ctx.db, companyId, ctx.now);
    const current = new Set(valid.map(({ id }) => id));
    const items = [...valid, ...ended].map((row): ListedCredential => {
      const state = credentialState(row, ctx.now);
      const isReplaced = !hasEnded(state) && row.replacedBy !== null && current.has(row.replacedBy);
      return { ...row, state: isReplaced ? 'replaced' : state };
    });
    return { items, valid: items.slice(0, valid.length), ended: items.slice(valid.length) };
  },
});

/** Tells credentials apart without revealing their secrets: vaga_test_…1a2b. */
export const maskedSecret = ({
  environment,
  lastFour,
}: Pick<queries.CredentialRow, 'environment' | 'lastFour'>): string => `${policy[environment].tokenPrefix}…${lastFour}`;

/** Offers the credentials of the sandbox if `environment` is `sandbox`, otherwise those of production. */
export const credentialChoices: ChoicesOf = async ({ db, now }, { companyId, environment }) => {
  const { valid, ended } = await queries.listCredentials(db, companyId as bigint, now);
  return [...valid, ...ended]
    .filter((one) => one.environment === (environment === 'sandbox' ? environment : 'production'))
    .map((one) => [String(one.id), `${one.label} ${maskedSecret(one)}`]);
};

/** The fields that name a credential. */
export const credentialFields = {
  credentialId: id().meta({ label: 'Credential' }),
  companyId: companyId().optional().meta({ hint: 'Without it, the credentials of all companies are searched.' }),
};

interface CredentialRef {
  readonly credentialId: bigint;
  readonly companyId?: bigint | undefined;
}

/** Returns a credential's id and company. Without `companyId`, searches the credentials of all companies. Throws `unknown_credential`. */
export async function locateCredential(
  ctx: Context,
  { credentialId, companyId }: CredentialRef,
): Promise<Required<CredentialRef> & CompanyRef> {
  const owner = companyId ?? (await queries.findCredentialOwner(ctx.db, credentialId));
  if (owner === undefined) throw unknownCredential(credentialId);
  return { companyId: owner, credentialId };
}

/** Says that a credential has ended, so that nothing about it can change. */
export const noLonger = ({ label }: Pick<queries.CredentialRow, 'label'>): Settled => ({
  text: '{{label}} no longer works.',
  params: { label },
});

/** The subject of a form about a credential. */
export async function ofCredential(ctx: Context, ref: CredentialRef): Promise<Subject> {
  const { companyId, credentialId } = await locateCredential(ctx, ref);
  const row = await queries.findCredential(ctx.db, companyId, credentialId);
  if (!row) throw unknownCredential(credentialId);
  const { label, lastFour } = row;
  const hasNothing = hasEnded(credentialState(row, ctx.now));
  return {
    name: `${label} …${lastFour}`,
    values: row,
    ...(hasNothing && { settled: noLonger(row) }),
  };
}

export const warnedDays = 14;

/** `expiring`: valid for at most `warnedDays`. Never returns `replaced`, which depends on a second credential: see `listCredentials`. */
export function credentialState(row: queries.CredentialRow, now: Date): CredentialState {
  if (!isValidCredential(row, now)) return row.revokedAt ? 'revoked' : 'expired';
  return row.expiresAt.getTime() - now.getTime() <= warnedDays * dayMs ? 'expiring' : 'valid';
}

/** Whether a credential is revoked or expired. */
export const hasEnded = (state: CredentialState): boolean => state === 'revoked' || state === 'expired';
