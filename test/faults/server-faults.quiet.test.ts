import { failOverToStandby } from './fail-over.ts';
import { freezeBackends } from './freeze-backends.ts';
import { hostileCompany } from './hostile-company.ts';
import { keepsItsPromises } from './keeps-its-promises.ts';
import { killService } from './kill-service.ts';
import { stopDatabase } from './stop-database.ts';
import { twoVersions } from './two-versions.ts';

describe('faults on PostgreSQL', function () {
  this.timeout(120_000);
  const onServer = process.env.DATABASE_URL ? it : it.skip;

  onServer(
    'kill -9 of the service under concurrent creates loses nothing, makes nothing twice and counts right',
    keepsItsPromises(killService),
  );
  onServer(
    'while PostgreSQL is stopped the answer is 503 with Retry-After; the service recovers by itself and nothing is lost',
    keepsItsPromises(stopDatabase),
  );
  onServer(
    'a standby takes over from a primary that is killed, or frozen for a while: nothing is lost and the service goes on within 5 s',
    keepsItsPromises(failOverToStandby),
  );
  onServer(
    'backends that freeze for longer than the service waits lose nothing that was acknowledged and give no wrong read',
    keepsItsPromises(freezeBackends),
  );
  onServer(
    'the release before and this version serve one database, which is migrated under load: nothing is lost, and every answer is right',
    keepsItsPromises(twoVersions),
  );
  onServer('a hostile company causes no error for others and little memory use', keepsItsPromises(hostileCompany));
});
