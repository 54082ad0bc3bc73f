import { expect } from 'chai';
import { ApiError, type RejectionCode } from '../../src/domain/errors.ts';

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
