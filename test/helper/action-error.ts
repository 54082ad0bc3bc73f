import { expect } from 'chai';
import { ActionError, type ActionErrorCode } from '../../src/operations/errors.ts';
import { db } from './fixtures.ts';

/** Expects a refusal with this code, and gives its message. */
export async function refused(code: ActionErrorCode, act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    expect(error.code).to.equal(code);
    return error.message;
  }
  throw new Error(`expected the refusal ${code}`);
}

/** What the audit trail says of a company, oldest first. */
export async function auditOf(companyId: bigint): Promise<{ actor: string; action: string; details: unknown }[]> {
  const select = { actor: true, action: true, details: true };
  return db().auditEntry.findMany({ where: { companyId }, select, orderBy: { id: 'asc' } });
}

export async function lastAudit(companyId: bigint): Promise<{ actor: string; action: string; details: unknown }> {
  const last = (await auditOf(companyId)).at(-1);
  if (!last) throw new Error('the audit trail is empty');
  return last;
}
