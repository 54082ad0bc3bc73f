/** `reverse.dns/name` as MCP's registry requires it, with room for a suffix. */
const pattern = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+\/[a-z0-9._-]+$/i;
const lengthMax = 190;

export const isServerName = (text: string): boolean => text.length <= lengthMax && pattern.test(text);

/** The namespace for an address without a domain name. */
const local = 'localhost';

/** Makes `pt.example.api/vaga` of `https://api.example.pt` and `vaga`, and `localhost/vaga` of an address without a domain name. */
export function serverNameOf(address: string, name: string): string {
  const labels = new URL(address).hostname.split('.').filter(Boolean);
  const made = `${labels.toReversed().join('.')}/${name}`;
  return isServerName(made) ? made : `${local}/${name}`;
}

/** The identifier in a catalog: `urn:air:api.example.pt:mcp:vaga` for `pt.example.api/vaga`. */
export function identifierOf(serverName: string): string {
  const [namespace = '', name = ''] = serverName.split('/');
  return `urn:air:${namespace.split('.').toReversed().join('.')}:mcp:${name}`;
}
