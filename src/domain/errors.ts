import type { components } from '../../generated/openapi.ts';
import { filled, type Message, type MessageParams } from './message.ts';

type Schemas = components['schemas'];
type ReasonOf<Name extends keyof Schemas> = Schemas[Name] extends { error: { details: { reason: infer Reason } } }
  ? Reason
  : never;

/** The contract's closed list of `details.reason` per status. A 422 lists fields instead; 405 and 500 have no schema of their own. */
export interface Reasons {
  400: ReasonOf<'BadRequestError'>;
  401: ReasonOf<'UnauthorizedError'>;
  403: ReasonOf<'ForbiddenError'>;
  404: ReasonOf<'NotFoundError'>;
  405: 'method';
  409: ReasonOf<'ConflictError'>;
  410: ReasonOf<'GoneError'>;
  412: ReasonOf<'PreconditionFailedError'>;
  413: ReasonOf<'PayloadTooLargeError'>;
  415: ReasonOf<'UnsupportedMediaTypeError'>;
  429: ReasonOf<'TooManyRequestsError'>;
  500: 'internal';
  503: ReasonOf<'UnavailableError'>;
}

export type ErrorStatus = keyof Reasons | 422;
export type ErrorDetails = Record<string, unknown>;

/** Refusals that only people see, on pages and the command line, with the HTTP status of the page. */
export const rejectionStatus = {
  not_allowed: 403,
  unknown_company: 404,
  unknown_plan: 404,
  unknown_category: 404,
  unknown_district: 404,
  unknown_credential: 404,
  unknown_job: 404,
  several_jobs: 409,
  unknown_account: 404,
  email_taken: 409,
  account_limit: 409,
  main_account_exists: 409,
  own_account: 409,
  last_administrator: 409,
  link_ended: 404,
  category_exists: 409,
  password_changed: 409,
  credential_limit: 409,
  credential_ended: 409,
  sandbox_job: 409,
  not_pending: 409,
  not_denied: 409,
  job_changed: 409,
  nothing_to_undo: 409,
  invalid_input: 422,
} as const satisfies Record<string, ErrorStatus>;

export type RejectionCode = keyof typeof rejectionStatus;
export type ErrorCode = Reasons[keyof Reasons] | RejectionCode;

/** A refusal with a message that is safe to show. Anything else that is thrown is a fault of the service. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: ErrorStatus;
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly headers: Readonly<Record<string, string>>;
  /** What is wrong with each field of an input: 'must be at most {{max}}'. */
  readonly fields: Readonly<Record<string, Message>> | undefined;

  constructor(
    status: ErrorStatus,
    code: ErrorCode,
    message: string,
    details: ErrorDetails,
    headers: Record<string, string> = {},
    fields?: Readonly<Record<string, Message>>,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.headers = headers;
    this.fields = fields;
  }
}

/**
 * Translates a name of the contract into the caller's word: a header, the whole body, or `GET /categories`. MCP callers know these as
 * arguments and tools; for REST the words are the same.
 */
export type NameOf = (name: string) => string;

/** A refusal with one of the contract's reasons. `more` says what helps next. */
export function refusal<S extends keyof Reasons>(
  status: S,
  reason: Reasons[S],
  message: string,
  more: ErrorDetails = {},
  headers: Record<string, string> = {},
): ApiError {
  return new ApiError(status, reason, message, { reason, ...more }, headers);
}

export const forbidden = (reason: Reasons[403], message: string, more?: ErrorDetails): ApiError =>
  refusal(403, reason, message, more);

/** 405; `allow` lists the methods of the path. */
export const methodNotAllowed = (allow: string): ApiError =>
  refusal(405, 'method', 'This path does not have that method.', {}, { Allow: allow });

/** The value of WWW-Authenticate (RFC 6750 section 3). No parameter may contain a quote. */
export const bearerChallenge = (parameters: Readonly<Record<string, string>>): string =>
  `Bearer ${Object.entries({ realm: 'vaga', ...parameters })
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`;

export const jobNotFound = (): ApiError => refusal(404, 'job', 'There is no such job.');

/** 503; the client may try again after `seconds`. */
export const unavailable = (reason: Reasons[503], message: string, seconds: number): ApiError =>
  refusal(503, reason, message, { retry_after_seconds: seconds }, { 'Retry-After': String(seconds) });

/** 429; the client waits `seconds` before the next request. */
export const tooManyRequests = (
  reason: Reasons[429],
  message: string,
  seconds: number,
  headers: Record<string, string> = {},
): ApiError =>
  refusal(429, reason, message, { retry_after_seconds: seconds }, { ...headers, 'Retry-After': String(seconds) });

export const fieldMessagesMax = 50;

export const invalidText = 'Some fields are not valid; details lists them.';

/** 422 with at most 50 messages, by field. A field may have any name, even `__proto__`. */
export function invalid(fields: Iterable<readonly [field: string, message: string]>): ApiError {
  const messages = new Map<string, string[]>();
  let listed = 0;
  for (const [field, message] of fields) {
    if (listed++ === fieldMessagesMax) break;
    const known = messages.get(field);
    if (known) known.push(message);
    else messages.set(field, [message]);
  }
  return new ApiError(422, 'invalid_input', invalidText, Object.fromEntries(messages));
}

/**
 * A refusal of a person's request. `field` is the wrong field of the input, so that the form shows the message beside it; `more` has values
 * for the text.
 */
export const rejection = (code: RejectionCode, message: string, field?: string, more?: ErrorDetails): ApiError =>
  new ApiError(rejectionStatus[code], code, message, { reason: code, ...(field !== undefined && { field }), ...more });

export const unknownCompany = (companyId: bigint): ApiError =>
  rejection('unknown_company', `There is no company ${companyId}.`, 'companyId');

export const unknownJob = (jobId: bigint): ApiError => rejection('unknown_job', `There is no job ${jobId}.`, 'jobId');

export const jobChanged = (): ApiError =>
  rejection('job_changed', 'The job has changed since it was read; read it again.');

export const unknownCredential = (credentialId: bigint): ApiError =>
  rejection('unknown_credential', `There is no credential ${credentialId}.`, 'credentialId');

/** The message calls a field `retryAfter` "Retry after". */
export function sentenceOf(field: string, message: Message): string {
  const words = field.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${filled(message)}.`;
}

/** 422 with one message for each wrong field. */
export function invalidFields(fields: Readonly<Record<string, Message>>): ApiError {
  const [field] = Object.keys(fields);
  const text = Object.entries(fields).map(([name, message]) => sentenceOf(name, message));
  return new ApiError(422, 'invalid_input', text.join(' '), { reason: 'invalid_input', field }, {}, fields);
}

export const invalidField = (field: string, text: string, params?: MessageParams): ApiError =>
  invalidFields({ [field]: { text, ...(params && { params }) } });

export const notAllowed = (): ApiError => rejection('not_allowed', 'You may not do this.');

export const nothingToChange = (): ApiError => rejection('invalid_input', 'Nothing to change was given.');
