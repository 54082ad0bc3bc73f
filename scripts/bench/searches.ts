import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase as connect } from '../../src/database/open.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { requestTimeAt } from '../../src/domain/dates.ts';
import { Sanitizer } from '../../src/sanitizer/sanitizer.ts';
import { fillWithWorstTexts, searchedTexts, searchesOf } from '../../test/helper/worst-texts.ts';
import { judged, printTable } from './report.ts';
import { atEnd, databaseCpu, openDatabase, processCpu, startService } from './servers.ts';

const kinds = { PostgreSQL: 100, embedded: 300 } as const;
/** The lengths of the texts, in letters: the maximum of a title, and one so short that a search for one word reads all rows. */
const lengths = [255, 50];

/** Runs each search for each text over 50,000 rows of the worst text. Prints the database's CPU time for the most expensive text of each search. */
export async function measure({ isShort }: { isShort: boolean }): Promise<void> {
  const rows: string[][] = [];
  const fills = Object.entries(kinds).flatMap(([kind, bound]) => lengths.map((letters) => ({ kind, bound, letters })));
  for (const { kind, bound, letters } of fills) {
    const databaseUrl = kind === 'embedded' ? undefined : await openDatabase(packageRoot);
    const dataDir = await mkdtemp(join(tmpdir(), 'vaga-bench-'));
    atEnd(() => rm(dataDir, { recursive: true, force: true }));
    const service = databaseUrl ? undefined : await startService(packageRoot, { DATABASE_URL: '', DATA_DIR: dataDir });
    const database = await connect({ databaseUrl, dataDir, join: true, statementTimeoutMs: 60_000 });
    atEnd(() => database.close());
    const sanitizer = new Sanitizer();
    atEnd(() => sanitizer.close());
    const companyId = await fillWithWorstTexts(database.pools.operations, {
      letters,
      ...(isShort && { rows: 500, auditRows: 500 }),
    });
    const ctx = {
      db: database.db,
      sanitizer,
      clock: () => new Date(),
      ...requestTimeAt(new Date(), 'Europe/Lisbon'),
      actor: { kind: 'operator' },
    } as const;
    /** Returns the database's CPU time in ms. The embedded database runs in the service's process, which does nothing else. */
    const used = async () => (service ? processCpu(service.pid) : await databaseCpu(databaseUrl ?? '')) / 1000;
    for (const [name, search] of Object.entries(searchesOf(ctx, companyId))) {
      // Skips downloads: a file is read in many statements, while it is sent.
      if (name.endsWith('file')) continue;
      let dearest: [ms: number, text: string] = [0, ''];
      for (const [text, searched] of Object.entries(searchedTexts)) {
        await search(searched);
        const before = await used();
        const times = isShort ? 1 : 3;
        for (let time = 0; time < times; time++) await search(searched);
        const ms = ((await used()) - before) / times;
        if (ms > dearest[0]) dearest = [ms, text];
      }
      rows.push([kind, String(letters), name, judged(dearest[0], bound, 0), dearest[1]]);
    }
  }
  printTable([['database', 'letters', 'search', 'CPU ms', 'dearest text'], ...rows]);
}
