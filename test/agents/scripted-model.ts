import http from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';

export type ToolCall = readonly [tool: string, given: Readonly<Record<string, unknown>>];

/** A tool as an agent offers it to its model, under the name that the agent gave it. */
interface Offered {
  readonly name: string;
  readonly namespace?: string;
}

/** The content of one request of an agent: the tools, and the results of its model's calls so far. */
interface Heard {
  readonly tools: readonly Offered[];
  readonly results: readonly string[];
}

/** The content of the last request, with the tools as JSON. */
interface LastHeard extends Heard {
  readonly offered: string;
}

/** One provider's protocol: how to read a request, and the events that answer with a call, or with a text when no call is left. */
interface Dialect {
  readonly path: RegExp;
  read(request: Json): Heard;
  answer(
    at: number,
    call?: { readonly tool: Offered; readonly given: object },
  ): readonly [event: string, data: unknown][];
}

// A provider's request. Only the parts that a test reads have types.
type Json = { readonly [key: string]: Json } & readonly Json[];

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const dialects: readonly Dialect[] = [
  {
    path: /\/responses/,
    read: ({ tools, input }) => ({
      tools: list(tools).flatMap((tool) =>
        tool.type === ('namespace' as unknown)
          ? list(tool.tools).map((inner) => ({ name: `${inner.name}`, namespace: `${tool.name}` }))
          : [{ name: `${tool.name}` }],
      ),
      results: list(input).flatMap(({ type, output }) =>
        `${type}` === 'function_call_output' ? [asText(output)] : [],
      ),
    }),
    answer: (at, call) => {
      const { tool, given } = call ?? {};
      const content = [{ type: 'output_text', text: 'done' }];
      const item = tool
        ? { type: 'function_call', id: `f${at}`, call_id: `c${at}`, ...tool, arguments: JSON.stringify(given) }
        : { type: 'message', role: 'assistant', id: `m${at}`, content };
      const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
      return [
        ['response.created', { response: { id: `r${at}` } }],
        ['response.output_item.done', { output_index: 0, item }],
        ['response.completed', { response: { id: `r${at}`, usage } }],
      ].map(([type, data]): [string, unknown] => [`${type}`, { type, ...(data as object) }]);
    },
  },
  {
    path: /\/chat\/completions/,
    read: ({ tools, messages }) => ({
      tools: list(tools).map((tool) => ({ name: `${tool.function?.name}` })),
      results: list(messages).flatMap(({ role, content }) => (`${role}` === 'tool' ? [asText(content)] : [])),
    }),
    answer: (at, call) => {
      const named = call && { name: call.tool.name, arguments: JSON.stringify(call.given) };
      const delta = named
        ? { tool_calls: [{ index: 0, id: `c${at}`, type: 'function', function: named }] }
        : { content: 'done' };
      const chunk = (change: object, finish_reason: string | null) => ({
        ...{ id: `x${at}`, object: 'chat.completion.chunk', created: 1, model: 'scripted' },
        choices: [{ index: 0, delta: change, finish_reason }],
      });
      return [
        ['', chunk({ role: 'assistant', ...delta }, null)],
        ['', chunk({}, named ? 'tool_calls' : 'stop')],
      ];
    },
  },
  {
    path: /streamGenerateContent/,
    read: ({ tools, contents }) => ({
      tools: list(tools).flatMap((tool) => list(tool.functionDeclarations).map(({ name }) => ({ name: `${name}` }))),
      results: list(contents)
        .flatMap(({ parts }) => list(parts))
        .flatMap(({ functionResponse }) => (functionResponse ? [asText(functionResponse.response)] : [])),
    }),
    answer: (_at, call) => {
      const part = call ? { functionCall: { name: call.tool.name, args: call.given } } : { text: 'done' };
      return [['', { candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts: [part] } }] }]];
    },
  },
];

/** A model on loopback that makes the given calls one by one, and records what a model would read. */
export class ScriptedModel {
  readonly #server: http.Server;
  readonly #calls: readonly ToolCall[];
  heard: LastHeard = { tools: [], results: [], offered: '' };

  private constructor(calls: readonly ToolCall[]) {
    this.#calls = calls;
    this.#server = http.createServer((request, response) => {
      this.#answer(request, response).catch(() => response.writeHead(500).end());
    });
  }

  static async open(calls: readonly ToolCall[]): Promise<ScriptedModel> {
    const model = new ScriptedModel(calls);
    await new Promise<void>((resolve) => model.#server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get url(): string {
    const address = this.#server.address();
    expect(address).to.be.an('object');
    return `http://127.0.0.1:${(address as { port: number }).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await text(request);
    const dialect = dialects.find(({ path }) => path.test(request.url ?? ''));
    if (!dialect) return void response.writeHead(404).end('{}');
    const sent = JSON.parse(body);
    const heard = dialect.read(sent);
    // An agent also asks for a title, without tools.
    if (heard.tools.length > 0) this.heard = { ...heard, offered: JSON.stringify(sent.tools) };
    const at = heard.results.length;
    const [name, given = {}] = (heard.tools.length > 0 && this.#calls[at]) || [];
    const tool = heard.tools.find((one) => name !== undefined && one.name.endsWith(name));
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const [event, data] of dialect.answer(at, tool && { tool, given }))
      response.write(`${event === '' ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);
    response.end();
  }
}
