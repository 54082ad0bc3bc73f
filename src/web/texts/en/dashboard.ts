import type { ComponentChildren } from 'preact';
import type { AccessBlocker } from '../../../domain/eligibility.ts';
import { counted } from '../counted.ts';

const job = counted('en', 'job', 'jobs');
const request = counted('en', 'request', 'requests');

export const overview = {
  title: 'Overview',
  noCredential: (link: (text: string) => ComponentChildren): ComponentChildren => [
    'You have no valid credential yet. Issue one for the sandbox under ',
    link('credentials'),
    ' and try the API.',
  ],
  plan: 'Plan',
  withoutProduction: (plan: string) => `${plan} (does not include production)`,
  access: 'Access',
  complimentary: 'Complimentary',
  subscription: 'Subscription',
  postedUnlimited: (used: number) => `${job(used)} posted, no limit`,
  usedSinceReset: (used: number, limit: number, left: number) =>
    `${used} of ${limit} jobs used since the last reset, ${left} left`,
  used: (used: number, limit: number, left: number) => `${used} of ${limit} jobs used, ${left} left`,
  period: (start: ComponentChildren, end: ComponentChildren): ComponentChildren => [', from ', start, ' to ', end],
  advice: {
    suspended: 'Your company is suspended. Contact the administrator.',
    unverified: 'An administrator must verify your company first.',
    plan: 'Production requires a plan that includes it, or complimentary access. Contact the administrator.',
    approval: 'An administrator must approve your company for production.',
  } satisfies Record<AccessBlocker, string>,
  requestsLastHour: (total: number, refused: number) => `${request(total)} in the last hour, ${refused} refused`,
  noRequestsLastHour: 'No requests in the last hour',
  postings: 'Jobs posted in the period',
  postingsSummary: (posted: number) => `${job(posted)} posted since the period began.`,
  posted: 'Posted until then',
  noPostings: 'No jobs posted in this period yet.',
  byStatus: 'Jobs by status',
  byStatusSummary: (total: number) => `${job(total)} in all.`,
  jobs: 'Jobs',
  noJobs: 'No jobs in production yet.',
};

export const companyCredentials = {
  title: 'Credentials',
  issue: 'Issue a credential',
  onlyMain: "Only the company's main account can issue and revoke credentials.",
  valid: 'Valid',
  noValid: 'No valid credentials. A program needs one to use the API.',
  expiring: 'These credentials expire within 14 days. Replace those still in use:',
  replaceNamed: (label: string, lastFour: string) => `Replace ${label} …${lastFour}`,
  label: 'Label',
  labelHint: 'What will use it, such as: website',
  environmentHint: 'A production credential works once your company has access to production.',
  days: 'Days until it expires',
  yourPassword: 'Your password',
  issueButton: 'Issue',
  alreadySubmitted: 'This form was already submitted. A secret is shown only once.',
  cancel: 'Cancel and go back to the credentials',
  replaceTitle: 'Replace a credential',
  replaceHeading: (label: string) => `Replace ${label}`,
  replaceExplanation: (
    environment: string,
    access: string,
    secret: ComponentChildren,
    expires: ComponentChildren,
  ): ComponentChildren => [
    `Creates a credential with the same access (${environment}, ${access}) to replace `,
    secret,
    ', which expires ',
    expires,
    '. While both work, both count towards the limit of five.',
  ],
  overlap: 'How long the old one still works',
  overlapHint: 'Allow enough time to update every integration.',
  overlaps: {
    0: 'None, it ends now',
    1: '1 hour',
    24: '1 day',
    168: '7 days',
    336: '14 days',
    720: '30 days',
  },
  newDays: 'Days until the new one expires',
  replaceButton: 'Replace',
  oldEnded: 'The old credential no longer works.',
  oldWorksUntil: (at: ComponentChildren): ComponentChildren => ['The old credential works until ', at],
  endedReplace: (label: string) => `${label} no longer works. Issue a new credential.`,
  ended: (label: string) => `${label} no longer works.`,
  revokeTitle: 'Revoke a credential',
  revokeHeading: (label: string) => `Revoke ${label}?`,
  revokeExplanation: (secret: ComponentChildren, environment: string, access: string): ComponentChildren => [
    secret,
    ` (${environment}, ${access}) stops working with its next request, over REST and MCP. This cannot be undone.`,
  ],
  revoked: 'The credential is revoked.',
  newTitle: 'New credential',
  copyNow: 'Copy the secret now. It is shown only once.',
  secret: 'Secret',
  validUntil: (environment: string, at: ComponentChildren): ComponentChildren => [
    `Valid in the ${environment} environment until `,
    at,
    '.',
  ],
  tryRest: 'Try it with REST',
  connectMcp: 'Connect an AI agent with MCP',
  back: 'Back to the credentials',
};

