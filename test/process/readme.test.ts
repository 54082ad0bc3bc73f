import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Schemas } from '../../src/contract/types.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { addressOf } from '../helper/address.ts';
import { newCompany, server } from '../helper/fixtures.ts';

const run = promisify(execFile);
const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');
/** The shell blocks of README that call the service, in order. */
const blocks = [...readme.matchAll(/^```sh\n([^`]*)^```$/gm)]
  .map(([, block = '']) => block)
  .filter((block) => /\bcurl /.test(block));

const eachSaysItsStatus = `curl() { command curl -w '\\nSTATUS %{http_code}\\n' "$@"; }\n`;

describe('the commands of README', () => {
  it('every curl command answers as README says, and its job is in the category of electricians', async () => {
    const acme = await newCompany();
    const reader = await acme.reader();
    const address = addressOf(server());
    const env = {
      PATH: process.env.PATH ?? '',
      TOKEN: await acme.secret('sandbox', 'write'),
      API: `${address}/sandbox/v1`,
      MCP: `${address}/sandbox/mcp`,
    };
    const jobs = async (): Promise<Schemas['Job'][]> => (await reader.get('/jobs')).body.data;
    const statuses: string[][] = [];
    for (const block of blocks) {
      const [made] = await jobs();
      const pasted = block.replace('$API/jobs/1', `$API/jobs/${made?.id}`);
      const { stdout } = await run('bash', ['-c', `${eachSaysItsStatus}${pasted}`], { env });
      statuses.push([...stdout.matchAll(/^STATUS (\d+)$/gm)].map(([, status = '']) => status));
    }
    expect(statuses).to.deep.equal([
      ['200', '200', '200', '200'],
      ['201'],
      ['200', '422', '204', '200'],
      ['000', '200'],
      ['200'],
    ]);
    const categories: Schemas['Category'][] = (await reader.get('/categories')).body.data;
    const filed = (await jobs()).map(({ title, category_id }) => [
      title,
      categories.find(({ id }) => id === category_id)?.name,
    ]);
    expect(filed).to.deep.equal([
      ['Eletricista', 'Eletricistas'],
      ['Eletricista de obras', 'Eletricistas'],
    ]);
  });

  it('every job in README is in the category of electricians', () => {
    const named = [...readme.matchAll(/category_id"?: (\d+)/g)].map(([, id]) => Number(id));
    expect(named).to.deep.equal([303, 303, 303]);
  });
});
