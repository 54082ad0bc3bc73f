import type { Command } from 'commander';
import { ConfigError, readConfig } from '../config.ts';
import { addCommand, type Host } from './command-of.ts';

const note = `
Set DATABASE_URL, or DATABASE_URL_FILE, to an empty PostgreSQL, with a role that owns its schema. Migrates it, copies every row of DATA_DIR
and checks the copy as doctor --restored does. Stop the service first: nothing is written meanwhile. A failed or killed move leaves no row, or
is finished by running it again. After it the folder is kept, but no service starts on it.
`;

/** Takes the server's address only from the settings: on a command line, every user of the machine would see the password in it. */
export function move(parent: Command, host: Host): void {
  addCommand(parent, {
    name: 'move',
    description: 'copy the embedded database of DATA_DIR to the PostgreSQL of DATABASE_URL',
    note,
    example: 'move --json',
  }).action(() =>
    host.examine(async (env) => {
      const { databaseUrl, dataDir } = readConfig(env);
      if (databaseUrl === undefined) throw new ConfigError('DATABASE_URL must be set to the PostgreSQL to move to');
      const { moveToServer } = await import('../database/move.ts');
      const move = await moveToServer(dataDir, databaseUrl);
      const [done, counts] =
        move.kind === 'moved'
          ? [
              `Moved ${move.rows} rows of ${move.tables} tables to ${move.place} and checked the copy.`,
              { tables: move.tables, rows: move.rows },
            ]
          : [`Already moved to ${move.place}.`, { already: true }];
      return {
        data: { moved: true, ...counts, database: move.place },
        text: `${done}
Next: start the service with its DATABASE_URL, but as the role that reads and writes rows. People stay signed in.`,
        done,
      };
    }),
  );
}
