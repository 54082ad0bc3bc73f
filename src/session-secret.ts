import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, ConfigError, isSessionSecret } from './config.ts';
import type { Log } from './log.ts';

const pathIn = (dataDir: string): string => join(dataDir, 'session-secret');

/**
 * The secret that signs the cookies of page sessions: the setting, else a file in the embedded database's folder, else a random one,
 * so that sign-ins end with this process.
 */
export async function sessionSecret(config: Config, kind: 'embedded' | 'server', log: Log): Promise<string> {
  if (config.sessionSecret !== undefined) return config.sessionSecret;
  if (kind === 'embedded') return secretIn(config.dataDir).catch(asConfigError);
  log.warn('SESSION_SECRET is not set: sign-ins end with this process and are not shared with others');
  return newSecret();
}

const newSecret = (): string => randomBytes(32).toString('base64url');

const asConfigError = ({ message }: Error): never => {
  throw new ConfigError(`DATA_DIR: its file session-secret cannot be used: ${message}`);
};

/** A secret that was not written whole has signed nothing, and is replaced. */
async function secretIn(dataDir: string): Promise<string> {
  const kept = await readKept(dataDir);
  if (kept !== undefined && isSessionSecret(kept)) return kept;
  const secret = newSecret();
  const path = pathIn(dataDir);
  await writeFile(`${path}.new`, secret, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
  return secret;
}

const readKept = (dataDir: string): Promise<string | undefined> =>
  readFile(pathIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? undefined : Promise.reject(error),
  );

/** False for a secret that the next start replaces. Throws the system's error. */
export const isKeptWhole = async (dataDir: string): Promise<boolean> =>
  isSessionSecret((await readKept(dataDir)) ?? newSecret());
