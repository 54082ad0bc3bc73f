import {
  type Answer,
  createJob,
  getAccount,
  getJob,
  keptAnswers,
  listCategories,
  listJobs,
  listOptions,
  listRegions,
  type Operation,
  updateJob,
  withdrawJob,
} from './floor-operations.ts';
import type { Caller } from './floor-store.ts';

// tools/call by hand: the same operations, with the JSON of their answers put into a result as text.

const tools: Readonly<Record<string, Operation>> = {
  get_account: getAccount,
  list_categories: listCategories,
  list_regions: listRegions,
  list_job_options: listOptions,
  list_jobs: listJobs,
  create_job: createJob,
  get_job: getJob,
  update_job: updateJob,
  withdraw_job: withdrawJob,
};

interface Call {
  readonly id: number;
  readonly params?: { readonly name?: string; readonly arguments?: Readonly<Record<string, unknown>> };
}

/** The answer to a JSON-RPC request that calls a tool. */
export async function callTool(caller: Caller, bytes: Buffer): Promise<Answer> {
  const { id: messageId, params }: Call = JSON.parse(bytes.toString());
  const operation = tools[params?.name ?? ''];
  if (!operation) return { status: 404 };
  const { id, idempotency_key: key, job: body, ...query } = params?.arguments ?? {};
  const answer = await operation(caller, { id: id === undefined ? undefined : String(id), key, body, query });
  return {
    status: 200,
    text: `{"jsonrpc":"2.0","id":${messageId},"result":${keptResults.get(answer) ?? resultOf(answer)}}`,
  };
}

const keptResults = new Map(keptAnswers.map((answer) => [answer, resultOf(answer)]));

function resultOf(answer: Answer): string {
  const { status, text = 'null' } = answer;
  const isError = status >= 400;
  const outcome = isError ? text.slice(1, -1) : `"response":${text}`;
  const structured = `{"environment":"production","http_status":${status},${outcome}}`;
  const content = `[{"type":"text","text":${JSON.stringify(structured)}}]`;
  return `{"content":${content},"structuredContent":${structured},"isError":${isError}}`;
}
