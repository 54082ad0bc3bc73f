import * as z from 'zod';
import { declareList } from '../../kit/declare.ts';
import * as queries from '../reference-sql.ts';

/** Reads the database, not the list cached by the process. */
export const listAllDistricts = declareList({
  command: 'district list',
  title: 'List the regions',
  by: ['operator', 'administrator'],
  input: z.object({}),
  items: 'districts',
  columns: { id: 'ID', name: 'Region' },
  read: async (ctx) => ({ items: await queries.listDistricts(ctx.db) }),
});
