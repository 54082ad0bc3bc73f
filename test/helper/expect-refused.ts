import { expect } from 'chai';
import { ApiError, type RejectionCode } from '../../src/domain/errors.ts';

/** Expects a refusal with this code and returns its message. */
export async function expectRefused(code: RejectionCode, act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.code).to.equal(code);
    return error.message;
  }
  throw new Error(`expected the refusal ${code}`);
}
