import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { renderProducts } from './generate-products.ts';

// The Prisma client lives in the same folder but is not committed.
const NOT_COMMITTED = new Set(['prisma']);

const { values } = parseArgs({ options: { root: { type: 'string' } } });
const root = values.root ?? dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'generated');

const expected = await renderProducts(await readFile(join(root, 'openapi.yaml'), 'utf8'));
const present = new Set((await readdir(folder)).filter((name) => !NOT_COMMITTED.has(name)));
const faults = [...present].filter((name) => !expected.has(name)).map((name) => `generated/${name} is surplus`);
for (const [name, text] of expected) {
  if (!present.has(name)) faults.push(`generated/${name} is missing`);
  else if ((await readFile(join(folder, name), 'utf8')) !== text) faults.push(`generated/${name} differs`);
}

if (faults.length === 0) {
  console.log(`generated/: ${expected.size} files agree with openapi.yaml`);
} else {
  console.error(`${faults.join('\n')}\nRun \`npm run generate\` and commit the result.`);
  process.exitCode = 1;
}
