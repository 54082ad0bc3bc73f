import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { type JsonObject, operationsOf } from './document.ts';

const generated = join(packageRoot, 'generated');
const folder = join(packageRoot, 'src/operations');

/**
 * Text of operations.ts: the function of each operationId, and its `refuse` where there is one, from the file under src/operations that exports
 * it. An operation that no file exports is imported from where it belongs, and so does not compile.
 */
export async function renderOperations(document: JsonObject): Promise<string> {
  const exported = await exportsBelow(folder);
  const ids = operationsOf(document).map(({ operationId }) => operationId);
  const found = ids.map((id) => {
    const path = exported.get(id) ?? join(folder, `${id.replace(/[A-Z]/g, (it) => `-${it.toLowerCase()}`)}.ts`);
    const refuse = `refuse${id.charAt(0).toUpperCase()}${id.slice(1)}`;
    return {
      id,
      file: relative(generated, path).split(sep).join('/'),
      refuse: exported.has(refuse) ? `, refuse: ${refuse}` : '',
      names: exported.has(refuse) ? `${id}, ${refuse}` : id,
    };
  });
  const imports = found.map(({ names, file }) => `import { ${names} } from '${file}';`);
  const lines = found.map(({ id, refuse }) => `  ${id}: { run: ${id}${refuse} },`);
  return `// Written by \`npm run generate\` from openapi.yaml and src/operations; not to be edited.
${imports.join('\n')}

/** The operations of the contract by operationId. */
export const operations = {
${lines.join('\n')}
};
`;
}

/** The files below a folder by the names of the functions that they export. */
async function exportsBelow(path: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of await readdir(path, { recursive: true })) {
    if (!/(?<!-sql|^table)\.ts$/.test(name)) continue;
    const text = await readFile(join(path, name), 'utf8');
    for (const [, id = ''] of text.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm))
      found.set(id, join(path, name));
  }
  return found;
}
