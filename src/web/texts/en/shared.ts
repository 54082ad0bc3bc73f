import type { ComponentChildren } from 'preact';
import type { AccessBlocker } from '../../../domain/eligibility.ts';
import type { Environment } from '../../../domain/environment.ts';
import type { JobStatus } from '../../../domain/job.ts';
import type { CredentialState } from '../../../operations/credentials/list-credentials.ts';

export const layout = {
  skip: 'Skip to the content',
  /** A page's title in the browser's tab. */
  title: (page: string, portal: string) => `${page} · Vaga ${portal}`,
  pages: 'Pages',
  site: 'Site',
  yourAccount: 'Your account: ',
  signOut: 'Sign out',
  apiReference: 'API reference',
  companyDashboard: 'Company dashboard',
  copy: 'Copy',
  copied: 'Copied',
  selected: 'Selected. Copy it with the keyboard.',
};

export const portals = {
  company: {
    heading: 'Dashboard',
    signIn: 'Sign in to the dashboard',
    back: 'Back to the dashboard',
    /** A page's description for search engines. */
    description: (page: string) =>
      `${page}: part of the dashboard in which a company manages its credentials, jobs and sandbox on Vaga.`,
    links: {
      overview: 'Overview',
      credentials: 'Credentials',
      jobs: 'Jobs',
      requests: 'Requests',
      sandbox: 'Sandbox',
      activity: 'Activity',
    },
  },
  administrator: {
    heading: 'Administration',
    signIn: 'Sign in to the administration',
    back: 'Back to the administration',
    description: (page: string) =>
      `${page}: part of the administration, where administrators review jobs and manage companies on Vaga.`,
    links: {
      overview: 'Overview',
      review: 'Review',
      companies: 'Companies',
      plans: 'Plans',
      categories: 'Categories',
      audit: 'Audit trail',
    },
  },
};

export const environments: Record<Environment, { name: string; inside: string; lower: string }> = {
  production: { name: 'Production', inside: 'in production', lower: 'production' },
  sandbox: { name: 'Sandbox', inside: 'in sandbox', lower: 'sandbox' },
};

/** A job's status by itself, and in "3 pending". */
export const statuses: Record<JobStatus, { name: string; several: string }> = {
  pending: { name: 'Pending', several: 'pending' },
  active: { name: 'Active', several: 'active' },
  inactive: { name: 'Inactive', several: 'inactive' },
  expired: { name: 'Expired', several: 'expired' },
  denied: { name: 'Denied', several: 'denied' },
};

export const words = {
  yes: 'Yes',
  no: 'No',
  none: 'None',
  unlimited: 'Unlimited',
  openEnded: 'Open-ended',
  unlimitedHint: (value: number) => `${value} means unlimited.`,
  environment: 'Environment',
  status: 'Status',
  account: (id: string) => `Account ${id}`,
  administrator: 'Administrator',
  credential: (id: string) => `Credential ${id}`,
  company: (id: string) => `Company ${id}`,
  administratorNamed: (id: string) => `Administrator ${id}`,
  operator: 'operator',
};

export const access = {
  open: 'Open',
  closed: (reasons: string) => `Closed: ${reasons}`,
  blockers: {
    suspended: 'Suspended',
    unverified: 'Company not verified',
    plan: 'Plan not eligible',
    approval: 'Waiting for approval',
  } satisfies Record<AccessBlocker, string>,
};

export const signIn = {
  title: 'Sign in',
  ended: 'Your session has ended, so nothing was changed. Sign in to return to the form.',
  email: 'E-mail address',
  password: 'Password',
  /** One text for every failure, so that it reveals neither which accounts exist nor when one is throttled. */
  failure: 'Sign-in failed. Check the e-mail address and the password. After several failed attempts, wait 15 minutes.',
};

export const account = {
  title: 'Your account',
  signedIn: (email: ComponentChildren): ComponentChildren => [
    'Signed in as ',
    email,
    '. You are signed out after 30 minutes without activity, and after 12 hours in any case.',
  ],
  changePassword: 'Change your password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  newPasswordHint: (charactersMin: number) => `At least ${charactersMin} characters. All your other sessions end.`,
  change: 'Change password',
  changed: 'Your password is changed. All other sessions have ended.',
  signOutEverywhere: 'Sign out everywhere',
  signOutWhy: 'If you lost a device or someone may know your password, end all sessions, including this one.',
};

export const lists = {
  filter: 'Filter',
  search: 'Search',
  sort: 'Order',
  sorts: {
    newest: 'Newest first',
    oldest: 'Oldest first',
    changed: 'Latest changes first',
    title: 'By title',
    name: 'By name',
    email: 'By e-mail address',
    expiry: 'Earliest expiry first',
    limit: 'By jobs per month',
    usual: 'Usual order',
  },
  /** How many entries a search reads is known only of some lists. */
  searchHints: {
    jobs: (limit: string) => `Part of a title, or an ID. Searches and orders the latest ${limit} jobs.`,
    queue: (limit: string) =>
      `Part of a title or of a company's name. Searches the first ${limit} jobs of the chosen order.`,
    companies: () => 'Part of a name, an ID, or an e-mail address.',
    credentials: () => 'Part of a label, or the last four characters.',
    people: () => 'Part of an e-mail address.',
    plans: () => 'Part of a name.',
    categories: () => 'Part of a name.',
    requests: () => 'A whole request ID or trace ID.',
    audit: (limit: string) =>
      `Part of a detail, such as a reason. Searches the first ${limit} entries of the chosen order.`,
  },
  noneFound: 'Nothing found. Change the search.',
  previous: 'Previous page',
  next: 'Next page',
  pagination: 'Pagination',
  page: (page: number, last: number) => `Page ${page} of ${last}`,
  /** The first option of a filter. */
  any: {
    status: 'All',
    operation: 'All',
    credential: 'All',
    protocol: 'Both',
    state: 'All',
    plan: 'All',
    actor: 'All',
    action: 'All',
  },
};

export const charts = {
  table: (title: string) => `${title}, as a table`,
  day: 'Day',
};

export const forms = {
  fieldsMarked: 'Nothing was changed. See the fields marked below.',
  choose: 'Choose one of the options.',
  wrongPassword: 'This is not your password.',
  throttledPassword: 'Too many wrong passwords. Wait 15 minutes.',
  type: (word: string) => `Type ${word}`,
};

export const credentials = {
  access: { read: 'Read', write: 'Read and write' },
  accessLower: { read: 'read', write: 'read and write' },
  states: {
    valid: 'Valid',
    expiring: 'Expires soon',
    expired: 'Expired',
    revoked: 'Revoked',
  } satisfies Record<CredentialState, string>,
  columns: {
    credential: 'Credential',
    access: 'Access',
    created: 'Created',
    expires: 'Expires',
    lastUsed: 'Last used',
    state: 'State',
  },
  never: 'Never',
  validLabel: 'Valid credentials',
  endedLabel: 'Expired and revoked credentials',
  ended: 'Expired and revoked',
  revoke: 'Revoke',
  replace: 'Replace',
};
