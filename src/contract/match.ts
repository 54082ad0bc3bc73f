import { OpenAPIRouter } from 'openapi-backend/router.js';
import { document, type Operation, operationOf, operations } from './document.ts';
import type { OperationId } from './types.ts';

export type Match =
  | { readonly kind: 'operation'; readonly operation: Operation; readonly pathValues: Readonly<Record<string, string>> }
  | { readonly kind: 'method'; readonly allow: readonly string[] }
  | { readonly kind: 'none' };

const router = new OpenAPIRouter({ definition: document });
const routerOperations = router.getOperations();
// The router would derive this list for every match.
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

/** Results of the router by method and path with the id replaced: paths differ only in their ids. */
const matched = new Map<string, OperationId>();
const matchedMax = 100;

function matchId(method: string, path: string): OperationId | undefined {
  const shape = `${method} ${path.replace(/\/\d+$/, '/0')}`;
  const known = matched.get(shape);
  if (known) return known;
  const operationId = router.matchOperation({ method, path, headers: {} })?.operationId as OperationId | undefined;
  if (operationId && matched.size < matchedMax) matched.set(shape, operationId);
  return operationId;
}

/** Returns the raw path segments of the template's parameters; none needs decoding. */
function pathValues(template: string, path: string): Record<string, string> {
  const segments = path.split('/');
  return Object.fromEntries(
    template.split('/').flatMap((part, index) => {
      const name = /^\{(.+)\}$/.exec(part)?.[1];
      return name ? [[name, segments[index] ?? '']] : [];
    }),
  );
}
