import type { ComponentChildren } from 'preact';
import { counted } from '../counted.ts';

type Key = (key: string) => ComponentChildren;

const job = counted('en', 'job', 'jobs');
const request = counted('en', 'request', 'requests');
const company = counted('en', 'company', 'companies');

export const waiting = {
  title: 'Overview',
  heading: 'Waiting for you',
  jobs: (count: number) => `${job(count)} to review`,
  oldest: (at: ComponentChildren): ComponentChildren => ['The oldest was posted on ', at, '.'],
  noJobs: 'No jobs are waiting for review.',
  companies: (count: number) => `${company(count)} to approve`,
  companiesWait: 'They have an eligible plan or complimentary access and need only your approval for production.',
  byAge: 'Waiting jobs by age',
  byAgeSummary: (older: number) => `${job(older)} waiting for more than seven days.`,
  age: 'Age',
  ages: ['Up to 1 day', '1 to 3 days', '3 to 7 days', 'Over 7 days'],
  waitingJobs: 'Jobs',
  denials: 'Latest denials by reason',
  reason: 'Reason',
  denied: 'Denied jobs',
  denialsSummary: (denied: number) => `${job(denied)} denied for these reasons.`,
  noDenials: 'No jobs were denied lately.',
  refusals: 'Refused requests by reason',
  refused: 'Requests in seven days',
  refusalsSummary: (refused: number) => `${request(refused)} refused for these reasons.`,
  refusalsLimit: (limit: string) => `Of more refused requests, the latest ${limit} count.`,
  noRefusals: 'No requests were refused in the last seven days.',
  noCompanies: 'Every company with an eligible plan or complimentary access is approved.',
};

export const review = {
  title: 'Review queue',
  empty: 'No jobs are waiting for review. New production jobs appear here.',
  total: (count: number, isOldestFirst: boolean) =>
    count === 1 || !isOldestFirst ? `${job(count)} waiting.` : `${job(count)} waiting, oldest first.`,
  label: 'Jobs waiting for review',
  columns: {
    job: 'Job',
    company: 'Company',
    category: 'Category',
    region: 'Region',
    lastDay: 'Last day',
    created: 'Created',
  },
  noCategory: 'None',
  noRegion: 'None',
  /** Keys that are pressed together with the browser's own for access keys. */
  keys: (key: Key): ComponentChildren => [
    "Keyboard, with your browser's access keys (usually Alt, or Alt and Shift): ",
    key('N'),
    ' opens the first job, ',
    key('A'),
    ' approves it, ',
    key('R'),
    ' goes to the reason for denial, ',
    key('D'),
    ' denies, ',
    key('Q'),
    ' returns to the queue.',
  ],
  back: 'Back to the review queue',
  decision: 'Review decision',
  approve: 'Approve and publish',
  approved: 'The job is approved and published.',
  reason: 'Reason for denial',
  reasonHint: 'The company sees it. Say what has to change.',
  deny: 'Deny',
  denied: 'The job is denied. The company sees the reason.',
  deniedBecause: (reason: string) => `Denied: ${reason}`,
};

export const removal = {
  link: 'Permanently remove this job',
  title: 'Remove a job',
  /** Typed as a confirmation. */
  word: 'REMOVE',
  heading: (title: string) => `Permanently remove ${title}?`,
  explanation: (id: number, companyName: string) =>
    `This deletes job ${id} of ${companyName} with its history. Its idempotency key stays reserved: repeating the create answers 410. The job still counts toward the quota. To only hide it from candidates, deny it instead.`,
  reason: 'Reason',
  reasonHint: 'For the audit trail. The company sees it under Activity.',
  wrongWord: (word: string) => `Type ${word} in capital letters to remove the job.`,
  button: 'Remove the job',
  cancel: 'Cancel and keep the job',
  done: 'The job is permanently removed.',
};

export const jobLists = {
  title: 'Jobs',
  heading: (companyName: string, environment: string) => `Jobs of ${companyName} in ${environment}`,
  empty: 'No jobs yet.',
  back: (companyName: string) => `Back to ${companyName}`,
};

export const companies = {
  title: 'Companies',
  state: 'State',
  states: {
    waiting: 'Waiting for approval',
    approved: 'Approved',
    suspended: 'Suspended',
    unverified: 'Unverified',
  },
  notApproved: 'Not approved',
  plan: 'Plan',
  noPlan: 'No plan',
  complimentaryAccess: 'Complimentary access',
  complimentary: 'Complimentary',
  none: 'No companies found. Change the search or the filter.',
  total: (total: number, isNewestFirst: boolean) =>
    total === 1 || !isNewestFirst ? `${company(total)}.` : `${company(total)}, newest first.`,
  columns: { company: 'Company', state: 'State', plan: 'Plan', pending: 'Pending jobs', created: 'Created' },
};
