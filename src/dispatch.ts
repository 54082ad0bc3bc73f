import type { ApiContext } from './context.ts';
import { type Operation, operationOf, readersOf } from './contract/document.ts';
import type { Input, OperationId, PlainReply, PlainRequest, Query } from './contract/types.ts';
import { contractErrors } from './contract/validate.ts';
import { hasScope } from './domain/actor.ts';
import { bearerChallenge, invalid, notFound, RightsChanged, refusal, unavailable } from './domain/errors.ts';
import { table } from './operations/table.ts';

const judgementsMax = 10;

/**
 * Runs one operation for an authenticated caller, over any protocol, after checking the scope and validating the request. If a write finds
 * that what the caller may do has changed, authenticates the request again and runs the operation again.
 * Throws 403 `scope`, 404, 422, and whatever the operation and the authentication throw.
 */
export async function dispatch(ctx: ApiContext, request: PlainRequest): Promise<PlainReply> {
  let judged = ctx;
  for (let judgements = 1; judgements <= judgementsMax; judgements++) {
    try {
      return await answer(judged, request);
    } catch (error) {
      if (!(error instanceof RightsChanged)) throw error;
      judged = { ...ctx, ...(await ctx.judgeAgain()) };
    }
  }
  throw unavailable('database', 'What this credential may do is being changed; try again.', 1);
}

async function answer(ctx: ApiContext, request: PlainRequest): Promise<PlainReply> {
  const { path, operationId } = request;
  const operation = operationOf(operationId);
  const id = path[operation.pathParameters.findLast((one) => one['x-names'] === operation.resource)?.name ?? ''];
  if (Number.isSafeInteger(id) && Number(id) >= 1) ctx.about.id = Number(id);
  const { scope } = operation;
  if (!hasScope(ctx.actor, scope)) throw missingScope(scope);
  assertInBounds(operation, path);
  const errors = contractErrors(request, ctx.today);
  if (errors.length === 0) return run(ctx, request);
  const { refuse } = table[operationId];
  if (refuse) return refuse(ctx, request, errors);
  await assertFound(ctx, operation, path);
  throw invalid(errors);
}

/** Throws 404 for an integer in the path outside the contract's bounds: nothing can have such an id. */
function assertInBounds({ pathParameters }: Operation, path: PlainRequest['path']): void {
  for (const { name, schema, 'x-names': reason = 'path' } of pathParameters) {
    const { type, minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
    const value = path[name];
    if (type !== 'integer' || typeof value !== 'number' || !Number.isInteger(value)) continue;
    if (!Number.isSafeInteger(value) || value < minimum || value > maximum) throw notFound(reason);
  }
}

/** Throws 404 if what the path names does not exist, whatever else is wrong with the request (section 4.1). */
async function assertFound(ctx: ApiContext, operation: Operation, path: PlainRequest['path']): Promise<void> {
  const { pathParameters } = operation;
  for (const reader of readersOf(operation)) {
    const named = reader.pathParameters.map(({ name }, at) => [name, path[pathParameters[at]?.name ?? name]] as const);
    const request = { operationId: reader.operationId, path: Object.fromEntries(named), query: {}, header: {} };
    if (contractErrors(request, ctx.today).length > 0) return;
    await run(ctx, request);
  }
}

/** RFC 6750 section 3.1. Only REST sends the header: over MCP the HTTP request itself succeeds. */
const missingScope = (scope: string) =>
  refusal(
    403,
    'scope',
    "This credential can only read. In the dashboard (/dashboard), the company's main account can issue one that can write.",
    { required_scope: scope },
    { 'WWW-Authenticate': bearerChallenge({ error: 'insufficient_scope', scope }) },
  );

function run<O extends OperationId>(
  ctx: ApiContext,
  { operationId, path, query, header, body }: PlainRequest & { operationId: O },
): Promise<PlainReply> {
  const { defaults } = operationOf(operationId);
  const input = { path, query: { ...defaults.query, ...query }, header: { ...defaults.header, ...header }, body };
  // The only place where a request becomes an Input: contractErrors has just found it valid.
  return table[operationId].run(ctx, input as Input<O, keyof Query<O>>);
}
