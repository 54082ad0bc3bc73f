import { badClients } from './bad-clients.ts';
import { keepsItsPromises } from './keeps-its-promises.ts';
import { killEmbedded } from './kill-service.ts';

describe('faults on the embedded database', function () {
  this.timeout(120_000);

  it('kill -9 of the service under writes loses nothing that was acknowledged', keepsItsPromises(killEmbedded));
  it(
    'idle, slow and vanishing clients are ended or tolerated, and honest ones notice little',
    keepsItsPromises(badClients),
  );
});
