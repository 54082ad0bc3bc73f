import { type Operation, operations } from '../../contract/document.ts';
import { referencePaths } from '../../contract/published-contract.ts';
import { policy } from '../../domain/environment.ts';
import { invalidText } from '../../domain/errors.ts';
import { environmentLabels } from '../../operations/kit/fields.ts';
import { listRequests, protocolNames, reasonLabels } from '../../operations/requests/people/list-requests.ts';
import { statusUnanswered } from '../../telemetry/logged-request.ts';
import { optionLabel } from '../labels.ts';
import type { Cells } from '../list.tsx';
import { type PageAnswer, type PageContext, page, pageNotFound, useT } from '../page.ts';
import type { Translate } from '../texts/language.ts';
import { Badge, Facts, Instant, type Tone } from './text.tsx';

type Entry = Awaited<ReturnType<typeof listRequests>>['items'][number];

/** Why a request was refused, in a few words. */
export const reasonText = (reason: string, t: Translate): string => t(reasonLabels[reason] ?? reason);

/** The cells of a list of requests. Each operation links to the request's page. */
export const requestCells = (pathOf: (request: Entry) => string, t: Translate): Cells<Entry> => ({
  ...cellsOf(t),
  operation: (request) => <a href={pathOf(request)}>{request.operation ?? t('No operation')}</a>,
  environment: ({ environment }) => t(environmentLabels[environment]),
  reason: null,
  requestId: null,
});

const cellsOf = (t: Translate) =>
  ({
    at: ({ at }) => <Instant at={at} withSeconds />,
    operation: ({ operation }) => {
      const path = referencePaths.get(operation ?? undefined);
      return path ? <a href={path}>{operation}</a> : t('No operation');
    },
    protocol: ({ protocol }) => protocolNames[protocol],
    status: (request) => <Status {...request} />,
    latencyMs: ({ latencyMs }) => `${latencyMs} ms`,
    credentialLabel: ({ credentialLabel }) => credentialLabel ?? t('Removed credential'),
  }) satisfies Cells<Entry>;

export const requestIdPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

interface RequestPaths {
  /** The path of the page of what the request is about. Undefined if there is none. */
  readonly pathOf: (resource: string, id: number) => string | undefined;
  readonly listPath: string;
  /** The path of a company's page. Given only if the reader may see all companies. */
  readonly companyPath?: (companyId: bigint) => string;
}

/** Shows everything stored about the request in the path, or about each tool call of a batch. Throws 404 if nothing is stored. */
export async function requestPage(
  ctx: PageContext,
  tenant: Pick<Entry, 'companyId' | 'environment'>,
  { pathOf, listPath, companyPath }: RequestPaths,
): Promise<PageAnswer> {
  const { t } = ctx;
  const { request: text = '' } = ctx.params;
  if (!requestIdPattern.test(text)) throw pageNotFound();
  const { items } = await listRequests(ctx, { ...tenant, text });
  if (items.length === 0) throw pageNotFound();
  const { columns } = listRequests;
  const content = (
    <>
      <h1>{t('Request')}</h1>
      {items.map((item) => (
        <article class="narrow">
          <Facts
            facts={[
              [t('Company'), companyPath ? <a href={companyPath(item.companyId)}>{item.companyName}</a> : null],
              [t('Environment'), t(environmentLabels[item.environment])],
              [t('Method and path'), addressOf(item) ? <code>{addressOf(item)}</code> : null],
              ...Object.entries(cellsOf(t)).map(
                ([name, cell]) => [t(columns[name as keyof typeof columns] ?? name), cell(item)] as const,
              ),
              [t('Answer'), saidOf(item).answer && <span lang="en">{saidOf(item).answer}</span>],
              [t('Refused fields'), item.fields.length > 0 ? item.fields.map((field) => fieldText(field, t)) : null],
              [t('What is wrong'), saidOf(item).fields && <pre lang="en">{saidOf(item).fields}</pre>],
              ...aboutOf(item).map(([resource, id]) => {
                const link = pathOf(resource, id);
                return [t(optionLabel(resource)), link ? <a href={link}>{id}</a> : id] as const;
              }),
              [t('Request ID'), <code data-copy>{item.requestId}</code>],
              [t('Trace ID'), item.traceparent && <code data-copy>{item.traceparent.split('-')[1]}</code>],
              [
                item.protocol === 'mcp' ? t('To send the same over REST') : t('To send it again'),
                curlOf(item, ctx.origin) ? <pre data-copy>{curlOf(item, ctx.origin)}</pre> : null,
              ],
            ]}
          />
          <p>
            <a href={`${listPath}&${likeThis(item)}`}>{t('All like this')}</a>
          </p>
        </article>
      ))}
      <p>
        <a href={listPath}>{t('Back to the requests')}</a>
      </p>
    </>
  );
  return page(t('Request'), content);
}

