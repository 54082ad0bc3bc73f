import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/database/prisma-folder.ts';

const run = promisify(execFile);

/** An empty CommonJS project in which npm has installed the packed client and its packed dependencies, without the network. */
export async function installPackedClient(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vaga-client-'));
  const packages = ['dist/vaga-client.tgz', 'node_modules/openapi-fetch', 'node_modules/openapi-typescript-helpers'];
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', [...pack, ...packages.map((path) => `./${path}`)], { cwd: packageRoot });
  const packed: { filename: string }[] = JSON.parse(stdout);
  await writeFile(join(folder, 'package.json'), '{"private": true}');
  const files = packed.map(({ filename }) => `./${filename}`);
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...files], { cwd: folder });
  return folder;
}

/** A README's examples that use the client, changed to another address. */
export async function examplesOf(readme: string, address: string): Promise<string[]> {
  const text = await readFile(join(packageRoot, readme), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
  return blocks
    .filter((code) => code.includes("'@vaga/client'"))
    .map((code) => code.replace('http://127.0.0.1:3000', address));
}
