import { openDatabase } from '../../src/database/open.ts';

const [task, dataDir = ''] = process.argv.slice(2);
const { db, close } = await openDatabase({ dataDir, join: task === 'joiner' });
if (task === 'joiner') {
  await db.administrator.create({ data: { email: 'joined@example.test', passwordHash: '-' } });
  console.log(`plans ${await db.plan.count()}`);
  await close();
} else {
  console.log('open');
  // Holds the folder until it is killed.
  setInterval(() => undefined, 60_000);
}
