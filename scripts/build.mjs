// Plain JavaScript, because it runs before anything is compiled and before every start.
// node scripts/build.mjs [--if-stale]: generates the Prisma client, compiles to dist/, and copies the
// contract, the generated texts and the assets of the pages. The typed client becomes a package of its own, in dist/client and, packed,
// in dist/vaga-client.tgz, which the service serves.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs, {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchRenderer } from './fetch-renderer.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'dist', '.built');
const tsc = join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
export const clientPackage = join(root, 'dist', 'vaga-client.tgz');
/** The list of migrations that `npm run generate` made anew, which scripts/follow-replaced.ts reads. Releases do not contain it. */
export const replaced = join(root, 'dist', 'run', 'replaced.json');
const inputs = 'src scripts test generated prisma openapi.yaml tsconfig.json package-lock.json'.split(' ');

const modifiedAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

/** Folders with packages of their own. Changes in these folders do not make the build stale. */
const apart = [
  'scripts/bench',
  'scripts/check',
  'scripts/mutants',
  'test/conformance/node_modules',
  'test/generators/node_modules',
  'test/agents/node_modules',
].map((path) => join(root, path));

/** The path of every file in a folder, or of the file itself, with the time of its last change. */
function filesOf(path) {
  if (!existsSync(path) || apart.includes(path)) return [];
  if (!statSync(path).isDirectory()) return [`${path.slice(root.length)} ${Math.trunc(modifiedAt(path))}`];
  return readdirSync(path).flatMap((name) => filesOf(join(path, name)));
}

/** Differs after any input is written, added, renamed or deleted. */
const stateOfInputs = () =>
  createHash('sha256')
    .update(inputs.flatMap((name) => filesOf(join(root, name))).join('\n'))
    .digest('hex');

/** Whether the last build finished, and was of the inputs as they are now. */
export const isFresh = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === stateOfInputs();

const start = (args, options = {}) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit', ...options });

/** Starts the compiler. Its defaults, four checkers and garbage collection, take nearly twice the CPU, more time and more memory. */
export const compile = (...args) => start([tsc, '--checkers', '2', ...args], { env: { ...process.env, GOGC: 'off' } });

/** Waits for a child process. If the child failed, exits with the child's exit code. */
async function must(child) {
  const [code] = await once(child, 'close');
  if (code !== 0) process.exit(code ?? 1);
}

/** Generates Prisma's client if the schema is newer. Resolves to an exit code. */
export async function generatePrismaClient() {
  const client = join(root, 'generated', 'prisma', 'client.ts');
  if (modifiedAt(client) >= modifiedAt(join(root, 'prisma', 'schema.prisma'))) return 0;
  // Prisma insists on a schema engine that `generate` never runs; naming any existing file avoids the download.
  const offline = {
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
    NODE_COMPILE_CACHE: join(root, 'dist', 'run', 'cache'),
  };
  const words = ['node_modules/prisma/build/index.js', 'generate', '--no-hints', '--schema=prisma/schema.prisma'];
  const env = { ...process.env, ...offline };
  const [code] = await once(start(words, { stdio: ['ignore', 'ignore', 'inherit'], env }), 'close');
  return code;
}

const compiled = /\.(js(\.map)?|d\.ts)$/;

/** Removes the output of deleted source files, because a deleted test would still run. */
function prune(folder) {
  for (const name of readdirSync(join(root, 'dist', folder), { recursive: true })) {
    if (!compiled.test(name) || name.includes('node_modules')) continue;
    const source = join(root, folder, name.replace(compiled, ''));
    if (!['.ts', '.tsx', '.js'].some((extension) => existsSync(source + extension)))
      rmSync(join(root, 'dist', folder, name));
  }
}

const copied = [
  'openapi.yaml',
  'generated/renderer',
  'src/web/assets',
  'src/web/texts/pt',
  'src/web/reference/connect-an-agent.md',
];

