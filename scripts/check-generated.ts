import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packageRoot } from '../src/database/prisma-folder.ts';
import { renderProducts } from './generate-products.ts';

// In the same folder, but not committed.
const NOT_COMMITTED = new Set(['prisma', 'renderer']);

/** What differs between the files of generated/ and openapi.yaml, a line each. */
export async function generatedFaults(root: string): Promise<string[]> {
  const folder = join(root, 'generated');
  const expected = await renderProducts(await readFile(join(root, 'openapi.yaml'), 'utf8'));
  const present = new Set((await readdir(folder)).filter((name) => !NOT_COMMITTED.has(name)));
  const faults = [...present].filter((name) => !expected.has(name)).map((name) => `generated/${name} is surplus`);
  for (const [name, text] of expected) {
    if (!present.has(name)) faults.push(`generated/${name} is missing`);
    else if ((await readFile(join(folder, name), 'utf8')) !== text) faults.push(`generated/${name} differs`);
  }
  return faults;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { root: { type: 'string', default: packageRoot } } });
  const faults = await generatedFaults(values.root);
  if (faults.length === 0) console.log('generated/: all files agree with openapi.yaml');
  else {
    console.error(`${faults.join('\n')}\nRun \`npm run generate\` and commit the result.`);
    process.exitCode = 1;
  }
}
