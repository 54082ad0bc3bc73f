// npm test [-- MOCHA ARGUMENTS]: runs the short tests in three parallel parts, of which one is usually waiting; `npm run test:all` runs the long
// ones too. With arguments, it runs mocha once, on the named files or on the short tests that match a pattern. TESTS and DATABASE_KIND select
// tests (see .mocharc.cjs), REPORT is the path of a JSON file for the results, and PARTS sets the number of parts.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const mocha = ['node_modules/mocha/bin/mocha.js', 'dist/test/**/*.test.js'];
const given = process.argv.slice(2);
const files = given.filter((word) => word.startsWith('dist/'));
const isNamed = files.length > 0 && !files.some((word) => word.includes('*'));
const { TESTS = isNamed ? '' : 'short', REPORT, PARTS = '3' } = process.env;
if (given.length > 0) {
  const words = files.length > 0 ? [mocha[0], ...given] : [...mocha, ...given];
  process.exit(spawnSync(process.execPath, words, { stdio: 'inherit', env: { ...process.env, TESTS } }).status ?? 1);
}

const parts = Array.from({ length: Number(PARTS) }, (_, at) => at + 1);
const progressSeconds = 15;

/** Runs one part. Prints a failed test at once. Resolves with the results. */
async function run(part, isRepeated = false) {
  const results = { part, passed: [], failed: [], skipped: [], cpu: {} };
  running.set(part, results);
  const child = spawn(process.execPath, [...mocha, '--reporter', './scripts/test-reporter.mjs'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TESTS, PART: `${part}/${parts.length}` },
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith('{"event":')) return console.log(line);
    const { event, title, file, cpu, error } = JSON.parse(line);
    if (event === 'file') results.cpu[file] = (results.cpu[file] ?? 0) + cpu;
    else results[event].push(title);
    if (event === 'failed') console.log(`FAILED: ${title}\n${error}\n`);
  });
  const [code, signal] = await new Promise((resolve) => child.on('close', (...end) => resolve(end)));
  // Node 24 sometimes aborts when PGlite is opened and closed (nodejs/node#64500): say so and run once more.
  if (signal && !isRepeated) {
    console.log(`Part ${part} was ended by ${signal} and is run again.`);
    return run(part, true);
  }
  // A mocha process that dies reports no failed test.
  if (code !== 0 && results.failed.length === 0)
    results.failed.push(`part ${part} of the ${TESTS} tests: exit code ${code}`);
  return results;
}

const running = new Map();
const timer = setInterval(() => {
  console.log([...running.values()].map(({ part, passed }) => `part ${part}: ${passed.length} passed`).join(', '));
}, progressSeconds * 1000);
const all = await Promise.all(parts.map((part) => run(part)));
clearInterval(timer);

const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((key) => all.flatMap((results) => results[key]));
const seconds = new Map();
for (const [file, more] of all.flatMap((results) => Object.entries(results.cpu)))
  seconds.set(file, (seconds.get(file) ?? 0) + more);
const cpu = Object.fromEntries([...seconds].sort(([, a], [, b]) => b - a));
if (REPORT) writeFileSync(REPORT, JSON.stringify({ passed, failed, skipped, cpu }));
const total = Object.values(cpu).reduce((sum, seconds) => sum + seconds, 0);
const dearest = Object.entries(cpu)
  .slice(0, 8)
  .map(([file, seconds]) => `${file.replace('.test.js', '')} ${seconds.toFixed(0)}`);
console.log(`${total.toFixed(0)} s of CPU, most of it for ${dearest.join(', ')}`);
if (TESTS === 'short') sayWhatIsLeft();
if (failed.length > 0) console.log(`\nFailed:\n${failed.join('\n')}\n`);
console.log(`${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`);
process.exitCode = failed.length > 0 ? 1 : 0;

function sayWhatIsLeft() {
  const names = readdirSync('dist/test', { recursive: true }).sort();
  const left = (kind) =>
    names.filter((name) => name.endsWith(`.${kind}.test.js`)).map((name) => name.replace(`.${kind}.test.js`, ''));
  console.log(
    `\`npm run test:all\` adds the long tests, of ${left('long').join(', ')},\nand tries many more values in ${left('sampled').join(', ')}.`,
  );
}
