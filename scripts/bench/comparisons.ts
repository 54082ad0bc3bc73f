import { join } from 'node:path';
import { limitsLifted, type ServerPlan, servicePlan } from './child-server.ts';
import { loads, type Measured } from './operations.ts';
import type { Aim } from './report.ts';
import { root } from './settings.ts';

export const protocols = ['rest', 'mcp'] as const;
export type Protocol = (typeof protocols)[number];
type Kind = (typeof loads)[Measured]['kind'];

/** What this service is held against. */
export interface Aimed {
  /** The heading of the ratios. */
  readonly column: string;
  /** What this service's requests a second should be of the rival's at least. */
  aim(operationId: Measured, kind: Kind): number | undefined;
}

/** Another server that is asked the same. */
interface Rival extends Aimed {
  readonly name: string;
  readonly file: string;
  readonly over: readonly Protocol[];
}

/** A protocol layer can be told from another only where little else is done. */
const ofGetJob = (bound: number) => (operationId: Measured) => (operationId === 'getJob' ? bound : undefined);
const byKind = (aims: Partial<Record<Kind, number>>) => (_: Measured, kind: Kind) => aims[kind];

export const rivals = {
  floor: { name: 'floor', column: 'of the floor', file: 'floor-server', over: protocols, aim: () => 0.5 },
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
    aim: () => 2.5,
  },
  layer: {
    name: 'SDK on our operations',
    column: 'of the same on our operations',
    file: 'layer-server',
    over: ['mcp'],
    aim: ofGetJob(2.5),
  },
} as const satisfies Record<string, Rival>;

export type Part = keyof typeof rivals;
export const parts = Object.keys(rivals) as Part[];

/** Who competes over a protocol; bare express knows the reference data only. */
export const rivalsOver = (protocol: Protocol, operationId: Measured): Part[] =>
  parts.filter(
    (part) =>
      (rivals[part].over as readonly Protocol[]).includes(protocol) &&
      (part !== 'bare' || loads[operationId].kind === 'reference'),
  );

/** This service over MCP against itself over REST. */
export const twin: Aimed = { column: 'of the same over REST', aim: ofGetJob(0.75) };

export const aimOf = ({ aim }: Aimed, operationId: Measured): Aim | undefined => {
  const bound = aim(operationId, loads[operationId].kind);
  return bound === undefined ? undefined : { is: 'at least', bound };
};

/** How each server is started on the database at `url`; the rivals beside this program, where they are compiled. */
export function planOf(part: Part | 'own', dist: string, url: string): ServerPlan {
  const own = servicePlan(dist, { DATABASE_URL: url });
  if (part === 'own') return own;
  const { name, file } = rivals[part];
  // They answer the same request limit in GET /account.
  const { REQUESTS_PER_MINUTE } = limitsLifted;
  const program = [join(import.meta.dirname, 'peers', `${file}.js`), join(root, 'openapi.yaml')] as const;
  return { name, program, env: part === 'layer' ? own.env : { DATABASE_URL: url, REQUESTS_PER_MINUTE } };
}
