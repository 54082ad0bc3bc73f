import type { AuditAction } from '../../../domain/audit-actions.ts';

export const audit = {
  columns: {
    time: 'Time',
    action: 'Action',
    company: 'Company',
    environment: 'Environment',
    actor: 'Actor',
    details: 'Details',
  },
  actions: {
    'administrator.created': 'Administrator created',
    'administrator.password_set': 'Administrator password set',
    'administrator.removed': 'Administrator removed',
    'administrator.unlocked': 'Administrator unlocked',
    'category.activated': 'Category activated',
    'category.created': 'Category created',
    'category.deactivated': 'Category deactivated',
    'category.renamed': 'Category renamed',
    'company.approved': 'Company approved for production',
    'company.changed': 'Company changed',
    'company.created': 'Company created',
    'company.districts_set': 'Company regions set',
    'company.reinstated': 'Company reinstated',
    'company.suspended': 'Company suspended',
    'credential.issued': 'Credential issued',
    'credential.replaced': 'Credential replaced',
    'credential.revoked': 'Credential revoked',
    'grant.ended': 'Complimentary access ended',
    'grant.given': 'Complimentary access granted',
    'job.approved': 'Job approved',
    'job.denied': 'Job denied',
    'job.removed': 'Job permanently removed',
    'job.withdrawn': 'Job withdrawn',
    'maintenance.ended': 'Maintenance ended',
    'maintenance.started': 'Maintenance started',
    'plan.set': 'Plan saved',
    'reference.seeded': 'Reference data added',
    'sandbox.reset': 'Sandbox reset',
    'subscription.ended': 'Subscription ended',
    'subscription.set': 'Subscription set',
    'user.created': 'Account created',
    'user.password_set': 'Account password set',
    'user.removed': 'Account removed',
    'user.unlocked': 'Account unlocked',
  } satisfies Record<AuditAction, string>,
  yes: 'yes',
  no: 'no',
  all: 'all',
};

/** Names of an entry's details; one without a name is shown as words: credential_id is "credential id". */
export const auditDetails: Readonly<Record<string, string>> = {};

/** Values of an entry's details that are words. */
export const auditValues: Readonly<Record<string, string>> = {};
