import { readFileSync } from 'node:fs';
import type { Request, RequestHandler } from 'express';
import { checkClient } from '../auth/authenticate-request.ts';
import { type Environment, environmentOfPath, environments, policy } from '../domain/environment.ts';
import { methodNotAllowed, refusal } from '../domain/errors.ts';
import { identifierOf, isServerName, serverNameOf } from '../domain/server-name.ts';
import { builtFile } from '../files.ts';
import { clientInfoOf } from '../server/client-info.ts';
import type { AdapterDeps } from '../server/deps.ts';
import { ownAddress } from '../server/own-address.ts';
import { type Published, publish, sendPublished } from '../server/published.ts';
import { originCheck } from './origin-check.ts';
import { serverInfo, versions } from './versions.ts';

/** The service under its public address and name. */
interface Site {
  /** An absolute address without a trailing slash. */
  readonly address: string;
  /** `reverse.dns/name`. If undefined, the name is made from the address. */
  readonly serverName: string | undefined;
}

/** A public document for clients that look for the service. */
interface DiscoveryDocument {
  readonly path: string;
  readonly type: string;
  readonly maxAgeSeconds: number;
  /** Whether the document is served even if the service's address is unknown, with paths instead of addresses. Other documents are then 404. */
  readonly mayLackAddress?: true;
  readonly make: (site: Site) => string;
}

const cardType = 'application/mcp-server-card+json';
const cardPath = (environment: Environment): string => `${policy[environment].mcpPath}/server-card`;
const json = (make: (site: Site) => object) => ({
  maxAgeSeconds: 3600,
  make: (site: Site) => JSON.stringify(make(site)),
});
const llms = readFileSync(builtFile('generated/llms.txt'), 'utf8');

export const discoveryDocuments: readonly DiscoveryDocument[] = [
  { path: cardPath('production'), type: cardType, ...json((site) => serverCard('production', site)) },
  { path: cardPath('sandbox'), type: cardType, ...json((site) => serverCard('sandbox', site)) },
  { path: '/.well-known/ai-catalog.json', type: 'application/ai-catalog+json', ...json(aiCatalog) },
  {
    path: '/llms.txt',
    type: 'text/plain; charset=utf-8',
    maxAgeSeconds: 300,
    mayLackAddress: true,
    make: ({ address }) => llms.replaceAll('{address}', address),
  },
];

/** https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json; a card lists no tools. */
const serverCard = (environment: Environment, site: Site) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  ...serverOf(environment, site),
  remotes: [{ ...remoteOf(environment, site), supportedProtocolVersions: versions }],
});

/** https://github.com/Agent-Card/ai-catalog: one entry per environment. */
function aiCatalog(site: Site) {
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

/** The registry's server.json for a PUBLIC_URL. Undefined if the registry would not accept the service's name. */
export function registryEntry(publicUrl: string, serverName: string | undefined) {
  const site = { address: publicUrl, serverName };
  const server = serverOf('production', site);
  if (!isServerName(server.name)) return undefined;
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...server,
    remotes: environments.map((environment) => remoteOf(environment, site)),
  };
}

/** The description of one environment's server, for cards and the registry. */
const serverOf = (environment: Environment, site: Site) => ({
  name: nameIn(environment, site),
  title: serverInfo.title,
  version: serverInfo.version,
  description: descriptions[environment],
  websiteUrl: `${site.address}/docs`,
});

/** At most 100 characters. */
const descriptions: Readonly<Record<Environment, string>> = {
  production: "Create, read, list, change and withdraw a company's job offers.",
  sandbox: "Test creating, reading, listing, changing and withdrawing a company's job offers.",
};

/** How to connect to one environment. */
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

/** Names are unique, so the sandbox has its own. */
function nameIn(environment: Environment, { address, serverName }: Site): string {
  const name = serverName ?? serverNameOf(address, serverInfo.name);
  return environment === 'sandbox' ? `${name}-sandbox` : name;
}

/** Public metadata: pages of any site may read it. */
const cors = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Allow-Headers': 'Content-Type, If-None-Match',
  'Access-Control-Expose-Headers': 'ETag',
};

/**
 * Serves a discovery document without authentication.
 * Throws, in this order: 400 `https`, 429 `address`, 405 `method`, 403 `permission` for a foreign Host, 404 `path` if the address is unknown.
 */
export function serveDiscovery(
  { path, type, maxAgeSeconds, mayLackAddress, make }: DiscoveryDocument,
  deps: AdapterDeps,
  serverName: string | undefined,
): RequestHandler {
  const { auth, listener, services } = deps;
  // Checks only Host: pages of any site may read these documents.
  const checkHost = originCheck('', listener.isLoopback);
  const published = new Map<string, Published>();
  return async (request, response) => {
    response.set(cors);
    await checkClient(auth, clientInfoOf(request, environmentOfPath(path), listener));
    if (isPreflight(request)) return void response.status(204).end();
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
    const known = ownAddress(deps, request);
    if (services.publicUrl === '' && known !== undefined && !mayLackAddress)
      checkHost({ headers: { host: request.headers.host } });
    const address = known ?? (mayLackAddress && '');
    if (address === undefined)
      throw refusal(404, 'path', 'The service does not know its public address; its operator must set PUBLIC_URL.');
    const caching = { 'Cache-Control': `public, max-age=${maxAgeSeconds}` };
    const found = published.get(address) ?? publish(type, make({ address, serverName }), caching);
    published.set(address, found);
    await sendPublished(request, response, found);
  };
}

const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
