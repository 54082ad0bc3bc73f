import { PrismaPg } from '@prisma/adapter-pg';
import express from 'express';
import { PrismaClient } from '../../generated/prisma/client.ts';
import { options } from '../../src/contract/options.ts';

// Bare express: the reference data from memory, for whoever asks. What express by itself takes.

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 1 }) });
const categories = await prisma.category.findMany({
  where: { active: true, OR: [{ parentId: null }, { parent: { active: true } }] },
  orderBy: { id: 'asc' },
});
const lists = {
  '/v1/categories': categories.map(({ id, name, slug, parentId }) => ({ id, name, slug, parent_id: parentId })),
  '/v1/regions': await prisma.district.findMany({ orderBy: { id: 'asc' } }),
  '/v1/options': options,
};
await prisma.$disconnect();

const app = express();
app.disable('x-powered-by');
app.disable('etag');
for (const [path, data] of Object.entries(lists)) {
  const text = JSON.stringify({ data });
  app.get(path, (_request, response) => {
    response.type('json').send(text);
  });
}
app.listen(Number(process.env.PORT), '127.0.0.1');
