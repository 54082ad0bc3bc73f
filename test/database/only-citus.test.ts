import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';

describe('database/citus', () => {
  it('is the only folder of src that names Citus: other code uses connectionsFor(companyId), nodes() and reachable()', async () => {
    const src = join(packageRoot, 'src');
    const files = (await readdir(src, { recursive: true })).filter((name) => /[.]tsx?$/.test(name));
    const outside = files.filter((name) => !name.startsWith(join('database', 'citus')));
    const naming: string[] = [];
    for (const name of outside) {
      const text = (await readFile(join(src, name), 'utf8')).replaceAll(/(from |import\()'[^']*'/g, '');
      if (/citus/i.test(text)) naming.push(name);
    }
    expect(outside.length).to.be.greaterThan(200);
    expect(naming).to.deep.equal([]);
  });
});
