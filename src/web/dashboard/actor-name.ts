/** Who acted, as a company may know them: its own credential or account, and of ours only the kind. */
export function actorName(actor: string): string {
  const [kind = '', id = ''] = actor.split(':');
  if (kind === 'credential') return `Credential ${id}`;
  if (kind === 'user') return `Account ${id}`;
  return 'Administrator';
}
