import express from 'express';
import { options } from '../../../src/contract/options.ts';
import { listCategories, listRegions } from './prisma-operations.ts';

// Bare express: reference data from memory, without authentication: the cost of express itself.

const app = express();
app.disable('x-powered-by');
app.disable('etag');
const lists = {
  categories: (await listCategories()).body,
  regions: (await listRegions()).body,
  options: { data: options },
};
for (const [name, body] of Object.entries(lists)) {
  const text = JSON.stringify(body);
  app.get(`/v1/${name}`, (_request, response) => {
    response.type('json').send(text);
  });
}
app.listen(Number(process.env.PORT), '127.0.0.1');
