const on = { enabled: true };
const shape = { contentType: on, jsonBody: on, schemaValidation: on, headersPresent: on };

type Part = Readonly<Record<string, unknown>>;

/** A variation of the operation's example and its expected answer. `more` lets Portman make faults itself. */
const otherwise = (openApiOperation: string, status: number, change: Part, more: Part = {}) => ({
  openApiOperation,
  openApiResponse: String(status),
  variations: [
    {
      ...{ name: String(status), overwrites: [change], ...more },
      tests: { contractTests: [{ ...shape, statusCode: { enabled: true, code: status } }] },
    },
  ],
});

const header = (key: string, value: string) => ({
  overwriteRequestHeaders: [{ key, value, overwrite: true, insert: true, disable: false }],
});
const job = (value: string) => ({ overwriteRequestPathVariables: [{ key: 'id', value, overwrite: true }] });
const bearer = (token: string) => ({ overwriteRequestSecurity: { bearer: { token } } });
const wrong = {
  ...{ requiredFields: on, minimumNumberFields: on, maximumNumberFields: on, minLengthFields: on, maxLengthFields: on },
};

/** Portman's settings: each operation with the contract's first example, then its variations. */
export const portmanConfig = (token: string, readToken: string) => ({
  version: 1,
  tests: {
    contractTests: [{ openApiOperation: '*::/*', statusSuccess: on, ...shape }],
    variationTests: [
      otherwise('POST::/jobs', 201, header('Idempotency-Key', '{{$guid}}')),
      otherwise('*::/*', 401, bearer('none')),
      otherwise('POST::/jobs', 403, bearer(readToken)),
      otherwise('*::/jobs/{id}', 404, job('999999999')),
      otherwise('POST::/jobs', 409, { overwriteRequestBody: [{ key: 'title', value: 'Outro', overwrite: true }] }),
      otherwise('PATCH::/jobs/{id}', 412, header('If-Match', '"other"')),
      otherwise('POST::/jobs', 422, header('Idempotency-Key', '{{$guid}}'), { fuzzing: [{ requestBody: [wrong] }] }),
      otherwise('POST::/jobs', 422, {}, { fuzzing: [{ requestHeaders: [{ requiredFields: on }] }] }),
      otherwise('PATCH::/jobs/{id}', 422, {}, { fuzzing: [{ requestBody: [wrong] }] }),
      otherwise('GET::/jobs', 422, {}, { fuzzing: [{ requestQueryParams: [wrong] }] }),
      otherwise('POST::/jobs', 429, header('X-Simulate', '429')),
      otherwise('GET::/account', 503, header('X-Simulate', '503')),
    ],
  },
  assignVariables: [
    { openApiOperation: 'POST::/jobs', collectionVariables: [{ responseBodyProp: 'data.id', name: 'job' }] },
  ],
  overwrites: [{ openApiOperation: '*::/jobs/{id}', ...job('{{job}}') }],
  globals: {
    securityOverwrites: { bearer: { token } },
    orderOfOperations: ['POST::/jobs', 'GET::/jobs', 'GET::/jobs/{id}', 'PATCH::/jobs/{id}', 'DELETE::/jobs/{id}'],
  },
});

interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: { readonly body?: { readonly raw?: string } };
}

/** The collection without requests that Portman could not make wrong, because the example has no text in that field. */
export function withoutUnchanged<Folder extends Item>(folder: Folder): Folder {
  const isUnchanged = ({ name, request }: Item) => {
    const [, field] = /\[(?:minimum|maximum) length (\w+)/.exec(name) ?? [];
    return field !== undefined && JSON.parse(request?.body?.raw ?? '{}')[field] == null;
  };
  return {
    ...folder,
    ...(folder.item && { item: folder.item.filter((it) => !isUnchanged(it)).map(withoutUnchanged) }),
  };
}
