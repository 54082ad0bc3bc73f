import * as z from 'zod';
import { deleteSessions } from '../../../auth/page-sessions-sql.ts';
import { declare } from '../../kit/declare.ts';
import { companyId, reason } from '../../kit/fields.ts';
import { recorded, recordedFor } from '../../kit/recorded.ts';

/** Signs out everybody, including administrators, or only the people of one company. Throws `unknown_company`. */
export const endSessions = declare({
  command: 'session end',
  title: 'End all sessions, or those of the people of one company',
  by: ['operator'],
  records: 'session.ended',
  dangerous: 'Everybody has to sign in again. What they are typing is kept by their browsers.',
  input: z.object({
    companyId: companyId().optional().meta({ hint: 'Without it, everybody, also administrators.' }),
    reason: reason().optional(),
  }),
  done: 'Sessions ended: {{sessions}}.',
  run: (ctx, { companyId }) => {
    const end = async (tx: Parameters<typeof deleteSessions>[0]) => {
      const sessions = await deleteSessions(tx, companyId);
      return { result: { sessions }, audit: sessions > 0 ? { details: { sessions } } : null };
    };
    return companyId === undefined ? recorded(ctx, end) : recordedFor(ctx, companyId, end);
  },
});
