import { expect } from 'chai';
import { ApiError, invalid, type RejectionCode } from '../../src/domain/errors.ts';
import { contractName, type FieldError } from '../../src/domain/message.ts';

/** The field and the message of each error, as a caller with these words reads them. */
export const saidOf = (errors: readonly FieldError[], nameOf = contractName): [field: string, message: string][] =>
  errors.flatMap((error) =>
    Object.entries(invalid([error], nameOf).details).map(([field, message]): [string, string] => [
      field,
      String(message),
    ]),
  );

/** Marks the names for which callers have their own words. */
export const marked = (name: string): string =>
  /^(Idempotency-Key|If-Match|request_body|query|GET .*)$/.test(name) ? `<${name}>` : name;

/** The refusal that `answer` rejects with; anything else fails the test. */
export async function refusalOf(answer: Promise<unknown>): Promise<ApiError> {
  const error = await answer.then(
    (value) => expect.fail(`was not refused: ${String(value).slice(0, 80)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw error;
  return error;
}

/** Expects a refusal with this code and returns its message. */
export async function expectRefused(code: RejectionCode, act: () => Promise<unknown>): Promise<string> {
  const refusal = await refusalOf(act());
  expect(refusal.code).to.equal(code);
  return refusal.message;
}
