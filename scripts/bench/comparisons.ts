import type { ChildServer } from './child-server.ts';
import type { Entrant } from './load.ts';
import { loads, type Measured } from './operations.ts';
import { mcpQuestions, restQuestions } from './questions.ts';
import type { SampleData } from './sample-data.ts';
import type { Part } from './server-plans.ts';
import type { Protocol } from './settings.ts';

/** What a ratio of requests a second should come to at least; none where it is only told. */
export interface Duel {
  readonly protocol: Protocol;
  readonly rival: string;
  /** Name of the column that it stands in. */
  readonly column: Column;
  readonly aim: number | undefined;
}

export type Column = Exclude<Part, 'own'> | 'twin';

/** One table: who is asked the same, and what this service is held against. */
export interface Comparison {
  readonly operationId: Measured;
  readonly entrants: readonly Entrant[];
  readonly duels: readonly Duel[];
}

type Kind = (typeof loads)[Measured]['kind'];
type Aims = Readonly<Partial<Record<Column, number>>>;

const readAims = { floor: 0.5, validator: 1.5, fastify: 1 };
const restAims: Readonly<Record<Kind, Aims>> = {
  read: readAims,
  reference: { ...readAims, bare: 0.5 },
  create: { floor: 0.5, validator: 1.3, fastify: 1.3 },
  change: { floor: 0.5 },
};
/** A protocol layer alone can be told from another where little else is done. */
const mcpAims = (operationId: Measured): Aims => ({
  floor: 0.5,
  sdk: 2.5,
  ...(operationId === 'getJob' && { layer: 2.5, twin: 0.75 }),
});

/** Who competes over each protocol; bare express knows the reference data only. */
export function rivalsOver(protocol: Protocol, kind: Kind): Exclude<Part, 'own'>[] {
  if (protocol === 'mcp') return ['floor', 'sdk', 'layer'];
  return kind === 'reference' ? ['floor', 'validator', 'fastify', 'bare'] : ['floor', 'validator', 'fastify'];
}

export const ownName = (protocol: Protocol): string => nameOver(protocol, 'this service');
const nameOver = (protocol: Protocol, name: string): string => (protocol === 'mcp' ? `${name} over MCP` : name);

/** Both protocols in one comparison, so that a tool call is held against its own twin over REST too. */
export function comparisonOf(
  operationId: Measured,
  protocols: readonly Protocol[],
  servers: ReadonlyMap<Part, ChildServer>,
  sample: SampleData,
): Comparison {
  const { kind } = loads[operationId];
  const entrant = (protocol: Protocol, part: Part): Entrant => {
    const server = servers.get(part);
    if (!server) throw new Error(`${part} is not running`);
    const questions = (protocol === 'rest' ? restQuestions : mcpQuestions)(operationId, sample);
    return { name: nameOver(protocol, server.name), server, ...questions };
  };
  const aims = { rest: restAims[kind], mcp: mcpAims(operationId) };
  const entrants = [entrant('rest', 'own')];
  const duels: Duel[] = [];
  for (const protocol of protocols) {
    if (protocol === 'mcp') {
      entrants.push(entrant('mcp', 'own'));
      duels.push({ protocol, rival: ownName('rest'), column: 'twin', aim: aims.mcp.twin });
    }
    for (const column of rivalsOver(protocol, kind)) {
      const rival = entrant(protocol, column);
      entrants.push(rival);
      duels.push({ protocol, rival: rival.name, column, aim: aims[protocol][column] });
    }
  }
  return { operationId, entrants, duels };
}
