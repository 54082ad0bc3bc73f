import { type Environment, environments, policy } from '../domain/environment.ts';
import { isServerName, serverNameOf } from '../domain/server-name.ts';
import { serverInfo, versions } from './versions.ts';

/** The service as its clients see it. */
export interface Site {
  /** An absolute address without a trailing slash. */
  readonly address: string;
  /** `reverse.dns/name`; made from the address if undefined. */
  readonly serverName: string | undefined;
}

/** PUBLIC_URL in the form of the documents. */
export const siteAddress = (publicUrl: string): string => new URL(publicUrl).href.replace(/\/+$/, '');

/** A public JSON document. */
export interface DiscoveryDocument {
  readonly path: string;
  readonly type: string;
  readonly make: (site: Site) => object;
}

const cardType = 'application/mcp-server-card+json';

const cardPath = (environment: Environment): string => `${policy[environment].mcpPath}/server-card`;

export const discoveryDocuments: readonly DiscoveryDocument[] = [
  ...environments.map((environment) => ({
    path: cardPath(environment),
    type: cardType,
    make: (site: Site) => serverCard(site, environment),
  })),
  { path: '/.well-known/ai-catalog.json', type: 'application/ai-catalog+json', make: aiCatalog },
];

/** A name is unique, so the sandbox has its own. */
function nameIn(environment: Environment, { address, serverName }: Site): string {
  const name = serverName ?? serverNameOf(address, serverInfo.name);
  return environment === 'sandbox' ? `${name}-sandbox` : name;
}

/** At most 100 characters. */
const descriptions: Readonly<Record<Environment, string>> = {
  production: "Create, read, list, change and withdraw a company's job offers.",
  sandbox: "Test creating, reading, listing, changing and withdrawing a company's job offers.",
};

/** https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json; a card lists no tools. */
function serverCard(site: Site, environment: Environment): object {
  const remote = remoteOf(environment, site);
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: nameIn(environment, site),
    title: serverInfo.title,
    version: serverInfo.version,
    description: descriptions[environment],
    websiteUrl: `${site.address}/docs`,
    remotes: [{ ...remote, supportedProtocolVersions: versions }],
  };
}

/** How to connect to one environment, as server cards and the registry write it. */
function remoteOf(environment: Environment, { address }: Site) {
  const { mcpPath, tokenPrefix } = policy[environment];
  const description = `A ${environment} token of the company; it begins with ${tokenPrefix}.`;
  return {
    type: 'streamable-http',
    url: `${address}${mcpPath}`,
    headers: [
      {
        name: 'Authorization',
        description: 'A bearer token, issued in the dashboard. There is no OAuth.',
        isRequired: true,
        isSecret: true,
        value: 'Bearer {token}',
        variables: { token: { description, isRequired: true, isSecret: true } },
      },
    ],
  };
}

/** https://github.com/Agent-Card/ai-catalog: one entry per environment. */
function aiCatalog(site: Site): object {
  return {
    specVersion: '1.0',
    entries: environments.map((environment) => ({
      identifier: identifierOf(nameIn(environment, site)),
      displayName: `${serverInfo.title} (${environment})`,
      type: cardType,
      url: `${site.address}${cardPath(environment)}`,
    })),
  };
}

/** `pt.example.api/vaga` is `urn:air:api.example.pt:mcp:vaga`. */
function identifierOf(serverName: string): string {
  const [namespace = '', name = ''] = serverName.split('/');
  return `urn:air:${namespace.split('.').toReversed().join('.')}:mcp:${name}`;
}

/** The registry's server.json; undefined if the site has no name that the registry takes. */
export function registryEntry(site: Site): Readonly<Record<string, unknown>> | undefined {
  const name = nameIn('production', site);
  if (!isServerName(name)) return undefined;
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name,
    title: serverInfo.title,
    description: descriptions.production,
    version: serverInfo.version,
    websiteUrl: `${site.address}/docs`,
    remotes: environments.map((environment) => remoteOf(environment, site)),
  };
}
