import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import { environments } from '../../src/domain/environment.ts';
import { hashSecret, holdsSecret, makeSecret, readSecret } from '../../src/domain/token.ts';

const random = Buffer.alloc(24, 0xab);
const withSum = (text: string) => text + crc32(text).toString(16).padStart(8, '0');
const secretOf = (company: string) => withSum(`vaga_test_${company}_${random.toString('hex')}`);

describe('the secret of a credential', () => {
  it('names its environment and company, and is read back', () => {
    for (const environment of environments)
      for (const companyId of [1n, 35n, 36n, 12_345n, 2n ** 63n - 1n]) {
        // Many, so that one has a checksum that begins with 0.
        for (let byte = 0; byte < 40; byte++) {
          const secret = makeSecret({ environment, companyId }, Buffer.alloc(24, byte));
          expect(secret).to.match(environment === 'sandbox' ? /^vaga_test_/ : /^vaga_live_/);
          expect(readSecret(secret)).to.deep.equal({ environment, companyId });
        }
      }
  });

  it('has at least 192 random bits', () => {
    const tenant = { environment: 'sandbox', companyId: 1n } as const;
    expect(() => makeSecret(tenant, random.subarray(1))).to.throw(RangeError);
    expect(makeSecret(tenant, random)).to.include(random.toString('hex'));
  });

  it('is malformed with another checksum, prefix, alphabet or length, or a company beyond 64 bits', () => {
    const good = secretOf('1');
    expect(readSecret(good)).to.deep.equal({ environment: 'sandbox', companyId: 1n });
    for (const secret of [
      good.slice(0, -1),
      `${good}0`,
      ` ${good}`,
      good.toUpperCase(),
      good.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      good.replace('test', 'live'),
      good.replace('_1_', '_2_'),
      withSum(`vaga_demo_1_${random.toString('hex')}`),
      withSum(`vaga_test_1_${random.toString('hex').slice(2)}`),
      secretOf('01'),
      secretOf((2n ** 63n).toString(36)),
    ])
      expect(readSecret(secret), secret).to.equal(undefined);
  });

  it('is recognized inside a text, mistyped or in capitals too', () => {
    for (const secret of [
      secretOf('1'),
      `vaga_link_${random.toString('hex')}`,
      secretOf('z9'),
      secretOf('1').slice(0, -8),
      secretOf('1').toUpperCase(),
    ])
      expect(holdsSecret(`https://example.com/?token=${secret}.`), secret).to.equal(true);
    const secret = secretOf('1');
    for (const piece of ['\n', ' ', '\u00ad', '\u200b', '\ufeff', '<wbr>', '</b>\r\n<b>'])
      for (const at of [2, 12, 30, secret.length - 12])
        expect(holdsSecret(`a ${secret.slice(0, at)}${piece}${secret.slice(at)} b`), `${piece} at ${at}`).to.equal(
          true,
        );
    const other = [
      secret.replaceAll('_', ' '),
      'vaga_test_1_abc',
      'vaga_test',
      secretOf('1').replace('test', 'demo'),
      secretOf('1').slice(0, -9),
    ];
    for (const text of other) expect(holdsSecret(text), text).to.equal(false);
  });

  it('is recognized in each reading of a text: within tags and addresses, written in HTML, percent-encoded or Markdown, and twice', () => {
    const percent = (text: string) => [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');
    const references = (text: string) => [...text].map((one) => `&#x${one.charCodeAt(0).toString(16)};`).join('');
    for (const secret of [secretOf('1'), `vaga_link_${random.toString('hex')}`]) {
      const written = [
        secret.replace('vaga', '%76aga'),
        secret.replaceAll('_', '%5F'),
        secret.replaceAll('_', '%255f'),
        secret.replace('vaga', '&#118;aga'),
        secret.replaceAll('_', '&lowbar;'),
        secret.replaceAll('_', '&amp;#95;'),
        secret.replaceAll('_', '\\_'),
        secret.replace('_', '_&shy;').replace('ab', 'a%C2%AD%0Ab').replace('ba', 'b+a'),
        ...[percent, references].map((encode) => encode(secret)),
        references(percent(secret)),
        percent(references(secret)),
      ];
      for (const text of [secret, ...written])
        for (const around of [
          '<§>',
          '<b>§</b>',
          '<a href="https://e.pt/?a=b&amp;t=§">x</a>',
          '&lt;§&gt;',
          '<!-- § -->',
        ])
          expect(holdsSecret(around.replace('§', text)), around.replace('§', text)).to.equal(true);
    }
  });

  it('is stored as its SHA-256', () => {
    expect(Buffer.from(hashSecret('abc')).toString('hex')).to.equal(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});
