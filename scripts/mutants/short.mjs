// npm run mutants:short -- [COUNT [SEED]]: draws changes over all folders of src, 100 unless told, and names each that `npm test` does not notice.
// Works in a clone of the last commit, with all chosen changes in its sources and one of them switched on at a time. Takes an hour and more,
// on the PostgreSQL of DATABASE_URL or of 127.0.0.1:5432.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';

const [count = '100', seed = '1'] = process.argv.slice(2);
const atOnce = 3;
const root = process.cwd();
const copy = mkdtempSync(join(tmpdir(), 'vaga-mutants-'));
const covered = join(copy, 'dist', 'run', 'covered');
const hook = join(copy, 'dist', 'run', 'cover.cjs');
const { DATABASE_URL = 'postgres://postgres@127.0.0.1:5432/postgres' } = process.env;

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
function randomOf(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const quiet = { debug() {}, info() {}, warn: console.warn, isDebugEnabled: () => false };
const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: false };
const instrument = (files) => new Instrumenter(quiet).instrument(files, options);

/** Puts the chosen changes into the sources of the copy, each behind a switch. */
async function plant() {
  const files = readdirSync(join(copy, 'src'), { recursive: true })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => join(copy, 'src', name))
    .map((name) => ({ name, content: readFileSync(name, 'utf8'), mutate: true }));
  const { mutants } = await instrument(files);
  const random = randomOf(Number(seed));
  const chosen = Array.from(
    { length: Number(count) },
    () => mutants.splice(Math.floor(random() * mutants.length), 1)[0],
  );
  const rangesIn = (name) => chosen.filter(({ fileName }) => fileName === name).map(({ location }) => location);
  const touched = files
    .map((file) => ({ ...file, mutate: rangesIn(file.name) }))
    .filter(({ mutate }) => mutate.length > 0);
  const planted = await instrument(touched);
  for (const { name, content } of planted.files) writeFileSync(name, content);
  const settings = join(copy, 'tsconfig.json');
  writeFileSync(settings, readFileSync(settings, 'utf8').replace('"compilerOptions": {', '$&"noCheck": true,'));
  const isSame = (one, other) =>
    ['fileName', 'mutatorName', 'replacement'].every((key) => one[key] === other[key]) &&
    JSON.stringify(one.location) === JSON.stringify(other.location);
  const lineOf = ({ fileName, location }) =>
    files.find(({ name }) => name === fileName).content.split('\n')[location.start.line];
  return chosen.map((one) => ({
    ...planted.mutants.find((other) => isSame(one, other)),
    path: relative(copy, one.fileName),
    line: lineOf(one).trim(),
  }));
}

/** Runs test files in their order up to the first failure. Resolves to its title, 'time', or undefined if all pass. */
function runTests(files, env, seconds) {
  return new Promise((resolve) => {
    const words = ['node_modules/mocha/bin/mocha.js', '--bail', '--reporter', './scripts/test-reporter.mjs', ...files];
    const child = spawn(process.execPath, words, {
      cwd: copy,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, DATABASE_URL, TESTS: '', ...env },
    });
    let printed = '';
    let isLate = false;
    child.stdout.on('data', (data) => {
      printed += data;
    });
    const end = () => process.kill(-child.pid, 'SIGKILL');
    const timer = setTimeout(() => {
      isLate = true;
      end();
    }, seconds * 1000);
    child.on('close', (code) => {
      clearTimeout(timer);
      // A change may keep a child from ending.
      try {
        end();
      } catch {}
      const failed = printed.split('\n').find((line) => line.startsWith('{"event":"failed"'));
      if (isLate) resolve('time');
      else if (code === 0) resolve();
      else resolve(failed ? JSON.parse(failed).title : `exit code ${code}`);
    });
  });
}

/** Calls `work` for all items, several at once. */
async function forAll(items, work) {
  const left = items.entries();
  const one = async () => {
    for (const [at, item] of left) await work(item, at);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

/** By test file: its seconds, and the changes that its processes and their threads come by. Leaves out files that fail without a change. */
async function cover(files) {
  const cover = `const { appendFileSync } = require('node:fs');
    const file = process.env.COVERED;
    const seen = new Set();
    const note = (target, id) => {
      if (file && !seen.has(id)) appendFileSync(file, seen.add(id) && id + ' ');
      return 0;
    };
    globalThis.__stryker__ = { mutantCoverage: { static: new Proxy({}, { get: note, set: () => true }), perTest: {} } };`;
  writeFileSync(hook, cover);
  const byFile = new Map();
  await forAll(files, async (file, at) => {
    const COVERED = join(covered, `${at}`);
    writeFileSync(COVERED, '');
    const from = Date.now();
    const failed = await runTests([file], { COVERED, NODE_OPTIONS: `--require ${hook}` }, 600);
    if (failed) return console.log(`${file} is left out. It fails without a change: ${failed}`);
    byFile.set(file, { seconds: (Date.now() - from) / 1000, ids: new Set(readFileSync(COVERED, 'utf8').split(' ')) });
  });
  return byFile;
}

const must = (command, args, cwd = copy) => {
  if (spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0)
    throw new Error(`${command} ${args.join(' ')} failed`);
};

must('git', ['clone', '--quiet', root, copy], root);
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
const changes = await plant();
must('npm', ['run', 'build']);
mkdirSync(covered, { recursive: true });
const short = readdirSync(join(copy, 'dist', 'test'), { recursive: true })
  .filter((name) => name.endsWith('.test.js') && !name.endsWith('.long.test.js'))
  .map((name) => `dist/test/${name}`);
const files = await cover(short);
console.log(`${files.size} of ${short.length} files of tests pass without a change`);

const folderOf = (path) => path.split('/').slice(1, -1)[0] ?? '.';
await forAll(changes, async (change) => {
  const isNear = (file) => file.startsWith(`dist/test/${folderOf(change.path)}/`);
  const order = [...files].filter(([, { ids }]) => ids.has(change.id));
  order.sort(([a, of], [b, other]) => isNear(b) - isNear(a) || of.seconds - other.seconds);
  const seconds = order.reduce((sum, [, of]) => sum + of.seconds, 0);
  const names = order.map(([file]) => file);
  change.noticed =
    names.length > 0 && (await runTests(names, { __STRYKER_ACTIVE_MUTANT__: change.id }, seconds * 3 + 60));
  const { path, location, mutatorName, replacement, line, noticed } = change;
  const outcome = noticed ? `noticed: ${noticed}` : `NOT NOTICED by ${names.length} files`;
  console.log(`${path}:${location.start.line + 1}  ${mutatorName}  ${line}  ->  ${replacement}\n    ${outcome}`);
});

for (const folder of [...new Set(changes.map(({ path }) => folderOf(path)))].sort()) {
  const own = changes.filter(({ path }) => folderOf(path) === folder);
  console.log(`| ${folder} | ${own.length} | ${own.filter(({ noticed }) => noticed).length} |`);
}
console.log(`seed ${seed}: ${changes.filter(({ noticed }) => noticed).length} of ${changes.length} noticed`);
rmSync(copy, { recursive: true });
