/** Everything that leaves a trace, noun first: a closed list, so that the trail can be filtered by it. */
export const auditActions = [
  'administrator.created',
  'category.activated',
  'category.deactivated',
  'company.approved',
  'company.changed',
  'company.created',
  'company.districts_set',
  'company.reinstated',
  'company.suspended',
  'credential.issued',
  'credential.replaced',
  'credential.revoked',
  'grant.ended',
  'grant.given',
  'job.approved',
  'job.denied',
  'job.removed',
  'plan.set',
  'reference.seeded',
  'sandbox.reset',
  'subscription.ended',
  'subscription.set',
  'user.created',
] as const;

export type AuditAction = (typeof auditActions)[number];
