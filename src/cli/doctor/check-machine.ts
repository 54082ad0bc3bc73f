import { readFileSync } from 'node:fs';
import { type Finding, fine, wrong } from './finding.ts';

const nodeMin = [20, 19] as const;
/** A connection of a client takes one; 2,000 idle ones are nothing unusual. */
const filesMin = 4096;

/** `version` as in process.versions.node. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [majorMin, minorMin] = nodeMin;
  const isNew = major > majorMin || (major === majorMin && minor >= minorMin);
  return isNew
    ? fine('node', version)
    : wrong('node', `${version} is too old`, `use Node.js ${nodeMin.join('.')} or newer`);
}

/** Of this process, which has that of the service if both are started in the same way. Linux only. */
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
