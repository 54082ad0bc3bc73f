import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { runInProcess } from '../cli/run-cli.ts';
import { guideBlocks, inlineCommands } from '../helper/guide.ts';

it('every command of the operator’s guide is run by a test, or marked as not run', () => {
  const tests = readdirSync(join(packageRoot, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => readFileSync(join(packageRoot, 'test', name), 'utf8'))
    .join('\n');
  const asked = [...tests.matchAll(/guideCommands\(\s*'([^']+)'/g)].map(([, text = '']) => text);
  const unproven = guideBlocks.filter(
    ({ before, commands }) => !/_not run_/i.test(before) && !asked.some((text) => commands.includes(text)),
  );
  expect(unproven).to.deep.equal([]);
});

it('every command in the guide’s sentences exists with its options, or belongs to systemd, Docker or Git', async () => {
  const { scripts } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  for (const words of inlineCommands) {
    const command = words.join(' ');
    const ops = /^vaga (.*)/.exec(command)?.[1]?.split(' ');
    if (ops) {
      const verb = /^[a-z -]+?(?= --|$)/.exec(ops.join(' '))?.[0] ?? '';
      const { stdout } = await runInProcess([...verb.split(' '), '--help'], { settings: {} });
      expect(stdout, command).to.include(`ops ${verb} [options]`);
      for (const flag of ops.filter((word) => word.startsWith('--'))) expect(stdout, command).to.include(flag);
    } else if (words[0] === 'npm') expect(scripts, command).to.have.property(words[2] ?? '');
    else expect(command).to.match(/^(docker|systemctl|journalctl|git) |^tar xzf vaga.tgz$/);
  }
});
