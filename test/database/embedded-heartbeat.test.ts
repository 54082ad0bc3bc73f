import { expect } from 'chai';
import pg from 'pg';
import { openEmpty } from '../../src/database/embedded.ts';
import { DatabaseError } from '../../src/database/open.ts';

describe('an embedded database that hangs', function () {
  this.timeout(60_000);

  it('is reported as lost, with one line that says what to check, and can still be closed', async () => {
    const opened = await openEmpty(200);
    const embedded = await opened.start();
    const client = new pg.Client(opened.connection);
    client.on('error', () => undefined);
    await client.connect();
    const endless = client.query('SELECT count(*) FROM generate_series(1, 100000000000)').catch((error) => error);
    const lost = await embedded.lost;
    expect(lost).to.be.instanceOf(DatabaseError);
    expect(lost.message).to.match(/^the embedded database no longer responds; .*disk/);
    await embedded.close();
    expect(await endless).to.be.instanceOf(Error);
  });
});
