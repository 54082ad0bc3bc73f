import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { backupAgeSeconds, type Config, ConfigError, contentOf } from '../../config.ts';
import type { Env } from '../command-of.ts';
import { type Finding, fine, orFine, wrong } from './finding.ts';

/** Backups run every 24 hours, and a backup may be 12 hours late. */
const backupHoursMax = 36;

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