export const companyJobs = {
  title: 'Jobs',
  total: (total: number) => (total === 1 ? '1 job.' : `${job(total)}, newest first.`),
  found: (total: number) => `${job(total)} found.`,
  label: (environment: string) => `Jobs in ${environment}`,
  empty: (environment: string) =>
    `No jobs in ${environment} yet. Create one through the API with a credential that has write access.`,
  noneOf: (status: string, environment: string) => `No ${status} jobs in ${environment}.`,
  denied: (reason: string) => `Denied: ${reason} Update the job through the API to submit it again.`,
  back: (environment: string) => `Back to the jobs in ${environment}`,
};

export const requests = {
  title: 'Requests',
  introduction: (days: number) => `Requests of the last ${days} days. Bodies are not stored.`,
  label: (environment: string) => `Requests to ${environment}`,
  noMore: 'No more requests.',
  noneFound: 'No requests found. Change the filter or look in the other environment.',
  none: (environment: string, days: number, link: (text: string) => ComponentChildren): ComponentChildren => [
    `No ${environment} requests in the last ${days} days. Issue a credential under `,
    link('credentials'),
    ' and send a request with it. It appears here after about a second.',
  ],
  older: 'Older requests',
  newer: 'Newer requests',
  perDay: 'Requests per day',
  perDaySummary: (total: number, refused: number, failed: number) =>
    `${request(total)} in the last seven days: ${refused} refused, ${failed} failed.`,
  perDayLimit: (limit: string) => `Of a day with more than ${limit} requests, the latest ${limit} count.`,
  succeeded: 'Succeeded (2xx, 3xx)',
  refused: 'Refused (4xx)',
  failed: 'Failed (5xx, no answer)',
  latencyPerDay: 'Latency per day, in ms',
  latencySummary: (slowest: number) => `On the slowest day, 95% of the requests took at most ${slowest} ms.`,
  median: 'Half of the requests within',
  slow: '95% of the requests within',

  columns: {
    time: 'Time',
    operation: 'Operation',
    protocol: 'Protocol',
    status: 'Status',
    latency: 'Latency',
    credential: 'Credential',
    requestId: 'Request ID',
  },
  trace: (id: string) => ` trace ${id}`,
  noAnswer: (status: number) => `${status}, no answer`,
  noOperation: 'None',
  statusHint: '404 or 4xx',
};

export const sandbox = {
  title: 'Sandbox',
  reset: 'Reset',
  resetExplanation:
    'Deletes all jobs and idempotency keys in the sandbox. This cannot be undone. Credentials and production are not affected.',
  resetButton: 'Reset the sandbox',
  onlyMain: "Only the company's main account can reset the sandbox.",
  wrongWord: (word: string) => `Type ${word} in capital letters to reset the sandbox.`,
  done: (jobs: number, keys: number) => `The sandbox was reset. Jobs deleted: ${jobs}, idempotency keys: ${keys}.`,
  usage: (used: number, capacity: number, left: number) =>
    `${used} of ${capacity} jobs used since the last reset, ${left} left.`,
  full: 'The sandbox is full. New jobs are refused until you reset it.',
};

export const activity = {
  title: 'Activity',
  none: "No activity. Changes to credentials, the sandbox and the company's access appear here.",
  older: 'Older activity',
  newer: 'Newer activity',
};
