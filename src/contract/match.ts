import { type Operation, operations } from './document.ts';

export type Match =
  | { readonly kind: 'operation'; readonly operation: Operation; readonly pathValues: Readonly<Record<string, string>> }
  | { readonly kind: 'method'; readonly allow: readonly string[] }
  | { readonly kind: 'none' };

const parameter = /\{(\w+)\}/g;

/** Every operation with its path as a pattern, literal paths before templates: `/jobs/count` is not a job. */
const routes = [...operations.values()]
  .map((operation) => ({ operation, pattern: new RegExp(`^${operation.path.replace(parameter, '(?<$1>[^/]+)')}/*$`) }))
  .sort((a, b) => parametersIn(a.operation) - parametersIn(b.operation));

function parametersIn({ path }: Operation): number {
  return path.match(parameter)?.length ?? 0;
}

/** Finds the operation of a method and a path below the base address. The values of the path are as sent. */
export function match(method: string, path: string): Match {
  const found = routes.flatMap(({ operation, pattern }) => {
    const values = pattern.exec(path);
    return values ? [{ operation, pathValues: { ...values.groups } }] : [];
  });
  const own = found.find(({ operation }) => operation.method === method);
  if (own) return { kind: 'operation', ...own };
  const allow = found.map(({ operation }) => operation.method.toUpperCase());
  return allow.length > 0 ? { kind: 'method', allow } : { kind: 'none' };
}
