/** Why an action was refused: a closed list, so that an adapter can branch on it. */
export type ActionErrorCode =
  | 'unknown_company'
  | 'unknown_plan'
  | 'unknown_category'
  | 'unknown_district'
  | 'unknown_credential'
  | 'unknown_job'
  | 'unknown_account'
  | 'invalid_input'
  | 'email_taken'
  | 'main_account_exists'
  | 'password_changed'
  | 'credential_limit'
  | 'credential_ended'
  | 'sandbox_job'
  | 'not_pending'
  | 'job_changed';

/** A refusal of what a person asked for; the message is ours and safe to show. */
export class ActionError extends Error {
  readonly code: ActionErrorCode;
  /** The field of the action's input that is at fault, so that a form can show the message beside it. */
  readonly field: string | undefined;

  constructor(code: ActionErrorCode, message: string, field?: string) {
    super(message);
    this.name = 'ActionError';
    this.code = code;
    this.field = field;
  }
}

export const unknownCompany = (companyId: bigint): ActionError =>
  new ActionError('unknown_company', `There is no company ${companyId}.`, 'companyId');

export const unknownJob = (jobId: bigint): ActionError =>
  new ActionError('unknown_job', `There is no job ${jobId}.`, 'jobId');

export const unknownCredential = (credentialId: bigint): ActionError =>
  new ActionError('unknown_credential', `There is no credential ${credentialId}.`, 'credentialId');

/** `postingLimit` is spoken of as the posting limit. */
export function invalidInput(field: string, message: string): ActionError {
  const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return new ActionError('invalid_input', `The ${words} ${message}.`, field);
}

export const nothingToChange = (): ActionError => new ActionError('invalid_input', 'Nothing to change was given.');
