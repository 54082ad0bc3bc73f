import { expect } from 'chai';
import { ActionError, type ActionErrorCode } from '../../src/operations/errors.ts';

/** Expects a refusal with this code, and gives its message. */
export async function expectRefused(code: ActionErrorCode, act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    expect(error.code).to.equal(code);
    return error.message;
  }
  throw new Error(`expected the refusal ${code}`);
}
