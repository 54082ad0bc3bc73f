import { operations } from '../../generated/operations.ts';
import type { ApiContext } from '../context.ts';
import type { Complete, Input, OperationId, PlainRequest, Query, Reply } from '../contract/types.ts';
import type { FieldError } from '../domain/message.ts';

export interface Operation<O extends OperationId> {
  readonly run: (ctx: ApiContext, input: Input<O, keyof Query<O>>) => Promise<Reply<O>>;
  /**
   * Answers a request that breaks the contract, which may still repeat an earlier success. Throws 404 for what the path names, before 422.
   * Without it, one 422 lists all errors.
   */
  readonly refuse?: (ctx: ApiContext, request: PlainRequest, known: readonly FieldError[]) => Promise<Reply<O>>;
}

/**
 * The operation of each operationId. Does not compile if an operation is missing, replies something undeclared, or reads fewer parameters.
 */
export const table: { readonly [O in OperationId]: Operation<O> } = operations satisfies Complete<typeof operations>;
