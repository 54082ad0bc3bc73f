import { type Entrant, inRounds, load, type Round } from './load.ts';
import { builtFolder, count, runBench } from './program.ts';
import { alignRight, machineNote, median } from './report.ts';
import { modernRequest, requestOver } from './requests.ts';
import { loadCompanies } from './sample-data.ts';
import { openDatabase, servicePlan, startServer } from './servers.ts';

const companies = 50;
const jobsEach = 100;
const about =
  'Fifty companies read single jobs, each with a credential of its own: over REST, and over MCP in both eras.';
const options = {
  rounds: count('of each', 12, 999),
  seconds: count('of load in each round', 2, 999),
  connections: count('at a time', 32, 999),
  dist: builtFolder,
};

const forms = {
  'GET /jobs/{id}': requestOver.rest,
  'get_job, 2025-11-25': requestOver.mcp,
  'get_job, 2026-07-28': modernRequest,
} as const;

function table(rounds: ReadonlyMap<Entrant, readonly Round[]>): string[] {
  const figures = [...rounds].map(([{ name }, own]) => ({
    name,
    perSecond: median(own.map(({ requestsPerSecond }) => requestsPerSecond)),
    cpu: median(own.map(({ cpuMicroseconds, latenciesMs }) => cpuMicroseconds / latenciesMs.length)),
  }));
  const rows = figures.map(({ name, perSecond, cpu }) => [
    name,
    perSecond.toFixed(0),
    (perSecond / (figures[0]?.perSecond ?? 1)).toFixed(2),
    cpu.toFixed(0),
  ]);
  return alignRight([['', 'requests/s', 'of REST', 'service CPU µs'], ...rows]);
}

export const runEras = (): Promise<void> =>
  runBench('bench -- --eras', about, options, async ({ dist, rounds, seconds, connections }, run) => {
    console.log(machineNote(`PostgreSQL, limits in ${process.env.REDIS_URL ? 'Redis' : 'PostgreSQL'}`));
    const { url } = await openDatabase(dist, run);
    const data = await loadCompanies(url, companies, jobsEach);
    const server = await startServer(servicePlan(dist, { DATABASE_URL: url }), run);
    const entrants = Object.entries(forms).map(([name, requestOf]): Entrant => {
      const requests = data.companies.flatMap(({ token, jobIds }) =>
        jobIds.map((id) => requestOf('getJob', token, { id })),
      );
      // Every connection begins with the first request; without this, all read the same job at the same time.
      const oneOf = () => requests[Math.floor(Math.random() * requests.length)];
      const setupRequest = (request: object) => ({ ...request, ...oneOf() });
      return { name, server, requests: [{ setupRequest }], statuses: [200] };
    });
    const measure = async (entrant: Entrant) => {
      const round = await load(entrant, { connections, seconds }, run.signal);
      if (round.failures > 0) throw new Error(`${entrant.name}: ${round.failures} wrong answers`);
      return round;
    };
    await inRounds(entrants, 2, measure);
    console.log(table(await inRounds(entrants, rounds, measure)).join('\n'));
  });
