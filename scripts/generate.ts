import { parseArgs } from 'node:util';
import { packageRoot } from '../src/database/prisma-folder.ts';
import { generate, generatedFaults } from './generate/generate.ts';

// npm run generate [-- --allow-data-loss]: writes everything that follows from openapi.yaml. With --check it only compares.
const flag = { type: 'boolean', default: false } as const;
const options = { root: { type: 'string', default: packageRoot }, check: flag, 'allow-data-loss': flag } as const;
const { values } = parseArgs({ options });
const { root, 'allow-data-loss': allowDataLoss } = values;

async function check(): Promise<string> {
  const faults = await generatedFaults(root);
  if (faults.length === 0) return 'generated/ and prisma/ agree with openapi.yaml';
  throw new Error(`${faults.join('\n')}\nRun \`npm run generate\` and commit the result.`);
}

await (values.check ? check() : generate({ root, allowDataLoss })).then(console.log, (error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
