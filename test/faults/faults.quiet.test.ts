import { keepTheirPromises } from './keep-their-promises.ts';

describe('faults that need a quiet machine', () => keepTheirPromises('hostile-company-embedded'));

const onServer = process.env.DATABASE_URL ? describe : describe.skip;
onServer('faults on PostgreSQL', () =>
  keepTheirPromises('kill-service', 'stop-database', 'fail-over', 'two-versions', 'hostile-company'),
);
