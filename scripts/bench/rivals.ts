import { join } from 'node:path';
import { root } from './program.ts';
import type { Aim } from './report.ts';
import { loads, type Measured, type Protocol, protocols } from './requests.ts';
import { limitsLifted, type ServerPlan, servicePlan } from './servers.ts';

type Kind = (typeof loads)[Measured]['kind'];
/** The least ratio of this service's requests a second to a rival's; undefined without an aim. */
type Aiming = (operationId: Measured) => number | undefined;

const always =
  (bound: number): Aiming =>
  () =>
    bound;
/** Protocol layers differ measurably only where little else is done. */
const ofGetJob =
  (bound: number): Aiming =>
  (operationId) =>
    operationId === 'getJob' ? bound : undefined;
const byKind =
  (aims: Partial<Record<Kind, number>>): Aiming =>
  (operationId) =>
    aims[loads[operationId].kind];

interface Rival {
  readonly name: string;
  /** The heading of this service's ratios to it. */
  readonly column: string;
  /** Its program in peers/. */
  readonly file: string;
  readonly over: readonly Protocol[];
  readonly aim: Aiming;
}

const rivalServers = {
  floor: { name: 'floor', column: 'of the floor', file: 'floor-server', over: protocols, aim: always(0.5) },
  validator: {
    name: 'express-openapi-validator',
    column: 'of express-openapi-validator',
    file: 'express-server',
    over: ['rest'],
    aim: byKind({ reference: 1.5, read: 1.5, create: 1.3 }),
  },
  fastify: {
    name: 'Fastify',
    column: 'of Fastify',
    file: 'fastify-server',
    over: ['rest'],
    aim: byKind({ reference: 1, read: 1, create: 1.3 }),
  },
  bare: {
    name: 'bare express',
    column: 'of bare express',
    file: 'bare-server',
    over: ['rest'],
    aim: byKind({ reference: 0.5 }),
  },
  sdk: {
    name: 'SDK on Prisma',
    column: "of the SDK's stateless server on Prisma",
    file: 'sdk-server',
    over: ['mcp'],
    aim: always(2.5),
  },
  layer: {
    name: 'SDK on our operations',
    column: 'of the same on our operations',
    file: 'layer-server',
    over: ['mcp'],
    aim: ofGetJob(2.5),
  },
} as const satisfies Record<string, Rival>;

export type Part = keyof typeof rivalServers;
export const parts = Object.keys(rivalServers) as Part[];
export const rivals: Readonly<Record<Part, Rival>> = rivalServers;

/** The rivals over a protocol; bare express has the reference data only. */
export const rivalsOver = (protocol: Protocol, operationId: Measured): Part[] =>
  parts.filter(
    (part) => rivals[part].over.includes(protocol) && (part !== 'bare' || loads[operationId].kind === 'reference'),
  );

/** This service over MCP against itself over REST. */
export const twin = { column: 'of the same over REST', aim: ofGetJob(0.75) };

export function aimOf({ aim }: Pick<Rival, 'aim'>, operationId: Measured): Aim | undefined {
  const bound = aim(operationId);
  return bound === undefined ? undefined : { is: 'at least', bound };
}

/** How each server is started on the database at `url`; the rivals are compiled beside this program. */
export function planOf(part: Part | 'own', dist: string, url: string): ServerPlan {
  const own = servicePlan(dist, { DATABASE_URL: url });
  if (part === 'own') return own;
  const { name, file } = rivals[part];
  // They answer the same request limit in GET /account.
  const { REQUESTS_PER_MINUTE } = limitsLifted;
  const program = [join(import.meta.dirname, 'peers', `${file}.js`), join(root, 'openapi.yaml')] as const;
  return { name, program, env: part === 'layer' ? own.env : { DATABASE_URL: url, REQUESTS_PER_MINUTE } };
}
