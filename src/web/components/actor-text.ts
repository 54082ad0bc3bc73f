import type { ActorNames } from '../../domain/actor.ts';
import type { Translate } from '../texts/t.ts';

/** An actor as the audit trail and a job's history store it, for administrators: `administrator:5` is "Administrator 5". */
export function actorText(actor: string, names: ActorNames, t: Translate): string {
  const [kind = '', id = ''] = actor.split(':');
  const name = names.get(actor);
  if (name !== undefined) return name;
  if (kind === 'credential') return t('Credential {{id}}', { id });
  if (kind === 'user') return t('Account {{id}}', { id });
  return kind === 'administrator' ? t('Administrator {{id}}', { id }) : t('operator');
}

/** The same for a company: its own credentials and people by name; administrators and operators stay unnamed. */
export function actorTextForCompany(actor: string, names: ActorNames, t: Translate): string {
  if (actor.startsWith('credential:')) return names.get(actor) ?? t('Removed credential');
  return actor.startsWith('user:') ? (names.get(actor) ?? t('Removed account')) : t('Administrator');
}
