import { keepTheirPromises } from './keep-their-promises.ts';

describe('faults on the embedded database', () =>
  keepTheirPromises('kill-embedded', 'bad-clients', 'hostile-company-embedded'));
