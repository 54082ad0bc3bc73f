import { openDatabase } from '../../src/database/open.ts';

const [task, dataDir = ''] = process.argv.slice(2);
const { db, close } = await openDatabase({ dataDir, join: task === 'joiner' });
if (task === 'joiner') {
  await db.administrator.create({ data: { email: 'joined@example.test', passwordHash: '-' } });
  console.log(`plans ${await db.plan.count()}`);
  await close();
} else {
  console.log('open');
  for (let row = 0; ; row++) {
    if (task === 'holder') await new Promise((resolve) => setTimeout(resolve, 1000));
    else await db.administrator.create({ data: { email: `${process.pid}-${row}@example.test`, passwordHash: '-' } });
    if (task === 'writer') console.log(`acknowledged ${process.pid}-${row}@example.test`);
  }
}
