import { expect } from 'chai';
import { isUnavailable } from '../../src/database/database-errors.ts';
import { isUnusable, Unusable } from '../../src/database/unusable.ts';

const errorOf = (code: string, message = 'said by it') => Object.assign(new Error(message), code && { code });
const words = (text: string): string[] => text.match(/\S+/g) ?? [];

/** Each next step, and the errors after which it is named. */
const steps: readonly (readonly [step: RegExp, codes: string, messages?: readonly string[]])[] = [
  [
    /^start the server, or correct the host and the port/,
    `ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ENOENT ETIMEDOUT EHOSTUNREACH ENETUNREACH 08000 08001 08003 08004 08006 08007 08P01
     P1001 P1002 P1017`,
    ['Connection terminated unexpectedly', 'timeout expired', 'timeout exceeded when trying to connect'],
  ],
  [/^correct the host in/, 'ENOTFOUND EAI_AGAIN'],
  [/^raise the limit of open files/, 'EMFILE ENFILE'],
  [/^correct the role and the password/, '28000 28P01'],
  [/^correct the name of the database/, '3D000'],
  [/^wait until the server has started/, '57P01 57P02 57P03'],
  [/^look for locks and load/, '57014 55P03', ['Query read timeout']],
  [/^point DATABASE_URL at the primary/, '25006', ['cannot access temporary or unlogged relations during recovery']],
  [/^end connections that nobody needs/, '53300'],
  [/^free space/, '53100'],
  [/^try again$/, '40000 40001 40002 40003 40P01'],
  [
    /^try again, and see the server's log$/,
    '25P04 53000 53200 53400 57000 57P04 57P05 P1008 P1010 P1011 P2024 P2028 P2034 P2037',
    ['Cannot use a pool after calling end on the pool', 'Client was closed and is not queryable'],
  ],
  [
    /^start the node that is away/,
    '',
    [
      'failure on connection marked as essential: db-2:5432',
      'could not establish any connections to the node db-2:5432 after 5000 ms',
      'could not connect to any active placements',
    ],
  ],
];

describe('an error of a database that cannot be used', () => {
  const all = steps.flatMap(([step, codes, messages = []]) => [
    ...words(codes).map((code) => [step, errorOf(code)] as const),
    ...messages.map((message) => [step, errorOf(step.source.includes('node') ? 'XX000' : '', message)] as const),
  ]);

  it('names the next step that mends it', () => {
    for (const [step, error] of all) {
      expect(isUnavailable(error) && isUnusable(error), JSON.stringify(error)).to.equal(true);
      expect(new Unusable(error).fix, `${error.message} ${JSON.stringify(error)}`).to.match(step);
    }
  });

  it('names the step of the embedded database, whatever the error: it has no server', () => {
    for (const [, error] of all) expect(new Unusable(error, 'restart the service').fix).to.equal('restart the service');
  });
});
