import { expect } from 'chai';
import { type Access, actorName, hasScope } from '../../src/domain/actor.ts';
import { etagOf } from '../../src/domain/etag.ts';
import { foldedText } from '../../src/domain/folded-text.ts';
import { etagOfJob } from '../../src/domain/job-version.ts';
import { personAddress } from '../../src/domain/person-address.ts';
import { identifierOf, isServerName, serverNameOf } from '../../src/domain/server-name.ts';
import { textOf } from '../../src/domain/thrown.ts';

it('an actor is stored by its kind and id, an operator by the name given, if any', () => {
  expect(actorName({ kind: 'user', id: 12n, companyId: 1n, role: 'main' })).to.equal('user:12');
  expect(actorName({ kind: 'administrator', id: 7n })).to.equal('administrator:7');
  expect(actorName({ kind: 'operator', name: 'ana' })).to.equal('operator:ana');
  expect(actorName({ kind: 'operator' })).to.equal('operator');
});

it('write access includes the scopes of read access', () => {
  const scopes = ['jobs:read', 'reference:read', 'jobs:write'] as const;
  const of = (access: Access) => scopes.filter((scope) => hasScope({ access }, scope));
  expect(of('read')).to.deep.equal(['jobs:read', 'reference:read']);
  expect(of('write')).to.deep.equal([...scopes]);
});

it('the ETag of a job differs by id, change, status and company name, and has only characters that a header may have', () => {
  const job = { id: 5, status: 'active', updated_at: '2026-11-26T10:42:07.000Z', company_name: 'Olá "Lda." (a/b)' };
  expect(etagOfJob(job)).to.equal('"5/2026-11-26T10:42:07.000Z/active/Ol%C3%A1%20%22Lda.%22%20%28a%2Fb%29"');
  const changed = [
    { id: 6 },
    { status: 'expired' },
    { updated_at: null },
    { company_name: null },
    { company_name: '*' },
  ];
  const tags = [{}, ...changed].map((fields) => etagOfJob({ ...job, ...fields }));
  expect(new Set(tags)).to.have.length(tags.length);
  expect(tags[5]).to.match(/\/%2A"$/);
  expect(tags[4]).to.match(/active\/"$/);
});

it('the ETag of a document is short and differs with each byte', () => {
  expect(etagOf('abc'))
    .to.match(/^"[\w-]{27}"$/)
    .and.equal(etagOf(Buffer.from('abc')))
    .and.not.equal(etagOf('abd'));
});

it('the address of a person ignores case, white space around it, compatibility forms and format characters', () => {
  for (const typed of [' Ana@Example.com\n', '\uff21na@example.com', 'a\u200bna@example.com\u00ad'])
    expect(personAddress(typed), typed).to.equal('ana@example.com');
  expect(personAddress('jose\u0301@example.com')).to.equal('josé@example.com');
  const [longest, tooLong] = ['\uff21'.repeat(255), '\uff21'.repeat(256)];
  expect([personAddress(longest), personAddress(tooLong)], 'is not normalized').to.deep.equal([
    'a'.repeat(255),
    tooLong,
  ]);
});

it('texts are compared without case and accents, with one sigma, and with typographic marks as they are typed', () => {
  expect(foldedText('ÁÉÇÕ Ñandú Straße')).to.equal('aeco nandu straße');
  expect(foldedText('ΟΔΟΣ οδος')).to.equal('οδοσ οδοσ');
  expect(foldedText('Chefe d’água – “técnico” «a»…')).to.equal('chefe d\'agua - "tecnico" "a"...');
  expect(foldedText('10\u00a0000 super\u00advisor')).to.equal('10 000 supervisor');
  expect(foldedText('Á'.repeat(2001)), 'is not normalized').to.equal('a'.repeat(2000));
});

describe('the name of the MCP server', () => {
  it('is the domain reversed and a name, or localhost and the name', () => {
    for (const [address, name] of [
      ['https://api.example.pt', 'pt.example.api/vaga'],
      ['https://example.pt.:8443/x', 'pt.example/vaga'],
      ['http://localhost:3000', 'localhost/vaga'],
      ...['127.0.0.1:3000', '203.0.113.7', '[2001:db8::1]', 'intranet', 'a_b.example.pt'].map(
        (host) => [`http://${host}`, 'localhost/vaga'] as const,
      ),
      [`https://${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.example.pt`, 'localhost/vaga'],
    ] as const)
      expect(serverNameOf(address, 'vaga'), address).to.equal(name);
    expect(identifierOf('pt.example.api/vaga')).to.equal('urn:air:api.example.pt:mcp:vaga');
  });

  it('has at most 190 characters, a domain of two labels and one name', () => {
    for (const name of ['pt.example/vaga', 'pt.example-1.api/va_ga.x-1', `pt.example/${'x'.repeat(179)}`])
      expect(isServerName(name), name).to.equal(true);
    for (const name of [
      'vaga',
      'pt/vaga',
      '1.example/vaga',
      'pt.example/',
      'pt.example/a/b',
      `pt.example/${'x'.repeat(180)}`,
    ])
      expect(isServerName(name), name).to.equal(false);
  });
});

it('anything that is thrown has a text', () => {
  expect(textOf(new TypeError('x'))).to.equal('TypeError: x');
  expect(textOf('x')).to.equal('x');
  expect(textOf(undefined)).to.equal('undefined');
  const errno = {
    name: 'ErrnoError',
    errno: 51,
    path: '/a/path/that/is/longer/than/a/line/of/eighty/characters/in/a/log',
  };
  expect(textOf(errno)).to.match(/^\{ name: 'ErrnoError', errno: 51, path: '.*' \}$/);
});
