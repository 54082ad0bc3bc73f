// npm run dev: runs the service, and restarts it after every edit of the contract, the sources or the database's schema. If an edit has a
// mistake, prints the mistake with its line, and leaves the service running unchanged.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { context } from 'esbuild';
import {
  clientPackage,
  compile,
  copyFiles,
  generatePrismaClient,
  packClient,
  replaced,
  writeRelease,
} from './build.mjs';
import { quickBundle } from './bundle.mjs';
import { fetchRenderer } from './fetch-renderer.mjs';
import { load } from './run.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folders = ['src', 'prisma'];
const outdir = 'dist/dev';
/** How long the files must be unchanged before `follow` runs. Editors write a file in several steps. */
const settleMs = 50;

fetchRenderer(join(root, 'generated', 'renderer'));
if (!existsSync(clientPackage)) await packClient();
const { generate, prepareMigrations } = await load('scripts/generate/generate.ts');
const { readConfig } = await load('src/config.ts');
// Packages are not bundled, because bundling them takes longer than it saves at a start.
const entryPoints = [...quickBundle.entryPoints, 'scripts/follow-replaced.ts'];
const bundle = await context({ ...quickBundle, entryPoints, outdir });

/** The running service, and the digest of the sources that it was made of. */
let service;
let served = '';
let typesCheck;
/** The text of replaced.json when follow-replaced.js last updated the database. */
let followed = '';

/** Files that an editor keeps beside the one that it edits, such as .rest.ts.swp and rest.ts~, and vim's 4913. */
const isOfEditor = (name) => /^[.#]|~$|^\d+$/.test(name);

const inFolders = (...names) =>
  names.flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }));
const pathOf = ({ parentPath, name }) => join(parentPath, name);
const isContract = ({ name }) => name === 'openapi.yaml';

function digestOf(entries) {
  const hash = createHash('sha256');
  const paths = entries.flatMap((entry) => (entry.isFile() && !isOfEditor(entry.name) ? pathOf(entry) : []));
  for (const path of paths) hash.update(path).update(readFileSync(path));
  return hash.digest('hex');
}

/** Of the programs of which this process has loaded some: they are loaded once. */
const digestOfScripts = () =>
  digestOf([...readdirSync(join(root, 'scripts'), { withFileTypes: true }), ...inFolders('scripts/generate')]);
const loaded = digestOfScripts();

const watchers = [];
/**
 * Watches each folder by itself, because a recursive watch on Linux follows the files that it has found, not their names: on Node 20 it
 * misses a file that replaces another. Each look at the sources starts with new watches, because folders come and go.
 */
function watchFolders() {
  const former = watchers.length;
  const below = inFolders(...folders).filter((entry) => entry.isDirectory());
  for (const path of [...folders.map((folder) => join(root, folder)), ...below.map(pathOf)])
    watchers.push(watch(path, (_event, name) => isOfEditor(name) || onEdit()));
  for (const watcher of watchers.splice(0, former)) watcher.close();
}

/** Generates, bundles and restarts the service, unless the sources have not changed. Throws an Error that names a mistake in them. */
async function follow() {
  watchFolders();
  if (digestOfScripts() !== loaded)
    throw new Error('scripts/ has changed, and the service runs on unchanged: stop npm run dev, and start it again');
  const notes = await generate({ root, isRepeated: true });
  if (notes !== 'nothing to do') console.log(notes);
  const digest = digestOf([...readdirSync(root, { withFileTypes: true }).filter(isContract), ...inFolders(...folders)]);
  if (digest === served) return;
  served = digest;
  if ((await generatePrismaClient()) !== 0) return;
  await bundle.rebuild();
  await stop();
  copyFiles();
  const isFirst = service === undefined;
  if (isFirst) writeRelease();
  await start();
  checkTypes();
  if (isFirst) await prepareMigrations(root);
}

const runProgram = (name) =>
  spawn(process.execPath, [join(outdir, name)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A restart does not wait for open requests.
    env: { DRAIN_SECONDS: '0', NODE_COMPILE_CACHE: 'dist/dev/cache', ...process.env },
  });

/** Resolves when the service listens, or has ended. */
async function start() {
  const toFollow = existsSync(replaced) ? readFileSync(replaced, 'utf8') : '';
  if (toFollow !== followed) await once(runProgram('follow-replaced.js'), 'close');
  followed = toFollow;
  if (readConfig(process.env).databaseUrl) await once(runProgram('migrate.js'), 'close');
  service = runProgram('main.js');
  await new Promise((resolve) => {
    service.once('close', resolve);
    createInterface(service.stdout).on('line', (line) => {
      console.log(line);
      if (line.includes('"listening"')) resolve();
    });
  });
}

async function stop() {
  if (!service || service.exitCode !== null || service.signalCode !== null) return;
  service.kill('SIGTERM');
  await once(service, 'close');
}

/** Starts the compiler, which prints the errors that it finds. The service does not wait for it. */
function checkTypes() {
  typesCheck?.kill();
  typesCheck = compile('-p', 'src/tsconfig.json');
}

let following = Promise.resolve();
let timer;
function onEdit() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    following = following.then(follow).catch((error) => {
      // Errors of esbuild have `errors`, and esbuild has printed them.
      if (!error.errors) console.error(error.message);
    });
  }, settleMs);
}

// The system sends SIGHUP when the terminal is closed.
for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'])
  process.on(name, async () => {
    typesCheck?.kill();
    await stop();
    process.exit(0);
  });
watch(root, (_event, name) => isContract({ name }) && onEdit());
onEdit();
