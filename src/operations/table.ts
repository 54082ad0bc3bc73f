import { operations } from '../../generated/operations.ts';
import type { ApiContext } from '../context.ts';
import type { Complete, Input, OperationId, PlainRequest, Query, Reply } from '../contract/types.ts';
import type { FieldError } from '../domain/field-rules.ts';

export interface Operation<O extends OperationId> {
  readonly run: (ctx: ApiContext, input: Input<O, keyof Query<O>>) => Promise<Reply<O>>;
  /** Answers a request that breaks the contract: one 422 lists all that is wrong, unless the request may repeat one that succeeded. */
  readonly refuse?: (ctx: ApiContext, request: PlainRequest, known: readonly FieldError[]) => Promise<Reply<O>>;
}

/** The operation of each operationId. One that no file exports, that replies what the contract lacks, or that reads less does not compile. */
export const table: { readonly [O in OperationId]: Operation<O> } = operations satisfies Complete<typeof operations>;
