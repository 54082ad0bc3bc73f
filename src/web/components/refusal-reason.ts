import type { RefusalReason } from '../../domain/logged-request.ts';
import type { Translate } from '../texts/t.ts';

export const reasonLabels: Readonly<Record<RefusalReason, string>> = {
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
  mcp_message: 'MCP message not understood',
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

/** Why a request was refused, in a few words. */
export const reasonText = (reason: string, t: Translate): string => t(reasonLabels[reason as RefusalReason] ?? reason);
