import { readFileSync } from 'node:fs';
import type { Document } from 'openapi-backend';
import type { Scope } from '../domain/actor.ts';
import type { OperationId } from './types.ts';

/** openapi.yaml with its references resolved, as generated. */
export const document: Document = JSON.parse(
  readFileSync(new URL('../../generated/contract.json', import.meta.url), 'utf8'),
);

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: { readonly type: string; readonly default?: unknown };
}

export interface Operation {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
  readonly scope: Scope;
  readonly hasBody: boolean;
  readonly parameters: readonly Parameter[];
}

/** The parts of an operation that the service reads; `npm run lint:contract` checks that they exist. */
interface WrittenOperation {
  operationId: OperationId;
  'x-scope': Scope;
  requestBody?: object;
  parameters?: Parameter[];
}

function readOperations(): ReadonlyMap<OperationId, Operation> {
  const paths = Object.entries((document.paths ?? {}) as Record<string, Record<string, WrittenOperation>>);
  const operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, written]): Operation => {
      const { operationId, 'x-scope': scope, requestBody, parameters = [] } = written;
      return { operationId, method, path, scope, hasBody: requestBody !== undefined, parameters };
    }),
  );
  return new Map(operations.map((operation) => [operation.operationId, operation]));
}

/** Every operation of the contract by its operationId. */
export const operations = readOperations();

export function operationOf(operationId: OperationId): Operation {
  const operation = operations.get(operationId);
  if (!operation) throw new Error(`the contract has no operation ${operationId}`);
  return operation;
}

/** The contract's default of a numeric parameter. */
export function defaultOf(operationId: OperationId, name: string): number {
  const value = operationOf(operationId).parameters.find((parameter) => parameter.name === name)?.schema.default;
  if (typeof value !== 'number') throw new Error(`the contract has no numeric default for ${operationId} ${name}`);
  return value;
}
