import { operations } from '../../generated/operations.ts';
import type { ApiContext } from '../context.ts';
import type { Complete, Input, OperationId, PlainRequest, Query, Reply } from '../contract/types.ts';
import type { FieldError } from '../domain/message.ts';

export interface Operation<O extends OperationId> {
  readonly run: (ctx: ApiContext, input: Input<O, keyof Query<O>>) => Promise<Reply<O>>;
  /**
   * Answers a request that breaks the contract. A create may still replay an earlier success. If what the path names does not exist, throws
   * 404 rather than 422. Without `refuse`, dispatch throws the 404, or a 422 with the errors of the contract only.
   */
  readonly refuse?: (ctx: ApiContext, request: PlainRequest, known: readonly FieldError[]) => Promise<Reply<O>>;
}

/**
 * The operation of each operationId. This does not compile if an operation is missing, returns an undeclared reply, or leaves a query
 * parameter unread.
 */
export const table: { readonly [O in OperationId]: Operation<O> } = operations satisfies Complete<typeof operations>;
