import type { ComponentChildren } from 'preact';

type Link = (text: string) => ComponentChildren;

/** The contract's own title and summary are English. */
const front = {
  title: undefined as string | undefined,
  summary: undefined as string | undefined,
  docs: ': every operation with examples for curl, TypeScript and MCP, which you can try in the sandbox.',
  dashboard: ": your company's credentials, jobs and requests.",
  contract: 'The contract as a file: ',
  llms: 'For language models: ',
  addresses: 'Addresses',
};

const docs = {
  title: (title: string) => `${title}: API reference`,
  description: (summary: string) => `${summary} API reference with examples for curl, TypeScript and MCP.`,
  contents: 'Contents',
  setup: 'Set up the examples',
  forCurl: 'For curl:',
  forTypeScript: 'For TypeScript:',
  forMcp:
    'For MCP, an agent sends these messages. To send one by hand, run this command, paste the message, press Ctrl-D:',
  errorResponses: 'Error responses',
  responseHeaders: 'Response headers',
  schemas: 'Schemas',
  tools: 'Tools (MCP)',
  toolsIntroduction: (sandbox: string, production: string) =>
    `Streamable HTTP, POST only, with the same tokens: \`${sandbox}\` (sandbox), \`${production}\` (production).`,
  fieldsOf: 'Fields of ',
  headers: 'Headers:',
  operation: 'operation',
  scope: 'scope',
  tool: 'tool',
  arguments: 'arguments',
  noArguments: 'none',
  parameters: 'Parameters',
  inPlace: { path: ' In the path.', header: ' In the header.' } as Readonly<Record<string, string>>,
  requestBody: 'Request body',
  jsonWith: (schema: ComponentChildren): ComponentChildren => ['JSON with the fields of ', schema, '.'],
  responses: 'Responses',
  errors: (statuses: string) => `Errors: ${statuses}`,
  noTool: 'This operation has no tool.',
  example: 'Example: ',
  required: ' required',
  see: (link: ComponentChildren): ComponentChildren => ['See ', link, '.'],
  oneOf: (values: ComponentChildren): ComponentChildren => ['One of ', values, '.'],
};

/** The types and limits of values. */
const fieldTypes = {
  any: 'any value',
  arrayOf: (type: string) => `array of ${type}`,
  orNull: (type: string) => `${type} or null`,
  each: (limit: string) => `each ${limit}`,
  units: {
    character: { one: 'character', several: 'characters' },
    item: { one: 'item', several: 'items' },
  },
  range: (min: string, max: string) => `${min} to ${max}`,
  atMost: (max: string) => `at most ${max}`,
  atLeast: (min: string) => `at least ${min}`,
  someProperties: (count: number) => `at least ${count} of its properties`,
  matches: (pattern: string) => `matches ${pattern}`,
  standard: (value: string) => `default ${value}`,
};

const clients = {
  title: 'Connect an agent (MCP)',
  introduction: (address: ComponentChildren, prefix: ComponentChildren): ComponentChildren => [
    'These use the sandbox. For production, use ',
    address,
    ' and a token that begins with ',
    prefix,
    '. There is no OAuth: an agent needs a token from the dashboard.',
  ],
  label: 'MCP clients',
  client: 'Client',
  paste: 'What to paste',
  /** What differs from the English table in README. */
  where: {} as Readonly<Record<string, string>>,
  cards: (code: Link): ComponentChildren => [
    'Clients that look for servers find a server card without tools at ',
    code('/mcp/server-card'),
    ' and ',
    code('/sandbox/mcp/server-card'),
    ', and both in ',
    code('/.well-known/ai-catalog.json'),
    '. These need no token. They are 404 if the service does not know its public address, that is, if ',
    code('PUBLIC_URL'),
    ' is not set and the service is not reached directly on a loopback address.',
  ],
};

const tryIt = {
  token: 'Sandbox token for “Try it”',
  tokenHint: (prefix: ComponentChildren, base: ComponentChildren): ComponentChildren => [
    'Begins with ',
    prefix,
    '. It is kept only in this field, and is gone when you leave the page. “Try it” calls ',
    base,
    ', never production.',
  ],
  summary: 'Try it in the sandbox',
  label: (operation: string) => `Try it: ${operation}`,
  notSent: 'not sent',
  send: 'Send to the sandbox',
  enterToken: 'Enter a sandbox token first; it begins with',
  outside: 'This path is outside the sandbox.',
};

const layout = { apiReference: 'API reference', companyDashboard: 'Company dashboard' };
const environments = { production: { name: 'Production' }, sandbox: { name: 'Sandbox' } };

/** The API reference is English only. */
export const en = { tag: 'en', layout, environments, front, docs, fieldTypes, clients, tryIt };
export type Texts = typeof en;
export const useTexts = (): Texts => en;