/** The commit of the sources, with a + if they differ from it. An image has no repository: its build names the commit in COMMIT. */
function commitOf() {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const { stdout, status } = git('rev-parse', '--short=8', 'HEAD');
  if (status !== 0 || !existsSync(join(root, '.git'))) return process.env.COMMIT || 'unknown';
  return stdout.trim() + (git('diff', '--quiet', 'HEAD').status === 0 ? '' : '+');
}

/** Writes the version and the commit to dist/release.json. */
export function writeRelease() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(root, 'dist', 'release.json'), `${JSON.stringify({ version, commit: commitOf() })}\n`);
}

/** Copies the files that the service reads to dist/. */
export function copyFiles() {
  const texts = readdirSync(join(root, 'generated')).filter((file) => /\.(json|txt|yaml)$/.test(file));
  for (const name of [...copied, ...texts.map((file) => `generated/${file}`)]) {
    rmSync(join(root, 'dist', name), { recursive: true, force: true });
    cpSync(join(root, name), join(root, 'dist', name), { recursive: true });
  }
}

/** Packs the typed client. The same sources must give the same bytes, because clients' lock files contain the package's digest. */
export async function packClient() {
  const folder = join(root, 'dist', 'client');
  rmSync(folder, { recursive: true, force: true });
  const client = ['-p', 'src/client/tsconfig.json', '--noCheck'];
  // Only the declarations have comments, for editors.
  await Promise.all([
    must(compile(...client, '--declaration', 'false', '--removeComments')),
    must(compile(...client, '--emitDeclarationOnly')),
  ]);
  for (const file of ['src/client/package.json', 'src/client/README.md', 'LICENSE'])
    copyFileSync(join(root, file), join(folder, basename(file)));
  copyFileSync(join(root, 'src/client/index.d.cts'), join(folder, 'src/client/index.d.cts'));
  const { stdout, stderr, status } = spawnSync('npm', ['pack', '--ignore-scripts', '--json', './client'], {
    cwd: dirname(folder),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm pack: ${stderr}`);
  renameSync(join(root, 'dist', JSON.parse(stdout)[0].filename), clientPackage);
}

/** Waits until no other process builds here, then takes the lock. The lock is released by the returned function, or when this process ends. */
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

/** Whether the process that a lock names may still be running. */
function isHeld(lock) {
  try {
    return process.kill(Number(fs.readFileSync(lock, 'utf8')), 0);
  } catch ({ code }) {
    return code !== 'ESRCH';
  }
}

/**
 * Builds. With `ifStale`, builds only if an input has changed since the last build; in production or without TypeScript, only if there is no
 * finished build, even one from another user or machine.
 */
export async function build(ifStale) {
  if (ifStale && existsSync(stamp) && (process.env.NODE_ENV === 'production' || !existsSync(tsc))) return;
  if (ifStale && isFresh()) return;
  if (!existsSync(tsc)) {
    console.error('Not built: TypeScript is not installed (npm ci without --omit=dev installs it).');
    process.exit(1);
  }

  const release = waitForOthers();
  if (ifStale && isFresh()) return release();
  // A failed build must not look finished.
  rmSync(stamp, { force: true });
  const code = await generatePrismaClient();
  if (code !== 0) process.exit(code ?? 1);
  fetchRenderer(join(root, 'generated', 'renderer'));
  // Before anything is compiled, so that the next build sees an edit that is saved during this one.
  const state = stateOfInputs();
  await must(compile('-p', 'tsconfig.json'));
  copyFiles();
  writeRelease();
  for (const folder of ['src', 'scripts', 'test', 'generated']) prune(folder);
  await must(start(['scripts/bundle.mjs']));
  await packClient();
  // Makes the PostgreSQL cluster that the first start on an embedded database copies, so that this start need not make one.
  await must(start(['dist/scripts/make-template.js']));
  writeFileSync(stamp, state);
  release();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build(process.argv.includes('--if-stale'));
