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

/** `column` is the heading of this service's ratios to it, `file` its program in peers/. */
const rival = (name: string, column: string, file: string, over: readonly Protocol[], aim: Aiming) => ({
  name,
  column,
  file,
  over,
  aim,
});
const validator = 'express-openapi-validator';
const validatorAim = byKind({ reference: 1.5, read: 1.5, create: 1.3 });
const fastifyAim = byKind({ reference: 1, read: 1, create: 1.3 });

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

/** The rivals over a protocol; bare express has the reference data only. */
export const rivalsOver = (protocol: Protocol, operationId: Measured): Part[] =>
  parts.filter(
    (part) => rivals[part].over.includes(protocol) && (part !== 'bare' || loads[operationId].kind === 'reference'),
  );

/** This service over MCP against itself over REST. */
export const twin = { column: 'of the same over REST', aim: ofGetJob(0.75) };

export function aimOf({ aim }: { readonly aim: Aiming }, operationId: Measured): Aim | undefined {
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
