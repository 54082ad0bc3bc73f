import type { Command } from 'commander';
import { ConfigError, readConfig } from '../config.ts';
import { registryEntry } from '../mcp/discovery.ts';
import { addCommand, type Host } from './command-of.ts';

/** Throws a ConfigError for settings that the registry would not accept. */
export function serverJson(parent: Command, host: Host): void {
  addCommand(parent, {
    name: 'server-json',
    description: "print server.json, with which an operator publishes the service in MCP's registry",
    note: '\nNeeds PUBLIC_URL, and SERVER_NAME if the registry knows you by another domain. No database is opened.\n',
    example: 'server-json > server.json',
  }).action(() =>
    host.examine(async (env) => {
      const { publicUrl, serverName } = readConfig(env);
      // A client would send its token to this address.
      if (!/^https:/i.test(publicUrl)) throw new ConfigError('PUBLIC_URL must be set to an https address');
      const data = registryEntry(publicUrl, serverName);
      if (!data) throw new ConfigError('SERVER_NAME must be set, because PUBLIC_URL has no domain name');
      return { data, text: JSON.stringify(data, null, 2) };
    }),
  );
}
