import * as z from 'zod';
import { rejection, unknownCredential } from '../../../domain/errors.ts';
import type { Message } from '../../../domain/message.ts';
import { declare } from '../../kit/declare.ts';
import { wholeNumber } from '../../kit/fields.ts';
import { recordedFor } from '../../kit/recorded.ts';
import { changeCredential, findCredential } from '../credentials-sql.ts';
import { addCredential, days } from './issue-credential.ts';
import { credentialFields, credentialState, hasEnded, locateCredential, ofCredential } from './list-credentials.ts';

/** 30 days. */
const overlapHoursMax = 720;
const overlapHoursUsual = 24;
const hourMs = 3_600_000;

function overlapOf(hours: number): Message {
  if (hours === 0) return { text: 'None, it ends now' };
  return hours % 24 > 0
    ? { text: '{{count}} hours', params: { count: hours, one: '{{count}} hour' } }
    : { text: '{{count}} days', params: { count: hours / 24, one: '{{count}} day' } };
}

/**
 * Issues a credential with the environment, access and label of an old one. The old one ends after the overlap, and counts towards the
 * limit until then. Throws `unknown_company`, `unknown_credential`, `invalid_input`, `credential_limit` and `credential_ended`.
 */
export const replaceCredential = declare({
  command: 'credential replace',
  title: 'Replace a credential',
  label: 'Replace',
  by: ['operator', 'main account'],
  records: 'credential.replaced',
  input: z.object({
    ...credentialFields,
    overlapHours: wholeNumber(0, overlapHoursMax).meta({
      label: 'How long the old one still works',
      hint: 'Allow enough time to update every integration. Until then, both credentials count towards the limit.',
      placeholder: 'hours',
    }),
    days: days(),
  }),
  choices: {
    overlapHours: async () => [0, 1, 24, 168, 336, 720].map((hours) => [String(hours), overlapOf(hours)]),
  },
  subject: async (ctx, ref) => {
    const subject = await ofCredential(ctx, ref);
    return { ...subject, values: { ...subject.values, overlapHours: overlapHoursUsual } };
  },
  done: 'credential {{credential_id}}, until {{expiresAt}}; the old one ends at {{ends_at}}. Keep the new secret, it is not shown again:\n{{secret}}',
  run: async (ctx, { overlapHours, days, ...ref }) => {
    const { companyId, credentialId } = await locateCredential(ctx, ref);
    return recordedFor(ctx, companyId, async (tx) => {
      const old = await findCredential(tx, companyId, credentialId);
      if (!old) throw unknownCredential(credentialId);
      if (hasEnded(credentialState(old, ctx.now)))
        throw rejection('credential_ended', 'This credential has ended; issue a new one.');
      const overlapEnd = new Date(ctx.now.getTime() + overlapHours * hourMs);
      const endsAt = old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd;
      // Without an overlap, the old one is revoked: it then ends at once even on a process whose clock is seconds behind.
      const end = overlapHours === 0 ? { revokedAt: ctx.now } : { expiresAt: endsAt };
      await changeCredential(tx, companyId, credentialId, end);
      const { environment, access, label } = old;
      const issued = await addCredential(tx, { companyId, environment, access, label, days }, ctx.now);
      await changeCredential(tx, companyId, credentialId, { replacedBy: issued.credentialId });
      const [newId, oldId] = [Number(issued.credentialId), Number(credentialId)];
      const details = { credential_id: newId, replaced_id: oldId, access, days, overlap_hours: overlapHours };
      return { result: { ...issued, endsAt }, audit: { environment, details } };
    });
  },
  shows: ({ credentialId, secret, endsAt }, input) => ({
    credential_id: credentialId,
    secret,
    replaced_id: input.credentialId,
    ends_at: endsAt,
  }),
});
