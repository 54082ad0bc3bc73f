import { join } from 'node:path';
import { limitsLifted, type ServerPlan, servicePlan } from './child-server.ts';
import { loads, type Measured } from './operations.ts';
import type { Aim } from './report.ts';
import { root } from './settings.ts';

export const protocols = ['rest', 'mcp'] as const;
export type Protocol = (typeof protocols)[number];
type Kind = (typeof loads)[Measured]['kind'];

/** What this service's requests a second should be of a rival's at least. */
type Aiming = (operationId: Measured, kind: Kind) => number | undefined;
const always =
  (bound: number): Aiming =>
  () =>
    bound;
/** A protocol layer can be told from another only where little else is done. */
const ofGetJob =
  (bound: number): Aiming =>
  (operationId) =>
    operationId === 'getJob' ? bound : undefined;
const byKind =
  (aims: Partial<Record<Kind, number>>): Aiming =>
  (_, kind) =>
    aims[kind];

/** Another server that is asked the same; `column` is the heading of this service's ratios to it. */
const rival = (name: string, column: string, file: string, over: readonly Protocol[], aim: Aiming) => ({
  name,
  column,
  file,
  over,
  aim,
});
const validatorAim = byKind({ reference: 1.5, read: 1.5, create: 1.3 });
const fastifyAim = byKind({ reference: 1, read: 1, create: 1.3 });
const validator = 'express-openapi-validator';

export const rivals = {
  floor: rival('floor', 'of the floor', 'floor-server', protocols, always(0.5)),
  validator: rival(validator, `of ${validator}`, 'express-server', ['rest'], validatorAim),
  fastify: rival('Fastify', 'of Fastify', 'fastify-server', ['rest'], fastifyAim),
  bare: rival('bare express', 'of bare express', 'bare-server', ['rest'], byKind({ reference: 0.5 })),
  sdk: rival('SDK on Prisma', "of the SDK's stateless server on Prisma", 'sdk-server', ['mcp'], always(2.5)),
  layer: rival('SDK on our operations', 'of the same on our operations', 'layer-server', ['mcp'], ofGetJob(2.5)),
};

export type Part = keyof typeof rivals;
export const parts = Object.keys(rivals) as Part[];

/** Who competes over a protocol; bare express knows the reference data only. */
export const rivalsOver = (protocol: Protocol, operationId: Measured): Part[] =>
  parts.filter(
    (part) => rivals[part].over.includes(protocol) && (part !== 'bare' || loads[operationId].kind === 'reference'),
  );

/** This service over MCP against itself over REST. */
export const twin = { column: 'of the same over REST', aim: ofGetJob(0.75) };
export type Aimed = typeof twin;

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
