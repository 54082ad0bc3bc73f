import type { ApiError } from '../../../domain/errors.ts';

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
