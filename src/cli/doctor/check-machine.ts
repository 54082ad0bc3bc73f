import { X509Certificate } from 'node:crypto';
import { constants, readFileSync, statSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backupAgeSeconds, type Config, ConfigError, contentOf } from '../../config.ts';
import { firstLine } from '../../database/database-errors.ts';
import type { Env } from '../command-of.ts';
import { type Finding, fine, orFine, wrong } from './finding.ts';

/** Backups run every 24 hours, and a backup may be 12 hours late. */
const backupHoursMax = 36;

const freeBytesMin = 1024 ** 3;

const nodeMin = [20, 19] as const;
/** Major versions on which the service runs, but which no longer get security fixes. */
const ended = [20, 21, 23, 25];
/** Each client connection takes one open file; 2,000 idle connections are not unusual. */
const filesMin = 4096;

/** `version` as in process.versions.node. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [majorMin, minorMin] = nodeMin;
  const isNew = major > majorMin || (major === majorMin && minor >= minorMin);
  if (!isNew)
    return wrong('node', `${version} is too old`, `use Node.js 24; ${nodeMin.join('.')} is the oldest that works`);
  return ended.includes(major)
    ? wrong('node', `${version} gets no security fixes any more`, 'use Node.js 24')
    : fine('node', version);
}

/** Reads the file of NODE_EXTRA_CA_CERTS. If Node.js cannot read that file, it starts without the extra certificates. */
export function checkExtraCertificates({ NODE_EXTRA_CA_CERTS: file }: Env): Finding[] {
  if (!file) return [];
  const check = 'extra certificates';
  try {
    const certificate = new X509Certificate(contentOf('NODE_EXTRA_CA_CERTS', file));
    return [fine(check, `${file}, the first for ${certificate.subject}`)];
  } catch (error) {
    const found =
      error instanceof ConfigError ? error.message : `NODE_EXTRA_CA_CERTS names no certificate in PEM: ${file}`;
    return [wrong(check, found, 'correct it: Node.js goes on without them')];
  }
}

/** Checks this process's limit, which equals the service's if both are started in the same way. Linux only. */
export function checkOpenFiles(): Finding[] {
  const limits = readLimits();
  if (limits === undefined) return [];
  // Node.js raises its soft limit to the hard one when it starts.
  const hard = /^Max open files\s+\S+\s+(\S+)/m.exec(limits)?.[1] ?? '';
  const check = 'open files';
  if (hard === 'unlimited' || Number(hard) >= filesMin) return [fine(check, `at most ${hard}`)];
  return [wrong(check, `at most ${hard}`, `raise it to ${filesMin} or more: LimitNOFILE of systemd, or ulimit -n`)];
}

function readLimits(): string | undefined {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return undefined;
  }
}

/** Checks the age of the backup that BACKUP_FILE names. */
export function checkBackup(config: Config): Finding[] {
  const age = backupAgeSeconds(config);
  if (age === undefined) return [];
  const check = 'backup';
  const hours = Math.floor(age / 3600);
  const file = config.backupFile ?? '';
  const fix = 'back up again, as scripts/deploy/operate.md says, to a folder that the service may enter';
  return orFine(
    [
      age === Number.POSITIVE_INFINITY && wrong(check, whyNoBackup(file), fix),
      age < Number.POSITIVE_INFINITY && hours > backupHoursMax && wrong(check, `it is ${hours} hours old`, fix),
    ],
    check,
    `${hours} hours old`,
  );
}

function whyNoBackup(file: string): string {
  try {
    const found = statSync(file);
    return found.isFile() && found.size === 0
      ? `${file} is empty`
      : `${file} is no file, or its time is in the future: a clock is wrong`;
  } catch {
    return `there is no file ${file}`;
  }
}

/** Checks that the data folder can be written and has space. */
export async function checkDataFolder(dataDir: string): Promise<Finding[]> {
  const folder = await nearestFolder(dataDir);
  const check = 'data folder';
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return [wrong(check, `DATA_DIR cannot be written: ${firstLine(error)}`, "give the service's user its folder")];
  }
  const { bavail, bsize } = await statfs(folder);
  const found = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GB are free in ${folder}`;
  return [
    bavail * bsize < freeBytesMin
      ? wrong(check, found, 'free some space: a full disk stops the service')
      : fine(check, found),
  ];
}

/** Returns the folder if it exists, otherwise its nearest existing parent: the service's first start creates the folder there. */
async function nearestFolder(folder: string): Promise<string> {
  const parent = dirname(folder);
  const exists = await access(join(folder, '.')).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
  return exists || parent === folder ? folder : nearestFolder(parent);
}
