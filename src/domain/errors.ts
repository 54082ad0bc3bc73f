import type { components } from '../../generated/openapi.ts';
import {
  contractName,
  type FieldError,
  filled,
  filledError,
  type Message,
  type MessageParams,
  type NameOf,
} from './message.ts';

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
  company_suspended: 403,
  environment_closed: 403,
  unknown_company: 404,
  unknown_plan: 404,
  unknown_category: 404,
  unknown_district: 404,
  unknown_credential: 404,
  unknown_job: 404,
  unknown_row: 404,
  several_jobs: 409,
  unknown_account: 404,
  several_accounts: 409,
  email_taken: 409,
  account_limit: 409,
  main_account_exists: 409,
  own_account: 409,
  last_administrator: 409,
  link_ended: 404,
  category_existed: 409,
  category_exists: 409,
  plan_exists: 409,
  password_changed: 409,
  credential_limit: 409,
  credential_ended: 409,
  sandbox_job: 409,
  not_pending: 409,
  not_denied: 409,
  changed: 409,
  nothing_to_undo: 409,
  invalid_input: 422,
} as const satisfies Record<string, ErrorStatus>;

export type RejectionCode = keyof typeof rejectionStatus;
export type ErrorCode = Reasons[keyof Reasons] | RejectionCode;

/**
 * A refusal that is safe to show. Its `message` and `details` use the contract's names for fields and operations. Any other error that is
 * thrown is a fault of the service.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: ErrorStatus;
  readonly code: ErrorCode;
  readonly said: Message;
  readonly details: ErrorDetails;
  readonly headers: Readonly<Record<string, string>>;
  /** What is wrong with the fields of an input. */
  readonly faults: readonly FieldError[];

  constructor(
    status: ErrorStatus,
    code: ErrorCode,
    said: Message,
    details: ErrorDetails,
    headers: Readonly<Record<string, string>> = {},
    faults: readonly FieldError[] = [],
  ) {
    super(filled(said));
    this.status = status;
    this.code = code;
    this.said = said;
    this.details = details;
    this.headers = headers;
    this.faults = faults;
  }
}

/** A write has changed nothing, because what its caller may do has changed since it was authenticated. The request is authenticated again. */
export class RightsChanged extends Error {
  override readonly name = 'RightsChanged';
}

/** Returns a refusal with one of the contract's reasons. `more` adds details that help the client. */
export function refusal<S extends keyof Reasons>(
  status: S,
  reason: Reasons[S],
  message: string | Message,
  more: ErrorDetails = {},
  headers: Record<string, string> = {},
): ApiError {
  return new ApiError(status, reason, messageIn(message), { reason, ...more }, headers);
}

const messageIn = (said: string | Message): Message => (typeof said === 'string' ? { text: said } : said);

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

/** 404 for what a path names, such as a job, or for a path that the contract does not have. */
export const notFound = (reason: Reasons[404]): ApiError =>
  refusal(404, reason, reason === 'path' ? 'There is nothing at this path.' : `There is no such ${reason}.`);

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

/** The message about a field that the contract does not have. The field's name is the caller's own word, so it is not translated. */
export const unknownField = 'is not a known field';

/** 422 with at most 50 messages, by field. A field may have any name, even `__proto__`. */
export function invalid(errors: readonly FieldError[], nameOf: NameOf = contractName): ApiError {
  const faults = errors.slice(0, fieldMessagesMax);
  const messages = new Map<string, string[]>();
  for (const fault of faults) {
    const [name, { text }] = fault;
    const field = text === unknownField ? name : nameOf(name);
    messages.set(field, [...(messages.get(field) ?? []), filledError(fault, nameOf)]);
  }
  return new ApiError(422, 'invalid_input', { text: invalidText }, Object.fromEntries(messages), {}, faults);
}

/** Returns the refusal with the contract's names replaced by the caller's words for them. */
export function inWordsOf(nameOf: NameOf, refused: ApiError): ApiError {
  const { status, code, said, details, headers, faults } = refused;
  if (faults.length > 0) return invalid(faults, nameOf);
  return new ApiError(status, code, { text: filled(said, nameOf) }, details, headers);
}

/**
 * A refusal of a person's request. `field` is the wrong field of the input, so that the form shows the message beside it; `more` has values
 * for the text.
 */
export const rejection = (code: RejectionCode, message: string, field?: string, more?: ErrorDetails): ApiError =>
  new ApiError(
    rejectionStatus[code],
    code,
    { text: message },
    { reason: code, ...(field !== undefined && { field }), ...more },
  );

/** The environment is closed to the company. `blockers` names everything that closes it. */
export const environmentClosed = (blockers: readonly string[]): ApiError =>
  new ApiError(
    rejectionStatus.environment_closed,
    'environment_closed',
    {
      text: 'This environment is closed to the company now.',
      advice: ' What closes it: {{list}}.',
      params: { list: blockers.join(', ') },
    },
    { reason: 'environment_closed', blockers },
  );

export const unknownCompany = (companyId: bigint): ApiError =>
  rejection('unknown_company', `There is no company ${companyId}.`, 'companyId');

export const unknownJob = (jobId: bigint): ApiError => rejection('unknown_job', `There is no job ${jobId}.`, 'jobId');

/** A person's 412: the version that the person has read is no longer the current one. */
export const changedSinceRead = (): ApiError =>
  rejection('changed', 'It has changed since it was read; read it again.');

export const unknownCredential = (credentialId: bigint): ApiError =>
  rejection('unknown_credential', `There is no credential ${credentialId}.`, 'credentialId');

/** Writes the name of a field in words: `retryAfter` becomes "Retry after", and `companyId` becomes "Company". */
export function fieldWords(field: string): string {
  const words = field.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A text that begins with a capital letter is a sentence of its own. */
const sentenceOf = (field: string, text: string): string =>
  /^[A-Z]/.test(text) ? text : `${fieldWords(field)} ${text}.`;

/** 422 with a sentence for each fault in a person's input. */
export function invalidFields(faults: readonly FieldError[]): ApiError {
  const text = faults.map((fault) => sentenceOf(fault[0], filledError(fault))).join(' ');
  return new ApiError(422, 'invalid_input', { text }, { reason: 'invalid_input', field: faults[0]?.[0] }, {}, faults);
}

export const invalidField = (field: string, text: string, params?: MessageParams): ApiError =>
  invalidFields([[field, { text, ...(params && { params }) }]]);

export const notAllowed = (): ApiError => rejection('not_allowed', 'You may not do this.');

export const nothingToChange = (): ApiError => rejection('invalid_input', 'You have not changed anything.');
