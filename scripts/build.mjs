// Plain JavaScript, because it runs before anything is compiled and before every start.
// node scripts/build.mjs [--if-stale]: generates the Prisma client, compiles to dist/, and copies the
// contract, the generated texts and the assets of the pages. The typed client becomes a package of its own, dist/client.
import { spawnSync } from 'node:child_process';
import fs, { copyFileSync, cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchRenderer } from './fetch-renderer.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'dist', '.built');
const tsc = join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
const inputs = 'src scripts test generated prisma openapi.yaml tsconfig.json package-lock.json'.split(' ');

const modifiedAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

/** Packages of their own. */
const apart = [
  'scripts/bench',
  'scripts/check',
  'scripts/mutants',
  'test/conformance/node_modules',
  'test/generators/node_modules',
  'test/agents/node_modules',
].map((path) => join(root, path));

function newest(path) {
  if (!existsSync(path) || apart.includes(path)) return 0;
  if (!statSync(path).isDirectory()) return modifiedAt(path);
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function run(args, options = {}) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', ...options });
  if (status !== 0) process.exit(status ?? 1);
}

function generatePrismaClient() {
  // Prisma insists on a schema engine that `generate` never runs; naming any existing file spares the download.
  const offline = {
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  };
  run(['node_modules/prisma/build/index.js', 'generate', '--no-hints', '--schema=prisma/schema.prisma'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...offline },
  });
}

const compiled = /\.(js(\.map)?|d\.ts)$/;

/** Removes the output of deleted files: a deleted test would still run. */
function prune(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!compiled.test(name) || name.includes('node_modules')) continue;
    const source = join(root, name.replace(compiled, ''));
    if (!['.ts', '.tsx', '.js'].some((extension) => existsSync(source + extension))) rmSync(join(folder, name));
  }
}

const copied = [
  'openapi.yaml',
  'generated/renderer',
  'src/web/assets',
  'src/web/texts/pt.json',
  'src/web/reference/connect-an-agent.md',
];

/** Waits until no other process builds here. The next one waits until what this returns is called, or this process ends. */
function waitForOthers() {
  const lock = join(root, 'dist', '.building');
  const release = () => fs.rmSync(lock, { force: true });
  fs.mkdirSync(dirname(lock), { recursive: true });
  for (let isFirst = true; ; isFirst = false)
    try {
      fs.writeFileSync(lock, `${process.pid}`, { flag: 'wx' });
      process.once('exit', release);
      return () => process.off('exit', release) && release();
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (isFirst) console.error(`Waiting for another build, or until ${lock} is deleted.`);
      if (!isHeld(lock)) release();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
}

/** Whether the process that a lock names may still run. */
function isHeld(lock) {
  try {
    return process.kill(Number(fs.readFileSync(lock, 'utf8')), 0);
  } catch ({ code }) {
    return code !== 'ESRCH';
  }
}

/** With `ifStale`, builds only if an input is newer than the last build, and never in production, where another user built elsewhere. */
export function build(ifStale) {
  if (ifStale && existsSync(stamp) && (process.env.NODE_ENV === 'production' || !existsSync(tsc))) return;
  const isFresh = () =>
    existsSync(stamp) && Math.max(...inputs.map((name) => newest(join(root, name)))) <= modifiedAt(stamp);
  if (ifStale && isFresh()) return;
  if (!existsSync(tsc)) {
    console.error('Not built: TypeScript is not installed (npm ci without --omit=dev installs it).');
    process.exit(1);
  }

  const release = waitForOthers();
  if (ifStale && isFresh()) return release();
  const client = join(root, 'generated', 'prisma', 'client.ts');
  // A failed build must not look finished.
  rmSync(stamp, { force: true });
  if (modifiedAt(client) < modifiedAt(join(root, 'prisma', 'schema.prisma'))) generatePrismaClient();
  fetchRenderer(join(root, 'generated', 'renderer'));
  run([tsc, '-p', 'tsconfig.json']);
  const texts = readdirSync(join(root, 'generated')).filter((file) => /\.(json|txt|yaml)$/.test(file));
  rmSync(join(root, 'dist/generated/renderer'), { recursive: true, force: true });
  for (const name of [...copied, ...texts.map((file) => `generated/${file}`)])
    cpSync(join(root, name), join(root, 'dist', name), { recursive: true });
  prune(join(root, 'dist'));
  rmSync(join(root, 'dist', 'client'), { recursive: true, force: true });
  run([tsc, '-p', 'src/client/tsconfig.json', '--noCheck']);
  for (const file of ['src/client/package.json', 'src/client/README.md', 'LICENSE'])
    copyFileSync(join(root, file), join(root, 'dist', 'client', basename(file)));
  // A first start copies this cluster instead of making one.
  run(['dist/scripts/make-template.js']);
  writeFileSync(stamp, '');
  release();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build(process.argv.includes('--if-stale'));
