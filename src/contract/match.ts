import { OpenAPIRouter } from 'openapi-backend/router.js';
import { document, type Operation, operationOf, operations } from './document.ts';
import type { OperationId } from './types.ts';

export type Match =
  | { readonly kind: 'operation'; readonly operation: Operation; readonly pathValues: Readonly<Record<string, string>> }
  | { readonly kind: 'method'; readonly allow: readonly string[] }
  | { readonly kind: 'none' };

const router = new OpenAPIRouter({ definition: document });
const routerOperations = router.getOperations();
// The router derives its list anew for every match; the document never changes.
router.getOperations = () => routerOperations;

const methods = [...new Set([...operations.values()].map(({ method }) => method))];

/** Finds the operation of a method and a path below the base address. */
export function match(method: string, path: string): Match {
  const operationId = matchId(method, path);
  if (operationId) {
    const operation = operationOf(operationId);
    return { kind: 'operation', operation, pathValues: pathValues(operation.path, path) };
  }
  const allow = methods.filter((other) => matchId(other, path)).map((other) => other.toUpperCase());
  return allow.length > 0 ? { kind: 'method', allow } : { kind: 'none' };
}

/** Paths differ in their ids only: what the router found for one id holds for all. */
const found = new Map<string, OperationId>();
const foundMax = 100;

function matchId(method: string, path: string): OperationId | undefined {
  const shape = `${method} ${path.replace(/\/\d+$/, '/0')}`;
  const known = found.get(shape);
  if (known) return known;
  const operationId = router.matchOperation({ method, path, headers: {} })?.operationId as OperationId | undefined;
  if (operationId && found.size < foundMax) found.set(shape, operationId);
  return operationId;
}

/** The raw segments that stand for the template's parameters; nothing is decoded, as no parameter needs it. */
function pathValues(template: string, path: string): Record<string, string> {
  const segments = path.split('/');
  return Object.fromEntries(
    template.split('/').flatMap((part, index) => {
      const name = /^\{(.+)\}$/.exec(part)?.[1];
      return name ? [[name, segments[index] ?? '']] : [];
    }),
  );
}
