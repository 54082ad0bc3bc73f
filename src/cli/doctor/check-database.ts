import type pg from 'pg';
import type { Config } from '../../config.ts';
import { firstLine } from '../../database/database-errors.ts';
import { whyNotServed } from '../../database/embedded-folder.ts';
import type { DatabaseFacts } from '../../database/inspect.ts';
import { connectionsToServer } from '../../database/open-pools.ts';
import { placeOf } from '../../database/place.ts';
import type { WrongSetting } from '../../database/server-settings.ts';
import { fixOfReadOnly, Unusable } from '../../database/unusable.ts';
import { checkDataFolder } from './check-machine.ts';
import { clockFinding, type Finding, fine, orFine, wrong } from './finding.ts';

export const checkDatabase = (config: Config, isRestored: boolean): Promise<Finding[]> =>
  config.databaseUrl === undefined
    ? checkFolder(config, isRestored)
    : checkServer(config, config.databaseUrl, isRestored);

async function checkServer(config: Config, url: string, isRestored: boolean): Promise<Finding[]> {
  const { serverPool } = await import('../../database/pool.ts');
  const facts = await inspect(
    config,
    () => serverPool(url, { ...config.database, poolSize: 2 }, { applicationName: 'vaga doctor' }),
    isRestored,
  );
  if (facts instanceof Unusable)
    return [wrong('database', `PostgreSQL cannot be used: ${facts.found} (${placeOf(config)})`, facts.fix)];
  return [
    ...checkServerFacts(facts, placeOf(config), isRestored),
    ...checkLimits(facts, connectionsToServer(config.database.poolSize, facts.nodes)),
    ...facts.wrongSettings.map(wrongSetting),
    ...checkPooler(facts),
    checkSchema(facts),
    ...checkParts(facts),
    ...checkMaintenance(facts),
    ...checkRows(facts),
    clockFinding('database clock', facts.aheadMs, facts.uncertainMs),
    checkTimeZone(facts, config.timeZone),
  ];
}

/** Does not open the database of a folder that no service uses: opening it would write to the folder. */
async function checkFolder(config: Config, isRestored: boolean): Promise<Finding[]> {
  const { dataDir } = config;
  const common = await checkDataFolder(dataDir);
  const { findService } = await import('../../database/inspect.ts');
  const service = await findService(dataDir).catch((error: NodeJS.ErrnoException) => error);
  if (service instanceof Error) {
    const fix = service.code === 'EACCES' ? 'run this as the user of the service' : 'set DATA_DIR to another folder';
    return [...common, wrong('data folder', firstLine(service), fix)];
  }
  const reason = service ? undefined : await whyNotServed(dataDir).catch(firstLine);
  if (reason !== undefined) return [...common, wrong('database', reason, 'correct it: the service does not start')];
  if (!service)
    return [
      ...common,
      fine('database', `embedded in ${dataDir}; no service runs on it, so it is not opened`),
      ...(isRestored ? [wrong('rows', 'they were not read', 'start the service on the folder, and check again')] : []),
    ];
  const { embeddedPool } = await import('../../database/pool.ts');
  const facts = await inspect(config, () => embeddedPool(service, { ...config.database, poolSize: 1 }), isRestored);
  if (facts instanceof Unusable)
    return [
      ...common,
      wrong('database', `the service on ${dataDir} does not answer: ${facts.found}`, 'restart the service'),
    ];
  return [
    ...common,
    fine('database', `embedded in ${dataDir}, and served`),
    checkSchema(facts),
    ...checkParts(facts),
    ...checkMaintenance(facts),
    ...checkRows(facts),
    checkTimeZone(facts, config.timeZone),
  ];
}

/** One instant in winter and one in summer, to compare daylight saving time too. */
const instants = [new Date(Date.UTC(2026, 0, 15)), new Date(Date.UTC(2026, 6, 15))];

/** Opens the pool and inspects the database. */
async function inspect(
  { timeZone, database, databaseUrl }: Config,
  openPool: () => pg.Pool,
  isRestored: boolean,
): Promise<DatabaseFacts | Unusable> {
  const { inspectDatabase } = await import('../../database/inspect.ts');
  const server = databaseUrl === undefined ? undefined : database;
  try {
    return await inspectDatabase(openPool(), { timeZone, instants, isRestored, server });
  } catch (error) {
    return new Unusable(error);
  }
}

