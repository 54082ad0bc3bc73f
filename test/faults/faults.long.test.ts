import { keepTheirPromises } from './keep-their-promises.ts';

const onServer = process.env.DATABASE_URL ? describe : describe.skip;
onServer('faults on PostgreSQL that need a quiet machine', () =>
  keepTheirPromises('stop-database', 'fail-over', 'hostile-company'),
);
