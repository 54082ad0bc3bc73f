import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { parse } from 'yaml';
import { completeContract } from '../../scripts/generate/complete-contract.ts';
import {
  ContractError,
  contractMistake,
  isObject,
  type JsonObject,
  objectAt,
  objectsIn,
  readDocument,
} from '../../scripts/generate/document.ts';
import { spelled } from '../../scripts/generate/spelling.ts';
import { writeInPlace } from '../../scripts/generate/write-in-place.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { draws } from '../helper/draws.ts';

const yaml = readFileSync(join(packageRoot, 'openapi.yaml'), 'utf8');
const last = readDocument(yaml);

/** The contract after `npm run generate`, given the result of the run before. */
const generated = (text: string): string => writeInPlace(text, completeContract(readDocument(text), last));
const replaced = (from: string | RegExp, to: string, text = yaml): string => {
  expect(text).to.match(from instanceof RegExp ? from : new RegExp(from.replaceAll(/[$^*+?.()|[\]{}\\]/g, '\\$&')));
  return text.replace(from, () => to);
};
/** The same, or the error message. */
const said = (text: string): string => {
  try {
    return generated(text);
  } catch (error) {
    return contractMistake(text, error);
  }
};
const schemasOf = (text: string) => objectAt(readDocument(text), 'components', 'schemas');
const linesOf = (text: string) => text.split('\n');

const lastField = /(?<=\n {8}education_level:\n {10}.*)\n\n {4}JobPatch:/;
const openings =
  '\n        # How many people are sought.\n        openings: { type: integer, minimum: 1, maximum: 99, nullable: true, description: "Number of openings." }';

