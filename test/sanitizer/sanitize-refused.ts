import { expect } from 'chai';
import { ApiError } from '../../src/domain/errors.ts';

/** The refusal that `answer` rejects with; anything else fails the test. */
export async function refusalOf(answer: Promise<unknown>): Promise<ApiError> {
  const error = await answer.then(
    (value) => expect.fail(`was not refused: ${String(value).slice(0, 80)}`),
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(ApiError);
  return error as ApiError;
}

/** Expects 422 with exactly one message, on `body`; returns the message. */
export async function bodyRefusal(answer: Promise<unknown>): Promise<string> {
  const { status, details } = await refusalOf(answer);
  expect(status).to.equal(422);
  expect(details).to.have.all.keys('body');
  expect(details.body).to.have.length(1);
  return String((details.body as string[])[0]);
}