/** The resource that the request is about, and its id, if there is one. */
const aboutOf = ({ resource, resourceId }: Entry): [resource: string, id: number][] =>
  resource === null || resourceId === null ? [] : [[resource, resourceId]];

const operationAt = ({ operation }: Entry): Operation | undefined =>
  [...operations.values()].find(({ operationId }) => operationId === operation);

/** The request's method and path: POST /v1/jobs. Undefined for an address that is not in the contract. */
const addressOf = (item: Entry): string | undefined =>
  item.protocol === 'mcp' ? `POST ${policy[item.environment].mcpPath}` : restAddressOf(item);

/** The method and path of the request's operation over REST, even if the request came over MCP. */
function restAddressOf(item: Entry): string | undefined {
  const operation = operationAt(item);
  const last = operation?.pathParameters.at(-1)?.name;
  const path = operation?.path.replace(`{${last}}`, (whole) => String(item.resourceId ?? whole));
  return operation && `${operation.method.toUpperCase()} ${policy[item.environment].restBase}${path}`;
}

/** The request as a curl command, without its query and its body, which are not stored. */
function curlOf(item: Entry, origin: string): string | undefined {
  const [method, path] = restAddressOf(item)?.split(' ') ?? [];
  const operation = operationAt(item);
  if (!operation) return undefined;
  const isKeyed = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
  return [
    `curl -i -X ${method} '${origin}${path}' -H "Authorization: Bearer $TOKEN"`,
    ...(isKeyed ? ['-H "Idempotency-Key: $KEY"'] : []),
    ...(operation.hasBody ? [`-H 'Content-Type: application/json' -d @body.json`] : []),
  ].join(' ');
}

const likeThis = ({ environment, operation, status, reason }: Entry) =>
  new URLSearchParams({
    environment,
    ...(operation !== null && { operation }),
    status: String(status),
    ...(reason !== null && { reason }),
  });

/** Returns the answer's error message. For `invalid_input` that is a constant, and the stored text says what is wrong with the first fields. */
const saidOf = ({ reason, message }: Entry) =>
  reason === 'invalid_input' ? { answer: invalidText, fields: message } : { answer: message, fields: null };

/** Shows a field's name from the contract, or how many unknown names were sent. */
function fieldText(field: string, t: Translate) {
  const [, count] = /^(\d+) unknown$/.exec(field) ?? [];
  return count === undefined ? <code>{field} </code> : t('unknown names: {{number}}', { number: Number(count) });
}

function Status({ status, reason }: Entry) {
  const t = useT();
  const text = status === statusUnanswered ? t('{{status}}, no answer', { status }) : String(status);
  return (
    <>
      <Badge tone={toneOf(status)} text={text} />
      {reason !== null && <small>{` ${reasonText(reason, t)}`}</small>}
    </>
  );
}

function toneOf(status: number): Tone {
  if (status < 400) return 'good';
  return status < 500 ? 'waiting' : 'bad';
}
