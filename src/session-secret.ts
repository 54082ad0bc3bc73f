import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, ConfigError } from './config.ts';
import type { Log } from './log.ts';

const fileName = 'session-secret';

/**
 * The secret that signs the cookies of page sessions: the setting, else a file in the embedded database's folder, else a random one,
 * so that sign-ins end with this process.
 */
export async function sessionSecret(config: Config, kind: 'embedded' | 'server', log: Log): Promise<string> {
  if (config.sessionSecret !== undefined) return config.sessionSecret;
  if (kind === 'embedded') return secretIn(config.dataDir);
  log.warn('SESSION_SECRET is not set: sign-ins end with this process and are not shared with others');
  return newSecret();
}

const newSecret = (): string => randomBytes(32).toString('base64url');

async function secretIn(folder: string): Promise<string> {
  try {
    return await keptIn(join(folder, fileName));
  } catch (error) {
    throw new ConfigError(`DATA_DIR: its file ${fileName} cannot be used: ${(error as Error).message}`);
  }
}

async function keptIn(path: string): Promise<string> {
  try {
    await writeFile(path, newSecret(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFile(path, 'utf8');
}
