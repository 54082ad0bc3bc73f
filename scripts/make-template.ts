import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import pg from 'pg';
import { connectionTo, makePrivateFolder } from '../src/database/embedded.ts';
import { socketPathIn } from '../src/database/embedded-lock.ts';
import { serveSocket } from '../src/database/embedded-socket.ts';
import { partsPath, templateFolder, templatePath } from '../src/database/embedded-template.ts';
import { migrateEmbedded } from '../src/database/migrations.ts';
import { listParts } from '../src/database/schema-parts.ts';
import { newCluster } from './new-cluster.ts';

// Makes the cluster that a first start on the embedded database copies, and the list of what its migrations made. The build runs this program.
const [path, parts] = [await templatePath(), await partsPath()];
if (existsSync(path) && existsSync(parts)) {
  console.log(`${path} is up to date`);
} else {
  const db = await newCluster();
  const socketFolder = await makePrivateFolder();
  const stopServing = await serveSocket(db, socketPathIn(socketFolder));
  await migrateEmbedded(connectionTo(socketFolder));
  const client = new pg.Client(connectionTo(socketFolder));
  await client.connect();
  const made = JSON.stringify(await listParts(client));
  await client.end();
  await stopServing();
  await rm(socketFolder, { recursive: true });
  const tar = await db.dumpDataDir('none');
  await rm(templateFolder, { recursive: true, force: true });
  await mkdir(templateFolder, { recursive: true });
  await writeFile(parts, made);
  // The file gets its name when it is complete, because a starting service may look for it at any time.
  await writeFile(`${path}.new`, Buffer.from(await tar.arrayBuffer()));
  await rename(`${path}.new`, path);
  await db.close();
  console.log(`wrote ${path}`);
}
