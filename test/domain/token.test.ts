import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { hashSecret, makeSecret, readSecret } from '../../src/domain/token.ts';

const tenants = fc.record({
  companyId: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
  environment: fc.constantFrom('sandbox' as const, 'production' as const),
});

describe('makeSecret and readSecret', () => {
  it('a secret contains its tenant and begins with the prefix of its environment', () => {
    fc.assert(
      fc.property(tenants, (tenant) => {
        const secret = makeSecret(tenant, randomBytes(24));
        expect(secret.startsWith(tenant.environment === 'sandbox' ? 'vaga_test_' : 'vaga_live_')).to.equal(true);
        expect(readSecret(secret)).to.deep.equal(tenant);
      }),
    );
  });

  it('one changed, missing or added character is refused without a lookup', () => {
    const secret = makeSecret({ companyId: 7n, environment: 'sandbox' }, randomBytes(24));
    fc.assert(
      fc.property(fc.nat({ max: secret.length - 1 }), fc.constantFrom(...'0123456789abcdefz_'), (at, character) => {
        fc.pre(secret[at] !== character);
        expect(readSecret(secret.slice(0, at) + character + secret.slice(at + 1))).to.equal(undefined);
        expect(readSecret(secret.slice(0, at) + secret.slice(at + 1))).to.equal(undefined);
      }),
    );
    expect(readSecret(`${secret}0`)).to.equal(undefined);
  });

  it('fewer than 192 random bits are refused; the hash has 256 bits', () => {
    expect(() => makeSecret({ companyId: 1n, environment: 'sandbox' }, randomBytes(23))).to.throw(RangeError);
    expect(hashSecret('x')).to.have.length(32);
  });
});
