import { hostileCompanyEmbedded } from './hostile-company.ts';
import { keepsItsPromises } from './keeps-its-promises.ts';

describe('a hostile company on the embedded database', function () {
  this.timeout(120_000);

  it('causes no error for others and little memory use', keepsItsPromises(hostileCompanyEmbedded));
});
