import type { Context } from '../../context.ts';
import { operations } from '../../contract/document.ts';
import { policy } from '../../domain/environment.ts';
import type { Message } from '../../domain/message.ts';
import { type CredentialRow, listCredentials } from '../credentials/credentials-sql.ts';
import { listPlans } from '../plans/plans-sql.ts';
import { listCategoryTree, listDistricts } from '../reference/reference-sql.ts';

type Given = Readonly<Record<string, unknown>>;

/** The choices of a field: a value, and a name to show unchanged or a text to translate. */
export type Choices = readonly (readonly [value: string, label: string | Message])[];

const named = (rows: readonly { readonly id: number; readonly name: string }[]): Choices =>
  rows.map(({ id, name }) => [String(id), name]);

const plans = async ({ db }: Context): Promise<Choices> => (await listPlans(db)).map(({ name }) => [name, name]);

/** The choices by the name that a field uses for them. `given` is the known part of the input. */
export const choices = {
  plans,
  currentPlans: async (ctx: Context) => [
    ...(await plans(ctx)),
    ['none', { text: 'No plan' }] as const,
    ['complimentary', { text: 'Complimentary access' }] as const,
  ],
  /** The categories that accept jobs. */
  categories: async ({ db }: Context) =>
    (await listCategoryTree(db))
      .filter(({ active }) => active)
      .flatMap(({ name: area, children }) =>
        named(children.filter(({ active }) => active)).map(([id, name]) => [id, `${area}: ${name}`] as const),
      ),
  districts: async ({ db }: Context) => named(await listDistricts(db)),
  mainAreas: async ({ db }: Context) => named(await listCategoryTree(db)),
  operations: async () => [...operations.keys()].sort().map((name) => [name, name] as const),
  /** The choices of one environment. */
  credentials: async ({ db, now }: Context, { companyId, environment }: Given) => {
    const { valid, ended } = await listCredentials(db, companyId as bigint, now);
    return [...valid, ...ended]
      .filter((one) => one.environment === (environment === 'sandbox' ? environment : 'production'))
      .map((one) => [String(one.id), `${one.label} ${maskedSecret(one)}`] as const);
  },
  /** How long a replaced credential still works, in hours. */
  overlaps: async () => [0, 1, 24, 168, 336, 720].map((hours) => [String(hours), overlapOf(hours)] as const),
} satisfies Readonly<Record<string, (ctx: Context, given: Given) => Promise<Choices>>>;

function overlapOf(hours: number): Message {
  if (hours === 0) return { text: 'None, it ends now' };
  return hours % 24 > 0
    ? { text: '{{count}} hours', params: { count: hours, one: '{{count}} hour' } }
    : { text: '{{count}} days', params: { count: hours / 24, one: '{{count}} day' } };
}

/** Tells credentials apart without revealing their secrets: vaga_test_…1a2b. */
export const maskedSecret = ({ environment, lastFour }: Pick<CredentialRow, 'environment' | 'lastFour'>): string =>
  `${policy[environment].tokenPrefix}…${lastFour}`;
