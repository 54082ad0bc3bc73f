import type { Texts } from '../texts/texts.ts';

/** An actor as the audit trail and a job's history store it, for administrators: `credential:5` is "Credential 5". */
export function actorText(actor: string, { words }: Texts): string {
  const [kind = '', id = ''] = actor.split(':');
  if (kind === 'credential') return words.credential(id);
  if (kind === 'user') return words.account(id);
  return kind === 'administrator' ? words.administratorNamed(id) : words.operator;
}

/** The same for a company: its own credential or account; administrators and operators stay unnamed. */
export const actorTextForCompany = (actor: string, texts: Texts): string =>
  /^(credential|user):/.test(actor) ? actorText(actor, texts) : texts.words.administrator;
