import type { Portal } from '../domain/actor.ts';

interface PortalPolicy {
  readonly base: string;
  readonly cookie: string;
  /** Strict: a link from elsewhere into the console shows its sign-in page. */
  readonly sameSite: 'lax' | 'strict';
  readonly heading: string;
  /** What a page is part of, after its title and a colon. */
  readonly description: string;
}

/** All that differs between the two sets of pages besides what they show. */
export const portals: Readonly<Record<Portal, PortalPolicy>> = {
  company: {
    base: '/dashboard',
    cookie: 'vaga_session',
    sameSite: 'lax',
    heading: 'Dashboard',
    description: 'part of the dashboard in which a company manages its credentials, jobs and sandbox on Vaga.',
  },
  administrator: {
    base: '/admin',
    cookie: 'vaga_admin_session',
    sameSite: 'strict',
    heading: 'Administration',
    description: 'part of the console in which administrators review jobs and manage companies on Vaga.',
  },
};
