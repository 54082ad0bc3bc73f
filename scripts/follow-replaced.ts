import { readConfig } from '../src/config.ts';
import { isDatabaseIn, openAlone } from '../src/database/embedded.ts';
import { placeOf } from '../src/database/place.ts';
import { packageRoot } from '../src/database/prisma-folder.ts';
import { followReplaced } from './generate/follow.ts';
import { readReplaced } from './generate/replaced.ts';

// `npm start` and `npm run dev` run this before the service, if a migration was made anew. Releases do not need it: only migrations that no
// commit has are made anew.
const config = readConfig(process.env);
const { databaseUrl: connectionString, dataDir } = config;
const all = readReplaced(packageRoot);

async function followEmbedded(): Promise<void> {
  if (!(await isDatabaseIn(dataDir))) return;
  const { connection, start } = await openAlone(dataDir);
  const embedded = await start();
  await followReplaced(connection, all).finally(() => embedded.close());
}

await (connectionString
  ? followReplaced({ connectionString, application_name: 'vaga migrate' }, all)
  : followEmbedded()
).catch(({ message }) => console.error(`${message} (${placeOf(config)})`));