function checkServerFacts(facts: DatabaseFacts, place: string, isRestored: boolean): Finding[] {
  const { version, versionNumber, encoding, isReadOnly, isSuperuser } = facts;
  const check = 'database';
  const problems = [
    versionNumber < 150_000 && wrong(check, `PostgreSQL ${version} is too old`, 'use PostgreSQL 15 or newer'),
    encoding !== 'UTF8' &&
      wrong(check, `its encoding is ${encoding}`, 'create the database again with ENCODING UTF8 TEMPLATE template0'),
    !facts.foldsLetters &&
      wrong(
        check,
        'searches find letters beyond ASCII only as they are written, because its LC_CTYPE does not know them',
        'create the database again with LC_CTYPE C.UTF-8 TEMPLATE template0',
      ),
    isReadOnly && wrong(check, 'it is read-only', fixOfReadOnly),
    isSuperuser &&
      wrong(
        check,
        'the role of DATABASE_URL is a superuser',
        'use one that reads and writes rows: scripts/deploy/install.md has it',
      ),
    // A restore needs the owner's role, so with --restored that role is not reported.
    facts.isOwner &&
      !isSuperuser &&
      !isRestored &&
      wrong(
        check,
        'the role of DATABASE_URL owns the tables',
        'use the one that reads and writes rows: scripts/deploy/install.md has it',
      ),
    facts.forbidden !== undefined &&
      wrong(
        check,
        `the role of DATABASE_URL may not ${facts.forbidden}`,
        'use the one of scripts/deploy/install.md, or give it its rights again: the service does not start',
      ),
    facts.surplus.length > 0 &&
      wrong(
        check,
        `the role of DATABASE_URL has rights that only the owner of the tables should have: ${facts.surplus.join(', ')}`,
        'run npm run migrate, which takes them away, or end its membership in the role that has them',
      ),
  ];
  // The first finding always says which database was checked.
  const found = fine(check, `PostgreSQL ${version}, ${place}; no extension is needed`);
  return [found, ...problems.filter((problem) => problem !== false)];
}

const limitNames = {
  server: 'max_connections',
  database: 'CONNECTION LIMIT of the database',
  role: 'CONNECTION LIMIT of the role',
};

/** `ofOne` is how many connections one process may open. */
function checkLimits(facts: DatabaseFacts, ofOne: number): Finding[] {
  return facts.connectionLimits.flatMap(({ of, max, taken, processes }) => {
    const connections = Math.max(processes, 1) * ofOne;
    const who = processes > 1 ? `${processes} processes` : 'one process';
    const found = `${who} may open ${connections} connections, and the ${of} allows ${max}`;
    const fix = `lower DATABASE_POOL_SIZE, or raise ${limitNames[of]}; other programs have ${taken} connections`;
    return connections + taken > max ? [wrong('database', found, fix)] : [];
  });
}

const wrongSetting = ({ name, found, needed, otherwise }: WrongSetting): Finding =>
  wrong(
    'database',
    `${name} is ${found}, ${otherwise}`,
    `set ${name} = ${needed}, in postgresql.conf or where it is set`,
  );

function checkPooler({ statementFault, lostSettings }: DatabaseFacts): Finding[] {
  const check = 'connections';
  return orFine(
    [
      statementFault !== undefined && wrong(check, statementFault, 'correct it: the service does not start'),
      lostSettings.length > 0 &&
        wrong(
          check,
          `they lose the service's settings: ${lostSettings.join(', ')}`,
          'give these to the role with ALTER ROLE ... IN DATABASE: PgBouncer drops them (scripts/deploy/install.md)',
        ),
    ],
    check,
    'they keep statements and settings',
  );
}

function checkSchema({ schema }: DatabaseFacts): Finding {
  const check = 'migrations';
  switch (schema.kind) {
    case 'current':
      return fine(
        check,
        ['all are applied', ...schema.newer.map((name) => `${name} of a later version too`)].join(', '),
      );
    case 'behind':
      return wrong(check, `${schema.missing.length} are missing, from ${schema.missing[0]}`, 'run npm run migrate');
    case 'incomplete':
    case 'nowhere':
      return wrong(check, schema.problem, schema.fix);
  }
}

function checkParts({ faultyParts }: DatabaseFacts): Finding[] {
  if (!faultyParts) return [];
  const check = 'schema';
  if (faultyParts === 'unlisted')
    return [wrong(check, 'its keys and indexes were not checked: the build has no list of them', 'run npm run build')];
  const fix =
    'make them as prisma/migrations does (REINDEX, VALIDATE CONSTRAINT or ENABLE TRIGGER for invalid ones, SET LOGGED for a write-ahead log); after a restore that failed, restore again into an empty database';
  return [
    faultyParts.length > 0
      ? wrong(check, faultyParts.join(', '), fix)
      : fine(check, 'it has all keys and indexes of its migrations'),
  ];
}

function checkMaintenance({ maintenance }: DatabaseFacts): Finding[] {
  if (!maintenance) return [];
  const { since = 'an unknown time', until } = maintenance;
  const found = `the API answers 503 since ${since}${until === undefined ? '' : `, as planned until ${until}`}`;
  return [wrong('maintenance', found, 'run vaga maintenance off when the work is done: it never ends by itself')];
}

function checkRows({ missing }: DatabaseFacts): Finding[] {
  if (missing === undefined) return [];
  const check = 'rows';
  if (typeof missing === 'string')
    return [wrong(check, `they could not be read: ${missing}`, 'correct that, and check again')];
  const fix = 'restore the backup again, or another one, into an empty database';
  return orFine(
    missing.map((problem) => wrong(check, problem, fix)),
    check,
    'nothing is missing',
  );
}

function checkTimeZone({ localTimes }: DatabaseFacts, timeZone: string): Finding {
  const check = 'time zone';
  const fix = 'set SERVICE_TIMEZONE to a zone that both know, or update tzdata and Node.js';
  if (!localTimes) return wrong(check, `PostgreSQL does not know ${timeZone}`, fix);
  // Swedish dates are written as in ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const agrees = instants.every((instant, place) => format.format(instant) === localTimes[place]);
  return agrees ? fine(check, timeZone) : wrong(check, `PostgreSQL and Node.js disagree about ${timeZone}`, fix);
}
