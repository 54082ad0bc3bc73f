import * as z from 'zod';
import { unknownCredential } from '../../../domain/errors.ts';
import { declare, type Unchanged } from '../../kit/declare.ts';
import { reason } from '../../kit/fields.ts';
import { type Recorded, recordedFor } from '../../kit/recorded.ts';
import { changeCredential, findCredential } from '../credentials-sql.ts';
import { credentialFields, locateCredential, noLonger, ofCredential } from './list-credentials.ts';

interface Revoked extends Unchanged {
  readonly companyId: bigint;
  readonly revokedAt: Date;
}

/**
 * Revokes a credential from its next request on. Revoking again returns the time of the first revocation. Throws `unknown_company`, and
 * `unknown_credential`, also for another company's credential.
 */
export const revokeCredential = declare({
  command: 'credential revoke',
  title: 'Revoke a credential',
  label: 'Revoke',
  by: ['operator', 'administrator', 'main account'],
  records: 'credential.revoked',
  whileSuspended: true,
  dangerous: 'The credential stops working with its next request, over REST and MCP. This cannot be undone.',
  input: z.object({ ...credentialFields, reason: reason().optional() }),
  subject: ofCredential,
  done: 'The credential is revoked.',
  run: async (ctx, ref) => {
    const { companyId, credentialId } = await locateCredential(ctx, ref);
    return recordedFor(ctx, companyId, async (tx): Promise<Recorded<Revoked>> => {
      const credential = await findCredential(tx, companyId, credentialId);
      if (!credential) throw unknownCredential(credentialId);
      const { environment, revokedAt } = credential;
      if (revokedAt) return { result: { companyId, revokedAt, settled: noLonger(credential) }, audit: null };
      await changeCredential(tx, companyId, credentialId, { revokedAt: ctx.now });
      const details = { credential_id: Number(credentialId) };
      return { result: { companyId, revokedAt: ctx.now }, audit: { environment, details } };
    });
  },
});
