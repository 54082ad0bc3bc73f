import type { Portal } from '../domain/actor.ts';
import { removeAccount, unlockAccount } from '../operations/people/account.ts';
import { createAdministrator, createUser } from '../operations/people/create-account.ts';
import { setPassword } from '../operations/people/set-password.ts';
import { choice, type Outcome, parseId, required, type Verb, verb } from './command.ts';

interface Named {
  readonly email: string;
}

const email = required('--email <address>', 'the e-mail address that the person signs in with');

const createUserVerb = verb<Named & { readonly company: bigint; readonly role: 'main' | 'sub' }>({
  name: 'create',
  description: "create a company's one main account or a sub-account",
  options: [
    required('--company <id>', 'ID of the company', parseId),
    email,
    choice('--role <role>', 'only a main account may issue credentials', ['main', 'sub']),
  ],
  readsPassword: true,
  examples: ['user create --company 12 --email rh@example.com --role main < password.txt'],
  run: async (ctx, { company, ...person }, password) => {
    const { userId } = await createUser(ctx, { companyId: company, ...person, password });
    return { data: { user_id: Number(userId), company_id: Number(company) }, text: `user ${userId} created` };
  },
});

const createAdministratorVerb = verb<Named>({
  name: 'create',
  description: 'create an administrator',
  options: [email],
  readsPassword: true,
  examples: ['admin create --email admin@example.com < password.txt'],
  run: async (ctx, person, password) => {
    const { administratorId: id } = await createAdministrator(ctx, { ...person, password });
    return { data: { administrator_id: Number(id) }, text: `administrator ${id} created` };
  },
});

/** The commands that users and administrators have in common. */
const accountVerbs = (noun: string, portal: Portal): readonly Verb[] => [
  verb<Named>({
    name: 'unlock',
    description: 'clear failed sign-ins, so that the person can sign in again',
    options: [email],
    examples: [`${noun} unlock --email ana@example.com`],
    run: async (ctx, person) => {
      const { limitsNamespace } = ctx;
      return outcomeOf(portal, await unlockAccount(ctx, { portal, ...person, limitsNamespace }), 'unlocked');
    },
  }),
  verb<Named>({
    name: 'set-password',
    description: 'set a new password and end all sessions',
    options: [email],
    readsPassword: true,
    examples: [`${noun} set-password --email ana@example.com < password.txt`],
    run: async (ctx, person, password) => {
      const account = await setPassword(ctx, { portal, ...person, password });
      return outcomeOf(portal, account, 'has a new password; all sessions ended');
    },
  }),
  verb<Named>({
    name: 'remove',
    description: 'delete the account and end all sessions',
    options: [email],
    note: "\nThe person's credentials keep working until they are revoked, and the audit trail stays.\n",
    examples: [`${noun} remove --email ana@example.com`],
    run: async (ctx, person) => outcomeOf(portal, await removeAccount(ctx, { portal, ...person }), 'removed'),
  }),
];

type Account = Awaited<ReturnType<typeof removeAccount>>;

function outcomeOf(portal: Portal, { id, companyId }: Account, done: string): Outcome {
  if (portal === 'administrator')
    return { data: { administrator_id: Number(id) }, text: `administrator ${id} ${done}` };
  return { data: { user_id: Number(id), company_id: Number(companyId) }, text: `user ${id} ${done}` };
}

export const userVerbs: readonly Verb[] = [createUserVerb, ...accountVerbs('user', 'company')];
export const adminVerbs: readonly Verb[] = [createAdministratorVerb, ...accountVerbs('admin', 'administrator')];
