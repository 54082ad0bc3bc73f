import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { connectionTo, makePrivateFolder } from '../src/database/embedded.ts';
import { socketPathIn } from '../src/database/embedded-lock.ts';
import { serveSocket } from '../src/database/embedded-socket.ts';
import { templateFolder, templatePath } from '../src/database/embedded-template.ts';
import { migrateEmbedded } from '../src/database/migrations.ts';
import { newCluster } from './new-cluster.ts';

// Makes the cluster that a first start on the embedded database copies. The build runs this program.
const path = await templatePath();
if (existsSync(path)) {
  console.log(`${path} is up to date`);
} else {
  const db = await newCluster();
  const socketFolder = await makePrivateFolder();
  const stopServing = await serveSocket(db, socketPathIn(socketFolder));
  await migrateEmbedded(connectionTo(socketFolder));
  await stopServing();
  await rm(socketFolder, { recursive: true });
  const tar = await db.dumpDataDir('none');
  await rm(templateFolder, { recursive: true, force: true });
  await mkdir(templateFolder, { recursive: true });
  // The file gets its name when it is complete, because a starting service may look for it at any time.
  await writeFile(`${path}.new`, Buffer.from(await tar.arrayBuffer()));
  await rename(`${path}.new`, path);
  await db.close();
  console.log(`wrote ${path}`);
}
