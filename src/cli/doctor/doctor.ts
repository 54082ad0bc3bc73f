import type { Command } from 'commander';
import { ConfigError, readConfig } from '../../config.ts';
import { releaseName } from '../../release.ts';
import { addCommand, type Env, type Host } from '../command-of.ts';
import { checkDatabase } from './check-database.ts';
import { checkCertificate, checkPublicAddress } from './check-https.ts';
import { checkBackup, checkExtraCertificates, checkNode, checkOpenFiles } from './check-machine.ts';
import { checkAddresses, checkNames, checkSettings } from './check-settings.ts';
import { type Finding, fine, wrong } from './finding.ts';

export function doctor(parent: Command, host: Host): void {
  addCommand(parent, {
    name: 'doctor',
    description:
      'check the settings, the machine and all that the service depends on; exit code 1 if anything is wrong',
    note: '\nRun it with the settings of the service and as its user, beside a running service or before its start. It changes nothing.\n',
    example: 'doctor --json',
  })
    .option('--restored', 'after a restore: also whether rows or counts are missing; reads whole tables')
    .action(({ restored = false }: { restored?: boolean }) =>
      host.examine(async (env) => {
        const findings = await examine(env, restored);
        const isWell = findings.every(({ fix }) => fix === undefined);
        const checks = findings.map((finding) => ({ ...finding, ok: finding.fix === undefined }));
        return { isWell, data: { ok: isWell, checks }, text: findings.map(lineOf).join('\n') };
      }),
    );
}

async function examine(env: Env, isRestored: boolean): Promise<Finding[]> {
  const machine = [
    fine('release', releaseName),
    checkNode(process.versions.node),
    ...checkOpenFiles(),
    ...checkExtraCertificates(env),
    ...checkNames(env),
  ];
  try {
    const config = readConfig(env);
    const checks = [checkDatabase(config, isRestored), checkPublicAddress(config)];
    return [
      ...machine,
      ...checkSettings(config),
      ...(await checkAddresses(config)),
      ...checkCertificate(config),
      ...checkBackup(config),
      ...(await Promise.all(checks)).flat(),
    ];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...machine, wrong('settings', error.message, 'correct it: the service does not start')];
  }
}

const lineOf = ({ check, found, fix }: Finding): string => {
  const line = fix === undefined ? `ok: ${check}: ${found}` : `WRONG: ${check}: ${found}; ${fix}`;
  return line.replace(/\s+/g, ' ');
};
