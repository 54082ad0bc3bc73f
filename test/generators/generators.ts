/** A generator of clients, and a program that creates a job and lists the jobs with what it generates. */
export interface Generator {
  /** The command line. It runs in a folder that contains the contract under this name. */
  readonly command: (contract: string) => string;
  /** A file that the command reads, and its text. */
  readonly config?: { readonly name: string; readonly text: (contract: string) => string };
  /** The client takes the address of the contract's first server by itself. Otherwise the program gets that address as `base`. */
  readonly readsAddress?: true;
  /** Statements that declare `created` and `listed`, the jobs of both responses; `job` is JSON. */
  readonly program: (job: string) => string;
  /** The folder whose packages the generated code imports, if they are of other versions. */
  readonly packages?: string;
}

/** For generators without a client: a fetch with the address and the credential. */
const schemasOnly = `
  const send = async (path: string, init: RequestInit = {}): Promise<unknown> =>
    (await fetch(base + path, { ...init, headers: { ...init.headers, ...headers, 'Content-Type': 'application/json' } })).json();
  const post = (body: unknown) =>
    send('/jobs', { method: 'POST', body: JSON.stringify(body), headers: { 'Idempotency-Key': key } });`;

export const generators: Record<string, Generator> = {
  'openapi-typescript and openapi-fetch': {
    command: (contract) => `openapi-typescript ${contract} -o api.ts`,
    program: (job) => `
      import createClient from 'openapi-fetch';
      import type { paths } from './api';
      const client = createClient<paths>({ baseUrl: base, headers });
      const made = await client.POST('/jobs', { params: { header: { 'Idempotency-Key': key } }, body: ${job} });
      const created = made.data?.data;
      const listed = (await client.GET('/jobs', { params: { query: { status: 'pending' } } })).data?.data;`,
  },
  'swagger-typescript-api': {
    command: (contract) => `swagger-typescript-api generate -p ${contract} -o . -n api.ts --silent`,
    readsAddress: true,
    program: (job) => `
      import { Api, type JobInput } from './api';
      const { jobs } = new Api({ baseApiParams: { headers } });
      // It generates TypeScript enums, which have no null.
      const made = await jobs.createJob(${job} as object as JobInput, { headers: { ...headers, 'Idempotency-Key': key } });
      const created = made.data.data;
      const listed = (await jobs.listJobs({ status: 'pending' })).data.data;`,
  },
  oazapfts: {
    command: (contract) => `oazapfts ${contract} api.ts`,
    readsAddress: true,
    program: (job) => `
      import { createJob, defaults, listJobs } from './api';
      Object.assign(defaults, { headers });
      const made = await createJob(key, ${job});
      const created = made.status === 201 && made.data.data;
      const list = await listJobs({ status: 'pending' });
      const listed = list.status === 200 && list.data.data;`,
  },
  'openapi-client-axios': {
    command: () => 'node generate.mjs',
    // The client reads the contract when it runs. Only its types are generated, and its command line prints them.
    config: {
      name: 'generate.mjs',
      text: (contract) => `
        import { writeFileSync } from 'node:fs';
        import SwaggerParser from '@apidevtools/swagger-parser';
        import { generateTypesForDocument } from 'openapi-client-axios-typegen';
        const definition = await SwaggerParser.parse('${contract}');
        const types = await generateTypesForDocument('${contract}', { transformOperationName: (name) => name });
        writeFileSync('types.ts', types.join('\\n'));
        const text = 'export const definition = ' + JSON.stringify(definition) + ' as Document';
        writeFileSync('definition.ts', "import type { Document } from 'openapi-client-axios';\\n" + text);`,
    },
    readsAddress: true,
    program: (job) => `
      import { OpenAPIClientAxios } from 'openapi-client-axios';
      import { definition } from './definition';
      import type { Client } from './types';
      const api = new OpenAPIClientAxios({ definition, axiosConfigDefaults: { headers } });
      const client = await api.init<Client>();
      const created = (await client.createJob({ 'Idempotency-Key': key }, ${job})).data.data;
      const listed = (await client.listJobs({ status: 'pending' })).data.data;`,
  },
  'orval with fetch': {
    command: () => 'orval --config orval.config.mjs',
    config: {
      name: 'orval.config.mjs',
      text: (contract) => `export default { api: {
        input: { target: '${contract}' },
        output: { target: 'api.ts', client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } },
      } };`,
    },
    readsAddress: true,
    program: (job) => `
      import { createJob, listJobs } from './api';
      const made = await createJob(${job}, { headers: { ...headers, 'Idempotency-Key': key } });
      const created = made.status === 201 && made.data.data;
      const list = await listJobs({ status: 'pending' }, { headers });
      const listed = list.status === 200 && list.data.data;`,
  },
  'orval with zod': {
    command: (contract) => `orval --input ${contract} --output api.ts --client zod`,
    program: (job) => `
      import * as api from './api';${schemasOnly}
      const created = api.CreateJobResponse.parse(await post(api.CreateJobBody.parse(${job}))).data;
      const listed = api.ListJobsResponse.parse(await send('/jobs?status=pending')).data;`,
  },
  'kubb with zod': {
    command: () => 'node generate.mjs',
    // Its command line would ask the registry for a newer version.
    config: {
      name: 'generate.mjs',
      text: (contract) => `
        import { build, defineConfig } from '@kubb/core';
        import { pluginOas } from '@kubb/plugin-oas';
        import { pluginTs } from '@kubb/plugin-ts';
        import { pluginZod } from '@kubb/plugin-zod';
        const plugins = [pluginOas({ generators: [] }), pluginTs(), pluginZod()];
        await build({ config: defineConfig({ input: { path: '${contract}' }, output: { path: 'api' }, plugins }) });`,
    },
    program: (job) => `
      import type { Job, JobInput } from './api';
      import { createJob201Schema, createJobMutationRequestSchema, listJobs200Schema } from './api';${schemasOnly}
      const input: JobInput = createJobMutationRequestSchema.parse(${job});
      const created: Job = createJob201Schema.parse(await post(input)).data;
      const listed: Job[] = listJobs200Schema.parse(await send('/jobs?status=pending')).data;`,
  },
  'hey-api with zod': {
    command: () => 'openapi-ts -f hey.config.mjs',
    // The SDK does not find a required header of a request (hey-api/hey-api#2643), so the program checks its own input.
    config: {
      name: 'hey.config.mjs',
      text: (contract) => `export default {
        input: '${contract}',
        output: 'api',
        plugins: ['@hey-api/client-fetch', { name: '@hey-api/sdk', validator: { response: 'zod' } }, 'zod'],
      };`,
    },
    readsAddress: true,
    program: (job) => `
      import { createJob, listJobs } from './api';
      import { client } from './api/client.gen';
      import { zCreateJobBody } from './api/zod.gen';
      client.setConfig({ headers, throwOnError: true });
      const body = zCreateJobBody.parse(${job});
      const created = (await createJob({ body, headers: { 'Idempotency-Key': key }, throwOnError: true })).data.data;
      const listed = (await listJobs({ query: { status: 'pending' }, throwOnError: true })).data.data;`,
  },
  'openapi-zod-client': {
    command: () => 'node generate.mjs',
    // A zod enum has no null; zod needs `nullable` for that. Its command line has no option for it.
    config: {
      name: 'generate.mjs',
      text: (contract) => `
        import SwaggerParser from '@apidevtools/swagger-parser';
        import { generateZodClientFromOpenAPI } from 'openapi-zod-client';
        await generateZodClientFromOpenAPI({
          openApiDoc: await SwaggerParser.parse('${contract}'),
          distPath: 'api.ts',
          options: {
            schemaRefiner: (schema) =>
              schema.nullable && schema.enum ? { ...schema, enum: schema.enum.filter((value) => value !== null) } : schema,
          },
        });`,
    },
    program: (job) => `
      import { createApiClient } from './api';
      const client = createApiClient(base, { axiosConfig: { headers } });
      const created = (await client.post('/jobs', ${job}, { headers: { 'Idempotency-Key': key } })).data;
      const listed = (await client.get('/jobs', { queries: { status: 'pending' } })).data;`,
    packages: 'node_modules/openapi-zod-client/node_modules',
  },
};
