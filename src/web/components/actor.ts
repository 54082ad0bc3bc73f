import type { Translate } from '../texts/t.ts';

/** An actor as the audit trail and a job's history store it, for administrators: `credential:5` is "Credential 5". */
export function actorText(actor: string, t: Translate): string {
  const [kind = '', id = ''] = actor.split(':');
  if (kind === 'credential') return t('Credential {{id}}', { id });
  if (kind === 'user') return t('Account {{id}}', { id });
  return kind === 'administrator' ? t('Administrator {{id}}', { id }) : t('operator');
}

/** The same for a company: its own credential or account; administrators and operators stay unnamed. */
export const actorTextForCompany = (actor: string, t: Translate): string =>
  /^(credential|user):/.test(actor) ? actorText(actor, t) : t('Administrator');
