import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect } from 'chai';
import fc from 'fast-check';
import { contractErrors } from '../../src/contract/validate.ts';
import { isPlainWebLink, httpsAddressErrors as messagesOf } from '../../src/domain/https-address.ts';
import { filled } from '../../src/domain/message.ts';

const httpsAddressErrors = (text: string) => messagesOf(text).map((message) => filled(message));

const request = { operationId: 'updateJob', path: { id: 1 }, query: {}, header: {} } as const;

const isUri = formats.default(new Ajv({ strict: false })).compile({ type: 'string', format: 'uri' });

/** The host that a person sees, between the slashes and the next slash. */
const hostIn = (address: string): string | undefined =>
  /^https:\/\/(\[[^\]]*\]|[^/?#:@\\]+)(?::\d*)?(?=$|[/?#])/i.exec(address)?.[1]?.toLowerCase();

const pieces = (
  '/ // : @ \\ ? # % %41 %2f . .. - _ [ ] [::1] [0:0::1] :443 :0 :65536 example com a 1 0x7f 127.0.0.1 256 xn-- xn--exmple-cua ä \u00ad 。 ① ' +
  '\t \n \0 user https:// \' " < | ^ ` { ~ ! $ & ( * + , ; = Ａ 😀  '
).split(' ');
const address = fc
  .tuple(
    fc.constantFrom('https://', 'HTTPS://', 'https://example.com', 'https:///', 'https:/', 'https:', 'https://a@'),
    fc.array(fc.oneof(fc.constantFrom(' ', ...pieces), fc.string({ maxLength: 3 })), { maxLength: 8 }),
  )
  .map(([start, parts]) => start + parts.join(''));

describe('an https address', () => {
  it('that is accepted is valid for the contract, and a browser opens the host that a reader sees', () => {
    let accepted = 0;
    fc.assert(
      fc.property(address, (text) => {
        if (contractErrors({ ...request, body: { external_application_url: text } }).length > 0) return;
        accepted += 1;
        expect(new URL(text)).to.include({ protocol: 'https:', hostname: hostIn(text), username: '', password: '' });
        expect(isUri(text), text).to.equal(true);
      }),
      { numRuns: 20_000 },
    );
    expect(accepted).to.be.greaterThan(500);
  });

  it('is accepted in the forms that people write', () => {
    for (const text of [
      'https://example.com',
      'https://Example.com:8443/vagas/1?x=a%20b&y=%5B1%5D',
      'https://example.com/#/vagas/1',
      'https://example.com:443',
      'https://xn--exmple-cua.com/t%C3%A9cnico',
      'https://127.0.0.1/',
      'https://[2001:db8::1]:8080/vaga',
      'HTTPS://example.com/vagas',
      'https://a_b.example.com./~x;y=1,2/@z?q=/?:@!$',
    ])
      expect(httpsAddressErrors(text), text).to.deep.equal([]);
  });

  it('with several faults gets a message for each; NUL or a lone surrogate is reported alone', () => {
    expect(httpsAddressErrors('https://user@/')).to.have.length(2);
    expect(httpsAddressErrors('https://user@example.com:-1/')).to.have.length(2);
    expect(httpsAddressErrors('https://exämple.com/').join()).to.include('xn--exmple-cua.com');
    for (const text of 'http://example.com/ javascript:alert(1) //example.com https:/example.com https:example.com'.split(
      ' ',
    ))
      expect(httpsAddressErrors(text), text).to.deep.equal(['must begin with https://']);
    for (const text of ['https://example.com/\0', 'https://example.com/\ud800'])
      expect(contractErrors({ ...request, body: { external_application_url: text } }), text).to.have.length(1);
  });

  it('is corrected in its message, unless the correction is long or contains a credential', () => {
    const encoded = 'after its host percent-encoded';
    const percent = 'must have two hexadecimal digits after each %';
    const token = `vaga_test_1_${'0'.repeat(48)}`;
    const host = 'must have a host that is a valid name or address, and a port from 0 to 65535 or none';
    for (const [text, ...messages] of [
      ['http://example.com ', 'must have no white space before or after it', 'must begin with https://'],
      ['https://user:x@example.com', 'must not contain a user name or password'],
      ['https:///x', 'must have a host after https://'],
      ['https://:80', 'must have a host after https://'],
      ['https://example.com:65536', host],
      ['https://exa{mple.com', host],
      ['https://x.pt/a b|c', `must have " ", "|" ${encoded}: https://x.pt/a%20b%7Cc`],
      ['https://[::1]/a[1]?q=[#]', `must have "[", "]" ${encoded}: https://[::1]/a%5B1%5D?q=%5B#%5D`],
      ['https://x.pt/#a#b', `must have "#" ${encoded}: https://x.pt/#a%23b`],
      ['https://x.pt/1%x%4g%2F é', `must have " ", "é" ${encoded}: https://x.pt/1%25x%254g%2F%20%C3%A9`, percent],
      ['https://x.pt/1%', percent],
      [`https://x.pt/ ${'x'.repeat(2032)}`, `must have " " ${encoded}: https://x.pt/%20${'x'.repeat(2032)}`],
      [`https://x.pt/ ${'x'.repeat(2033)}`, `must have " " ${encoded}`],
      [`https://x.pt/ ?${token}`, `must have " " ${encoded}`],
    ] as const)
      expect(httpsAddressErrors(text), text).to.deep.equal(messages);
    const many = Array.from({ length: 30 }, (_, n) => String.fromCharCode(0xe0 + n)).join('');
    expect(httpsAddressErrors(`https://x.pt/${many}`)[0]?.match(/"/g), 'twenty named').to.have.length(40);
  });

  it('is a link in a body with https or http and a visible host', () => {
    for (const text of ['https://example.com', 'http://example.com/x?y#z', 'HTTP://exämple.pt'])
      expect(isPlainWebLink(text), text).to.equal(true);
    const tooLong = `https://${'é'.repeat(260)}/`;
    const odd =
      'example.com ftp://example.com https:example.com https:///x https://a@example.com https://exam\nple.com https://[x';
    for (const text of [...odd.split(' '), 'https://a b', 'https://a\u00adb.pt', 'x https://example.com', '', tooLong])
      expect(isPlainWebLink(text), text).to.equal(false);
  });

  it('in a body leads to the visible host, and gets the same result the ten thousandth time as the first', () => {
    fc.assert(
      fc.property(address, (text) => {
        if (!isPlainWebLink(text)) return;
        const [, authority = ''] = /^https:\/\/([^/?#\\]+)/i.exec(text) ?? [];
        const { host } = new URL(`https://${authority}`);
        expect(new URL(text)).to.include({ protocol: 'https:', host, username: '', password: '' });
      }),
      { numRuns: 20_000 },
    );
    const judged = Array.from({ length: 10_000 }, () => isPlainWebLink('https://exämple.pt/técnico'));
    expect(judged.indexOf(false)).to.equal(-1);
  });
});
