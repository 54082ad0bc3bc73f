import { readFileSync } from 'node:fs';
import { builtFile } from './files.ts';

/** The release that runs: the version in package.json (the contract has its own version), and the commit, if the build knew it. */
export interface Release {
  readonly version: string;
  readonly commit: string;
}

export const release: Release = JSON.parse(readFileSync(builtFile('release.json'), 'utf8'));

/** `1.1.0 (5e220beb)` */
export const releaseName = `${release.version} (${release.commit})`;
