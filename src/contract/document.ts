import { readFileSync } from 'node:fs';
import type { Document } from 'openapi-backend';
import type { Scope } from '../domain/actor.ts';
import type { OperationId } from './types.ts';

/** openapi.yaml with its references resolved, as `npm run generate` wrote it; the build copies it beside the code. */
export const document: Document = JSON.parse(
  readFileSync(new URL('../../generated/contract.json', import.meta.url), 'utf8'),
);

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: { readonly type: string };
}

export interface Operation {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
  readonly scope: Scope;
  readonly hasBody: boolean;
  readonly parameters: readonly Parameter[];
}

/** The fields of an operation that the service reads; `npm run lint:contract` has checked that they are there. */
interface WrittenOperation {
  operationId: OperationId;
  'x-scope': Scope;
  requestBody?: object;
  parameters?: Parameter[];
}

function readOperations(): ReadonlyMap<OperationId, Operation> {
  const paths = Object.entries((document.paths ?? {}) as Record<string, Record<string, WrittenOperation>>);
  const operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, written]): Operation => ({
        operationId: written.operationId,
        method,
        path,
        scope: written['x-scope'],
        hasBody: written.requestBody !== undefined,
        parameters: written.parameters ?? [],
      }),
    ),
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
