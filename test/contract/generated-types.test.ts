import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { packageRoot } from '../../src/database/prisma-folder.ts';

const create = `
import type { paths } from './types.ts';

type Sent<O extends { requestBody: unknown }> = O extends { requestBody: { content: { 'application/json': infer B } } } ? B : never;

export const job: Sent<paths['/jobs']['post']> = {
  title: 'Eletricista',
  body: 'Obras no Porto.',
  contact_instructions: 'CV por email.',
  category_id: 303,
  district_id: 13,
  application_method: 'system',
};
export const patch: Sent<paths['/jobs/{id}']['patch']> = { title: 'Pintor' };
export const query: paths['/jobs']['get']['parameters']['query'] = {};
`;

it('types that a client generates take a job of the six required fields, a change of one, and a list without parameters, and no less', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vaga-types-'));
  // With the default options of openapi-typescript.
  const types = await openapiTS(pathToFileURL(join(packageRoot, 'openapi.yaml')));
  await writeFile(join(folder, 'types.ts'), astToString(types));

  /** The compiler's complaints about a client beside these types. */
  async function complaints(client: string): Promise<string[]> {
    const file = join(folder, 'create.ts');
    await writeFile(file, client);
    const options = { strict: true, noEmit: true, allowImportingTsExtensions: true, types: [] };
    const found = ts.getPreEmitDiagnostics(ts.createProgram([file], options));
    return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  }

  expect(await complaints(create)).to.deep.equal([]);
  const [complaint = '', ...more] = await complaints(create.replace('  category_id: 303,\n', ''));
  expect(complaint).to.include("'category_id' is missing");
  expect(more).to.deep.equal([]);
  await rm(folder, { recursive: true });
}).timeout(60_000);
