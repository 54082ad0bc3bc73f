import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { renderProducts } from './generate-products.ts';

const { values } = parseArgs({ options: { root: { type: 'string' }, 'contract-only': { type: 'boolean' } } });
const root = values.root ?? dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'generated');

const products = await renderProducts(await readFile(join(root, 'openapi.yaml'), 'utf8'));
await mkdir(folder, { recursive: true });
for (const [name, text] of products) await writeFile(join(folder, name), text);
console.log(`generated/: ${[...products.keys()].join(', ')}`);

if (!values['contract-only']) {
  const { generatePrisma } = await import('./generate-prisma.ts');
  await generatePrisma();
}
