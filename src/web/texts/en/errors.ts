import type { ApiError } from '../../../domain/errors.ts';
import type { RefusalReason } from '../../../domain/request-entry.ts';

export const errors = {
  titles: {
    400: 'Bad request',
    403: 'Not allowed',
    404: 'Not found',
    413: 'Too large',
    415: 'Not a form',
    429: 'Too many requests',
    500: 'Something went wrong',
    503: 'Not available',
  } as Readonly<Record<number, string>>,
  refused: 'Refused',
  request: 'Request',
  outOfDate: 'This form is out of date. Go back, reload the page and send it again.',
  earlierSession: 'That form was from an earlier session, so nothing was changed. Send it again.',
  crossSite: 'This form was sent from another site.',
  mainAccount: {
    issue: "Only the company's main account may issue credentials.",
    replace: "Only the company's main account may replace credentials.",
    revoke: "Only the company's main account may revoke credentials.",
    reset: "Only the company's main account may reset the sandbox.",
  },
  /** Errors have English messages. */
  messageOf: (error: ApiError): string => error.message,
};

/** Why a request to the API was refused. */
export const refusalReasons: Record<RefusalReason, string> = {
  https: 'Not over HTTPS',
  malformed_request: 'Malformed request',
  credential: 'No valid credential',
  scope: 'Read-only credential',
  plan: 'Plan not eligible',
  approval: 'Not approved for production',
  quota: 'Quota used up',
  permission: 'Company or region not permitted',
  job: 'No such job',
  path: 'No such address',
  method: 'Method not allowed',
  idempotency_key: 'Idempotency key of another request',
  job_removed: 'Job removed',
  changed: 'Job changed since it was read',
  body_size: 'Body too large',
  media_type: 'Not JSON',
  content_encoding: 'Compressed body',
  invalid_input: 'Invalid fields',
  company: "Company's request limit",
  address: "Network address's request limit",
  simulated: 'Simulated failure',
  database: 'Database not available',
  sanitizer: 'Texts not checked in time',
  draining: 'Service shutting down',
  maintenance: 'Maintenance',
  overload: 'Too many requests at once',
  internal: 'Internal error',
};
