import { storedNouns } from '../../generated/stored-fields.ts';

/** What people do with a resource that the contract stores. Jobs have actions of their own. */
type StoredNoun = Exclude<(typeof storedNouns)[keyof typeof storedNouns], 'job'>;
export type StoredAction = `${StoredNoun}.${'created' | 'updated' | 'deleted'}`;

const ofService = [
  'administrator.created',
  'administrator.password_set',
  'administrator.removed',
  'administrator.unlocked',
  'category.activated',
  'category.created',
  'category.deactivated',
  'category.moved',
  'category.renamed',
  'maintenance.ended',
  'maintenance.started',
  'plan.created',
  'plan.set',
  'reference.seeded',
] as const;

/** What can be in a company's audit trail. */
const ofCompany = [
  'company.approval_withdrawn',
  'company.approved',
  'company.changed',
  'company.created',
  'company.districts_set',
  'company.erased',
  'company.exported',
  'company.production_refused',
  'company.production_requested',
  'company.reinstated',
  'company.suspended',
  'credential.issued',
  'credential.replaced',
  'credential.revoked',
  'grant.ended',
  'grant.given',
  'job.approved',
  'job.denied',
  'job.purged',
  'job.removed',
  'job.resubmitted',
  'job.review_undone',
  'job.updated',
  'job.withdrawn',
  'sandbox.reset',
  'session.ended',
  'subscription.ended',
  'subscription.set',
  'user.created',
  'user.invited',
  'user.password_set',
  'user.removed',
  'user.unlocked',
] as const;

export type AuditAction = (typeof ofService)[number] | (typeof ofCompany)[number] | StoredAction;

const storedActions = Object.values(storedNouns).flatMap((noun: string) =>
  noun === 'job' ? [] : ['created', 'updated', 'deleted'].map((verb) => `${noun}.${verb}` as StoredAction),
);

/** Every action that the audit trail records and filters by. */
export const auditActions: readonly AuditAction[] = [...ofService, ...ofCompany, ...storedActions].toSorted();

/** The actions that no company sees: they concern none, or leave none. */
export const unseenActions: ReadonlySet<string> = new Set<AuditAction>([...ofService, 'company.erased']);
