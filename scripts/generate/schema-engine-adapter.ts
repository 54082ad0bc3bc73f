import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum, type SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import pg from 'pg';

/** The system catalogue's one-byte type "char"; the schema engine reads such columns, and the adapter does not know the type. */
const characterOid = 18;

/** An adapter as the schema engine needs it: one connection, because its own lock belongs to a session, and whole scripts. */
export async function connectForEngine(config: pg.PoolConfig): Promise<SqlDriverAdapter> {
  const pool = new CataloguePool({ ...config, max: 1 });
  // A pending query already reports a broken connection; an unhandled event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const adapter = await new PrismaPg(pool, { disposeExternalPool: true }).connect();
  // The adapter cuts a script at every semicolon, also within a string; whole, a migration is all or nothing.
  adapter.executeScript = async (script) => {
    await pool.query(script);
  };
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    for (const column of pool.characterColumns.get(result.rows) ?? [])
      result.columnTypes[column] = ColumnTypeEnum.Character;
    return result;
  };
  return adapter;
}

class CataloguePool extends pg.Pool {
  /** By the rows of a result, the columns that were "char" before they passed for text. */
  readonly characterColumns = new WeakMap<object, number[]>();

  // The cast: pg declares a dozen overloads of `query`; the adapter calls the one that takes an object and returns a promise.
  override query = (async (query: pg.QueryConfig | string) => {
    const client = await this.connect();
    try {
      const result = await client.query(query);
      const columns = (result.fields ?? []).filter(({ dataTypeID }) => dataTypeID === characterOid);
      if (columns.length > 0)
        this.characterColumns.set(
          result.rows,
          columns.map((field) => result.fields.indexOf(field)),
        );
      for (const field of columns) field.dataTypeID = pg.types.builtins.TEXT;
      return result;
    } finally {
      client.release();
    }
  }) as unknown as pg.Pool['query'];
}
