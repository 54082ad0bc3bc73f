/**
 * Every refusal of the service. The statuses are those of section 7 of the requirements, with 405 for a method that a path lacks.
 * `reason` is from a closed list per status, so that a client can branch on it; 422 carries field messages instead.
 */
export type Reasons = {
  400: 'https' | 'malformed_request';
  401: 'credential';
  403: 'scope' | 'plan' | 'approval' | 'quota' | 'permission';
  404: 'job' | 'path';
  405: 'method';
  409: 'idempotency_key';
  410: 'job_removed';
  413: 'body_size';
  415: 'media_type' | 'content_encoding';
  429: 'company' | 'address' | 'simulated';
  500: 'internal';
  503: 'database' | 'sanitizer' | 'draining' | 'maintenance' | 'overload' | 'simulated';
};

export type ErrorStatus = keyof Reasons | 422;
export type ErrorDetails = Record<string, unknown>;

/** A refusal whose message is ours and safe to show. Anything else that is thrown is a fault of the service. */
export class ApiError extends Error {
  readonly status: ErrorStatus;
  readonly details: ErrorDetails;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: ErrorStatus, message: string, details: ErrorDetails, headers: Record<string, string> = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.details = details;
    this.headers = headers;
  }

  /** The same refusal with more headers. */
  withHeaders(more: Record<string, string>): ApiError {
    return new ApiError(this.status, this.message, this.details, { ...this.headers, ...more });
  }
}

/** A refusal with a reason from the status's closed list; `more` says what helps next. */
export function refusal<S extends keyof Reasons>(
  status: S,
  reason: Reasons[S],
  message: string,
  more: ErrorDetails = {},
  headers: Record<string, string> = {},
): ApiError {
  return new ApiError(status, message, { reason, ...more }, headers);
}

export const forbidden = (reason: Reasons[403], message: string, more?: ErrorDetails): ApiError =>
  refusal(403, reason, message, more);

export const jobNotFound = (): ApiError => refusal(404, 'job', 'There is no such job.');

/** 503; the client may try again after `seconds`. */
export const unavailable = (reason: Reasons[503], message: string, seconds: number): ApiError =>
  refusal(503, reason, message, { retry_after_seconds: seconds }, { 'Retry-After': String(seconds) });

/** 429; the client waits `seconds` before the next request. */
export const tooManyRequests = (reason: Reasons[429], message: string, seconds: number): ApiError =>
  refusal(429, reason, message, { retry_after_seconds: seconds }, { 'Retry-After': String(seconds) });

/** The most messages that one 422 lists. */
const fieldMessagesMax = 50;

/** 422 with messages per field; names from outside (`__proto__` among them) are safe as keys. */
export function invalid(fields: Iterable<readonly [field: string, message: string]>): ApiError {
  const messages = new Map<string, string[]>();
  let listed = 0;
  for (const [field, message] of fields) {
    if (listed++ === fieldMessagesMax) break;
    const known = messages.get(field);
    if (known) known.push(message);
    else messages.set(field, [message]);
  }
  return new ApiError(422, 'Some fields are not valid; details lists them.', Object.fromEntries(messages));
}
