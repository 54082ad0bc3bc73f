import { join } from 'node:path';
import { limitsLifted, type ServerPlan } from './child-server.ts';
import { root } from './settings.ts';

/** The servers by their part in a comparison. */
export type Part = 'own' | 'floor' | 'validator' | 'fastify' | 'bare' | 'sdk' | 'layer';
export type Plans = Readonly<Record<Part, ServerPlan>>;

/** How each server is started on the database at `url`. */
export function serverPlans(dist: string, url: string): Plans {
  // The rivals answer the same request limit in GET /account.
  const env = { DATABASE_URL: url, REQUESTS_PER_MINUTE: limitsLifted.REQUESTS_PER_MINUTE };
  const service = { ...env, ...limitsLifted, LOG_LEVEL: 'error' };
  const program = (name: string) => join(dist, 'scripts', 'bench', `${name}.js`);
  const contract = join(root, 'openapi.yaml');
  return {
    own: { name: 'this service', program: [join(dist, 'src', 'main.js')], env: service },
    floor: { name: 'floor', program: [program('floor-server')], env },
    validator: { name: 'express-openapi-validator', program: [program('express-peer-server'), contract], env },
    fastify: { name: 'Fastify', program: [program('fastify-peer-server'), contract], env },
    bare: { name: 'bare express', program: [program('bare-server')], env },
    sdk: { name: 'SDK on Prisma', program: [program('mcp-peer-server')], env },
    layer: { name: 'SDK on our operations', program: [program('mcp-layer-server')], env: service },
  };
}
