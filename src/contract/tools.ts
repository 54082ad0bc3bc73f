import { readFileSync } from 'node:fs';
import type { Scope } from '../domain/actor.ts';
import { builtFile } from '../files.ts';
import type { OperationId } from './types.ts';

/** Where a tool's argument goes in the request of its operation. */
type Place = 'path' | 'query' | 'body' | 'view' | `header:${string}`;

/**
 * A generated tool; `tool` is the part that clients see. Its name, texts and annotations are `x-mcp` of its operation in openapi.yaml: for
 * example, `readOnly: true` there is `readOnlyHint` here.
 */
export interface Tool {
  readonly operationId: OperationId;
  readonly scope: Scope;
  readonly arguments: Readonly<Record<string, Place>>;
  /** The fields that each listed item has in the view `summary`. */
  readonly summary?: readonly string[];
  readonly tool: {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly inputSchema: { readonly type: 'object'; readonly required?: readonly string[] };
    readonly outputSchema: { readonly type: 'object' };
    readonly annotations: Readonly<Record<string, unknown>>;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

export const tools: readonly Tool[] = JSON.parse(readFileSync(builtFile('generated/mcp-tools.json'), 'utf8'));