/** What PyYAML, a reader of YAML 1.1, reads. Undefined where it is not installed. */
function readByPython(texts: readonly string[]): unknown {
  const program = 'import json, sys, yaml; print(json.dumps([yaml.safe_load(text) for text in json.load(sys.stdin)]))';
  const { status, stdout, stderr } = spawnSync('python3', ['-c', program], {
    input: JSON.stringify(texts),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status === null || stderr.includes('ModuleNotFoundError')) return undefined;
  expect(status, stderr).to.equal(0);
  return JSON.parse(stdout);
}

describe('the derived parts of the contract', () => {
  it('are up to date in the contract, which stays unchanged byte for byte', () => {
    expect(generated(yaml)).to.equal(yaml);
    expect(readByPython([yaml]) ?? [last]).to.deep.equal([last]);
    expect(writeInPlace(yaml, completeContract(last))).to.equal(yaml);
  });

  it('are written beside people’s lines: each of those stays, and a second run changes nothing', () => {
    const edited = replaced(lastField, `${openings}\n\n    JobPatch:`);
    const written = generated(edited);
    const left = linesOf(written);
    for (const line of linesOf(edited)) {
      const at = left.indexOf(line);
      expect(at, line).to.be.at.least(0);
      left.splice(0, at + 1);
    }
    const { JobPatch, Job } = schemasOf(written);
    for (const schema of [JobPatch, Job]) expect(objectAt(schema, 'properties', 'openings').maximum).to.equal(99);
    expect(objectAt(Job).required).to.include('openings');
    expect(written.match(/^ +openings: null$/gm)).to.have.length(7);
    expect(generated(written)).to.equal(written);
  });

  it('have the line ends of the file, so that undoing an edit restores it', () => {
    const withEnds = (text: string) => text.replaceAll('\n', '\r\n');
    const before = withEnds(yaml);
    const edited = withEnds(replaced(lastField, `${openings}\n\n    JobPatch:`));
    const written = generated(edited);
    expect(written).to.equal(withEnds(generated(edited.replaceAll('\r', ''))));
    const without = written.replace(withEnds(openings), '');
    expect(writeInPlace(without, completeContract(readDocument(without), readDocument(written)))).to.equal(before);
  });

  it('are rewritten where outdated, and removed together with their source', () => {
    const longer = generated(replaced(/(?<= {8}contact_phone:\n(?: {10}.*\n)*? {10}maxLength: )20(?=\n)/, '40'));
    expect(objectAt(schemasOf(longer), 'JobPatch', 'properties', 'contact_phone').maxLength).to.equal(40);
    expect(linesOf(longer)).to.have.length(linesOf(yaml).length);
    const without = generated(replaced(/ {8}remote_policy:\n(?: {10}.*\n)+/, ''));
    expect(without).not.to.match(/^ *(- )?remote_policy\b/m);
    expect(generated(without)).to.equal(without);
    const other = generated(replaced('"413": PayloadTooLarge', '"413": InternalError'));
    expect(other.match(/"413":\n +\$ref: "#\/components\/responses\/InternalError"/g)).to.have.length(10);
    const scope = generated(replaced('x-scope: reference:read', 'x-scope: jobs:read'));
    expect(objectAt(readDocument(scope), 'paths', '/categories', 'get').description).to.match(
      /^The complete list of active categories[^`]*`parent_id`[^`]*`id` of[^`]*\. Needs the scope `jobs:read`\.$/,
    );
  });

  it('have no null for a field that has a default now', () => {
    const flag = (rule: string) =>
      `\n        shifts: { type: boolean, ${rule}, description: Whether there are shifts. }\n\n    JobPatch:`;
    const before = generated(replaced(lastField, flag('nullable: true')));
    expect(before.match(/^ +shifts: null$/gm)).to.have.length(7);
    const edited = replaced('nullable: true, description: Whether', 'x-default: false, description: Whether', before);
    const after = writeInPlace(edited, completeContract(readDocument(edited), readDocument(before)));
    expect(after.match(/^ +shifts: (null|false)$/gm)).to.deep.equal(
      before.match(/^ +shifts: null$/gm)?.map((line) => line.replace('null', 'false')),
    );
  });

  it('are refused where somebody edited them, with the line and the line to edit instead', () => {
    const inPatch = (from: string, to: string) => {
      const at = yaml.indexOf('    JobPatch:\n');
      return yaml.slice(0, at) + replaced(from, to, yaml.slice(at));
    };
    const lineOf = (text: string, found: string, after: string) =>
      linesOf(text.slice(0, text.indexOf(found, text.indexOf(after)))).length;
    for (const [text, schema, name] of [
      [inPatch('maxLength: 255', 'maxLength: 100'), 'JobPatch', 'title'],
      [
        replaced('          description: The values of work_modality.', '          description: Where.'),
        'Options',
        'work_modalities',
      ],
    ] as const) {
      const place = `openapi.yaml:${lineOf(text, `        ${name}:`, `    ${schema}:\n`)}:9`;
      const from = name === 'title' ? `        ${name}:` : '      properties:';
      const source = `openapi.yaml:${lineOf(text, from, '    JobInput:\n')}:`;
      expect(said(text)).to.match(
        new RegExp(
          `^${place} ${schema}.${name}: follows from JobInput.*: edit that, and delete this \\(${source}\\d+\\)$`,
        ),
      );
    }
    // A response or header that every operation has may not differ in one place, unless it refers to another component.
    for (const [key, kind, name, other] of [
      ['"401"', 'responses', 'Unauthorized', 'Forbidden'],
      ['X-Request-Id', 'headers', 'X-Request-Id', 'ETag'],
    ] as const) {
      const derived = new RegExp(`${key}:\\n +\\$ref: "#/components/${kind}/${name}"`);
      const text = replaced(derived, `${key}: { description: Ours. }`);
      const place = `openapi.yaml:${lineOf(text, `${key}: { desc`, 'paths:\n')}`;
      const source = `openapi.yaml:${lineOf(text, `\n    ${name}:\n`, `\n  ${kind}:\n    `) + 1}:5`;
      expect(said(text)).to.match(
        new RegExp(
          `^${place}:\\d+ get /account responses .*${key.replaceAll('"', '')}: follows from components.${kind}.${name}: edit that, or .* \\(${source}\\)$`,
        ),
      );
      const own = `${key}: { $ref: "#/components/${kind}/${other}" }`;
      expect(generated(replaced(derived, own))).to.include(own);
    }
    expect(said(replaced('Needs the scope `jobs:read`.', 'Needs the scope `jobs:write`.'))).to.match(
      /^openapi.yaml:\d+:7 get \/account description: the last sentence follows from x-scope: edit that \(openapi.yaml:\d+:7\)$/,
    );
    const added = inPatch('      properties:\n', '      properties:\n        colour:\n          type: string\n');
    expect(said(added)).to.match(/JobPatch.colour: follows from JobInput: edit that, and delete this/);
    // After its deletion, it is written again.
    expect(said(inPatch('          maxLength: 255\n', ''))).to.match(/JobPatch.title: follows from/);
    expect(
      schemasOf(said(replaced(/ {6}properties:\n {8}application_methods:\n(?: {10}.*\n)+/, '      properties:\n'))),
    ).to.deep.equal(schemasOf(yaml));
  });

  it('are refused wherever an edit touches a derived value, which means one that generate rewrites after its deletion', () => {
    const places: string[][] = [];
    for (const [object, path] of objectsIn(last, []))
      for (const key of ['responses', 'headers', 'properties'])
        if (isObject(object[key])) places.push(...Object.keys(object[key]).map((name) => [...path, key, name]));
    const length = draws(Math.ceil(places.length / 10), places.length);
    const [some = []] = fc.sample(fc.shuffledSubarray(places, { minLength: length, maxLength: length }), 1);
    let derived = 0;
    for (const place of some) {
      const edited = structuredClone(last);
      const [holder, name] = [objectAt(edited, ...place.slice(0, -1)), place.at(-1) ?? ''];
      delete holder[name];
      try {
        if (!isDeepStrictEqual(completeContract(edited, last), last)) continue;
      } catch {
        continue;
      }
      derived += 1;
      holder[name] = { description: 'Ours.' };
      expect(() => completeContract(edited, last), place.join('.'))
        .to.throw(ContractError)
        .with.deep.property('path', place);
    }
    expect(derived).to.be.above(some.length / 4);
  });

  it('have no YAML aliases, whose text would be in two places', () => {
    const text = replaced('  - name: Account\n', '  - &account\n    name: Account\n').replace(
      '  - name: Jobs\n',
      '  - *account\n  - name: Jobs\n',
    );
    const line = linesOf(text).indexOf('  - *account') + 1;
    expect(said(text)).to.equal(`openapi.yaml:${line}:5 *account: no YAML aliases: use a $ref, or write it again`);
  });

  it('are written into an operation of any layout, beside its own responses', () => {
    const flow = `  /job-total:
    get: { operationId: totalJobs, summary: Count, description: The number., x-scope: jobs:read, # asked for by sales
      responses: { "200": { description: The number. }, "429": { description: Ours. } } }

  /jobs/{id}:
`;
    const written = generated(replaced('  /jobs/{id}:\n', flow));
    expect(written).to.include('x-scope: jobs:read, # asked for by sales');
    const { responses, description } = objectAt(readDocument(written), 'paths', '/job-total', 'get') as JsonObject;
    expect(description).to.equal('The number. Needs the scope `jobs:read`.');
    expect(objectAt(responses, '401').$ref).to.equal('#/components/responses/Unauthorized');
    expect(objectAt(responses, '429').description).to.equal('Ours.');
    expect(objectAt(responses, '200', 'headers')).to.include.keys('X-Request-Id', 'RateLimit');
    expect(generated(written)).to.equal(written);
  });

  it('any value is written into any document, and then there is nothing to write; YAML 1.1 reads the same', () => {
    const pieces = 'a y ? : - # . 1 0 _ + ~ ! & * " \' , [ ] { } | > % @ = << \\ 2020-01-01'
      .split(' ')
      .concat([...' \t\n\r\u0007\u007f\u0085\u00a0\u2028\ufeff']);
    const drawn = fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map((parts) => parts.join(''));
    const name = fc.oneof(fc.constantFrom('a', 'b', '200', '404', 'on', 'x-y', 'key: c', '#'), drawn);
    const text = fc.oneof(
      fc.constantFrom('a', 'a b', 'a b: c', 'a b\nc', 'no', '', ' a', 'a #b', 'word '.repeat(40), 'a\n\n', '0O7'),
      drawn,
    );
    const { object } = fc.letrec<{ object: JsonObject; value: never }>((tie) => ({
      object: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }) as never,
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.constant(null),
        tie('object'),
        fc.array(tie('value'), { maxLength: 3 }),
      ) as never,
    }));
    const style = fc.record({
      collectionStyle: fc.constantFrom('any' as const, 'flow' as const),
      lineWidth: fc.constantFrom(0, 20, 80),
      indentSeq: fc.boolean(),
    });
    const all: [written: string, value: JsonObject][] = [];
    fc.assert(
      fc.property(object, object, style, (one, other, layout) => {
        const written = writeInPlace(spelled(one, layout), other);
        expect(parse(written)).to.deep.equal(other);
        expect(writeInPlace(written, other)).to.equal(written);
        all.push([written, other]);
      }),
      {
        numRuns: draws(50, 500),
        examples: [[{ 200: 'a' }, { 200: 'a b: c' }, { collectionStyle: 'any', lineWidth: 0, indentSeq: false }]],
      },
    );
    const read = readByPython(all.map(([written]) => written));
    if (read) expect(read).to.deep.equal(all.map(([, value]) => value));
  });
});
