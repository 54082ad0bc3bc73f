// npm test [-- MOCHA ARGUMENTS]: runs every test in three parts side by side, then those that need a quiet machine. With arguments, or with
// PART or QUIET in the environment (see .mocharc.cjs), mocha runs by itself.
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';

const mocha = ['node_modules/mocha/bin/mocha.js', 'dist/test/**/*.test.js'];
const given = process.argv.slice(2);
const files = given.filter((word) => word.startsWith('dist/'));
if (given.length > 0 || process.env.PART || process.env.QUIET) {
  const words = files.length > 0 ? [mocha[0], ...given] : [...mocha, ...given];
  process.exit(spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1);
}

const progressSeconds = 15;
const counts = new Map();
const failures = [];
let skipped = 0;
let hasFailed = false;

/** Runs mocha once. Prints a failed test at once. */
async function run(name, env) {
  counts.set(name, 0);
  const child = spawn(process.execPath, [...mocha, '--reporter', 'json-stream'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    if (!/^\["(pass|fail|end|start)",/.test(line)) return console.log(line);
    const [event, { fullTitle, stack, err, pending }] = JSON.parse(line);
    if (event === 'pass') counts.set(name, counts.get(name) + 1);
    if (event === 'end') skipped += pending;
    if (event !== 'fail') return;
    failures.push(fullTitle);
    console.log(`FAILED: ${fullTitle}\n${stack || err}\n`);
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  if ((await ended) !== 0) hasFailed = true;
}

const progress = () => [...counts].map(([name, passed]) => `${name}: ${passed} passed`).join(', ');
const timer = setInterval(() => console.log(progress()), progressSeconds * 1000);
await Promise.all([1, 2, 3].map((part) => run(`part ${part}`, { PART: `${part}/3`, QUIET: 'no' })));
await run('quiet tests', { QUIET: 'only' });
clearInterval(timer);
if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}\n`);
const passed = [...counts.values()].reduce((sum, count) => sum + count, 0);
console.log(`${progress()}\n${passed} passed, ${failures.length} failed, ${skipped} skipped`);
process.exitCode = hasFailed ? 1 : 0;
