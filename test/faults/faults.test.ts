import { expect } from 'chai';
import { badClients } from './bad-clients.ts';
import { type Fault, Skipped } from './fault.ts';
import { freezeBackends } from './freeze-backends.ts';
import { hostileCompany, hostileCompanyEmbedded } from './hostile-company.ts';
import { killEmbedded, killService } from './kill-service.ts';
import { stopDatabase } from './stop-database.ts';

/** The short form of what `npm run faults` does at length. */
function keepsItsPromises(fault: Fault): Mocha.AsyncFunc {
  return async function () {
    const outcome = await fault.run('short').catch((error: unknown) => {
      if (error instanceof Skipped) return this.skip();
      throw error;
    });
    expect(outcome.broken, outcome.figures).to.deep.equal([]);
  };
}

describe('faults', function () {
  this.timeout(120_000);
  const onServer = process.env.DATABASE_URL ? it : it.skip;

  onServer(
    'kill -9 of the service under concurrent creates loses nothing, makes nothing twice and counts right',
    keepsItsPromises(killService),
  );
  onServer(
    'while PostgreSQL is stopped the answer is 503 with Retry-After; it recovers by itself and nothing is lost',
    keepsItsPromises(stopDatabase),
  );
  onServer(
    'backends that freeze for longer than the service waits lose nothing that was acknowledged and give no wrong read',
    keepsItsPromises(freezeBackends),
  );
  it(
    'kill -9 of the service on the embedded database under writes loses nothing that was acknowledged',
    keepsItsPromises(killEmbedded),
  );
  it(
    'idle, slow and vanishing clients are ended or borne, and honest ones notice little',
    keepsItsPromises(badClients),
  );
  onServer(
    'a company that does its worst costs others no error and the process little memory',
    keepsItsPromises(hostileCompany),
  );
  it('the same on the embedded database', keepsItsPromises(hostileCompanyEmbedded));
});
