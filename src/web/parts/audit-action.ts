import type { AuditAction } from '../../domain/audit-actions.ts';

const deeds: Readonly<Record<AuditAction, string>> = {
  'administrator.created': 'Administrator created',
  'administrator.password_set': 'Password of an administrator set',
  'administrator.removed': 'Administrator removed',
  'administrator.unlocked': 'Administrator unlocked',
  'category.activated': 'Category activated',
  'category.deactivated': 'Category deactivated',
  'company.approved': 'Company approved for production',
  'company.changed': 'Company changed',
  'company.created': 'Company created',
  'company.districts_set': 'Regions of the company set',
  'company.reinstated': 'Suspension ended',
  'company.suspended': 'Company suspended',
  'credential.issued': 'Credential issued',
  'credential.replaced': 'Credential replaced',
  'credential.revoked': 'Credential revoked',
  'grant.ended': 'Complimentary access ended',
  'grant.given': 'Complimentary access granted',
  'job.approved': 'Job approved',
  'job.denied': 'Job denied',
  'job.removed': 'Job removed for good',
  'maintenance.ended': 'Maintenance ended',
  'maintenance.started': 'Maintenance started',
  'plan.set': 'Plan set',
  'reference.seeded': 'Reference data added',
  'sandbox.reset': 'Sandbox reset',
  'subscription.ended': 'Subscription ended',
  'subscription.set': 'Subscription set',
  'user.created': 'Account created',
  'user.password_set': 'Password of an account set',
  'user.removed': 'Account removed',
  'user.unlocked': 'Account unlocked',
};

/** Every action of the audit trail with its words, in the order of the words. */
export const auditActionNames = Object.entries(deeds).sort(([, a], [, b]) => a.localeCompare(b)) as readonly (readonly [
  AuditAction,
  string,
])[];

export const auditActionName = (action: string): string => deeds[action as AuditAction] ?? action;

/** What a deed was about: credential id: 12, access: read. */
export const auditActionDetails = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${valueText(value)}`)
    .join(', ');

function valueText(value: unknown): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  return Array.isArray(value) ? value.join(' ') || 'all' : String(value);
}
