import pg from 'pg';

/** A statement as the driver sends it. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The statements sent while `work` runs, each text once with its first values. Recorded in the driver, so that it includes those
 * of Prisma, of transactions and of batches.
 */
export async function recordStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const heard = new Map<string, Statement>();
  const { prototype } = pg.Client;
  const { query } = prototype;
  prototype.query = function (this: pg.Client, ...asked: Parameters<typeof query>) {
    const [config, values] = asked as unknown as [string | Partial<Statement>, unknown];
    const named = typeof config === 'string' ? { text: config } : config;
    const { text = '', values: bound = Array.isArray(values) ? values : [] } = named as Partial<Statement>;
    if (!heard.has(text)) heard.set(text, { text, values: bound });
    return query.apply(this, asked);
    // The cast: pg declares a dozen overloads, which are only passed on here.
  } as typeof query;
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return [...heard.values()];
}
