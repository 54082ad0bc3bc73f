import { keepTheirPromises } from './keep-their-promises.ts';

const onServer = process.env.DATABASE_URL ? describe : describe.skip;
onServer('faults on PostgreSQL', () => keepTheirPromises('kill-service', 'two-versions'));
