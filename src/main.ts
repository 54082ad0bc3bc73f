import { ConfigError, readConfig } from './config.ts';
import { beginStore, StoreError } from './store/open.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  // The embedded database starts in a thread of its own; the rest of the program is loaded meanwhile.
  const begun = await beginStore({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, ...config.database });
  const [store, { serve }] = await Promise.all([begun.open(), import('./serve.ts')]);
  await serve(config, store);
}

main().catch((error: unknown) => {
  const expected = error instanceof ConfigError || error instanceof StoreError;
  console.error(expected ? `vaga: ${(error as Error).message}` : error);
  process.exit(1);
});
