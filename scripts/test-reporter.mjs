// A mocha reporter for test.mjs. It prints a line of JSON for each test, and one for each file with the CPU seconds that the file took.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { inspect } from 'node:util';
import { reporters } from 'mocha';

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** Returns the CPU seconds of this process and of its ended children; on systems other than Linux, of this process only. */
function cpuSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const ticks = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15);
    return ticks.reduce((sum, count) => sum + Number(count), 0) / 100;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}

export default class extends reporters.Base {
  constructor(runner, options) {
    super(runner, options);
    const root = join(process.cwd(), 'dist/test');
    let current = { file: join(root, 'loading'), from: 0 };
    const close = () => say({ event: 'file', file: relative(root, current.file), cpu: cpuSeconds() - current.from });
    const enter = ({ file }) => {
      if (!file || file === current.file) return;
      close();
      current = { file, from: cpuSeconds() };
    };
    runner.on('suite', enter).on('test', enter);
    // Resources that files share, such as the browser, are closed after the last file. Their CPU is counted under the name `shared`.
    runner.on('hook', ({ parent, title }) => {
      if (parent.root && title.startsWith('"after all"')) enter({ file: join(root, 'shared') });
    });
    runner.on('pass', (test) => say({ event: 'passed', title: test.fullTitle() }));
    runner.on('pending', (test) => say({ event: 'skipped', title: test.fullTitle() }));
    runner.on('fail', (test, error) =>
      say({ event: 'failed', title: test.fullTitle(), error: inspect(error, { depth: 4 }) }),
    );
    runner.on('end', close);
  }
}
