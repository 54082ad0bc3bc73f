import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { addressOf } from '../helper/address.ts';
import { newCompany, server } from '../helper/fixtures.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { freshKey } from '../helper/rest-client.ts';
import { fullJob } from '../helper/sample-jobs.ts';
import { languages } from './languages.ts';

const packages = join(packageRoot, 'test/generators/node_modules');

/** A job without its nulls, which some languages leave out, and with instants in seconds, which PHP prints. */
const comparable = (job: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(job)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, name.endsWith('_at') ? Math.floor(Date.parse(String(value)) / 1000) : value]),
  );

describe('clients of other languages (needs npm ci --prefix test/generators)', () => {
  for (const [name, { needs, generator, options, program, compile, run }] of Object.entries(languages)) {
    const JAR = join(packages, generator, 'bin/openapi-generator.jar');
    const folder = ownFolder();
    const shell = async (command: string, ...args: string[]) => {
      // The programs of Java end before its second compiler and its parallel garbage collector pay off.
      const env = { ...process.env, JAR, JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' };
      const running = promisify(execFile)('sh', ['-ec', `${command} "$@"`, 'sh', ...args], { cwd: folder, env });
      return (await running).stdout;
    };

    it(`${name}: a generated client creates a job, and lists it and what changed`, async function () {
      const isHere = () =>
        shell(`java -version && ${needs}`).then(
          () => true,
          () => false,
        );
      if (!existsSync(JAR) || !(await isHere())) return this.skip();
      const acme = await newCompany();
      const contract = await (await fetch(`${addressOf(server())}/openapi.json`)).text();
      mkdirSync(join(folder, 'api'));
      writeFileSync(join(folder, 'openapi.json'), contract);
      writeFileSync(join(folder, program.name), program.text);
      await shell(`java -jar "$JAR" generate ${options} -i openapi.json -o api`);
      if (compile) await shell(compile);
      // A null in an enum is the language's null, never the constant of that name.
      const sent = { ...fullJob(), contract_type: null, work_modality: null };
      const printed = await shell(run, await acme.secret('sandbox', 'write'), freshKey(), JSON.stringify(sent));
      const { created, listed, changed } = JSON.parse(printed);
      const [job, ...others] = (await (await acme.reader()).get('/jobs')).body.data;
      expect(others).to.deep.equal([]);
      expect(job).to.include({ title: sent.title, work_modality: null });
      for (const seen of [[created], listed, changed]) expect(seen.map(comparable)).to.deep.equal([comparable(job)]);
    });
  }
});
