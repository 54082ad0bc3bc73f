import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { packageRoot } from '../../src/database/prisma-folder.ts';

/** The service's own type check, with single files replaced in memory. */
class Compiler {
  readonly #replaced = new Map<string, { text: string; version: number }>();
  readonly #service: ts.LanguageService;

  constructor() {
    const { config } = ts.readConfigFile(join(packageRoot, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent({ ...config, include: ['src/main.ts'] }, ts.sys, packageRoot);
    const text = (path: string) => this.#replaced.get(path)?.text ?? ts.sys.readFile(path);
    this.#service = ts.createLanguageService({
      getCompilationSettings: () => options,
      getScriptFileNames: () => [join(packageRoot, 'src/main.ts')],
      getScriptVersion: (path) => String(this.#replaced.get(path)?.version ?? 0),
      getScriptSnapshot: (path) => {
        const source = text(path);
        return source === undefined ? undefined : ts.ScriptSnapshot.fromString(source);
      },
      getCurrentDirectory: () => packageRoot,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: ts.sys.fileExists,
      readFile: text,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
    });
  }

  /** The compiler's complaints about a file once `from` reads `to`, there or in `changed`, which is put back. */
  complaints(file: string, from: string | RegExp, to: string, changed = file): string[] {
    const path = join(packageRoot, changed);
    const original = readFileSync(path, 'utf8');
    const text = original.replace(from, to);
    const version = (this.#replaced.get(path)?.version ?? 0) + 1;
    this.#replaced.set(path, { text, version });
    const found = this.#service
      .getSemanticDiagnostics(join(packageRoot, file))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
    this.#replaced.set(path, { text: original, version: version + 1 });
    return found;
  }
}

describe('the compiler enforces the contract', function () {
  this.timeout(120_000);
  let compiler: Compiler;
  before(() => {
    compiler = new Compiler();
  });

  const operations = 'src/operations';
  const rows: readonly (readonly [what: string, file: string, from: string, to: string, changed?: string])[] = [
    ['an undeclared status', `${operations}/jobs/get-job.ts`, 'status: 200', 'status: 202'],
    [
      'an answer without a required field of its meta',
      `${operations}/jobs/list-jobs.ts`,
      ' total, last_page',
      ' last_page',
    ],
    [
      'an answer without a required field of its data',
      `${operations}/account/get-account.ts`,
      'company_id: Number(tenant.companyId),',
      '',
    ],
    [
      'a withdrawal without the job that its tool returns',
      `${operations}/jobs/withdraw-job.ts`,
      ', body: jobAnswer(ctx, job).body',
      '',
    ],
    ['a created job without its Location', `${operations}/jobs/create-job.ts`, '...headers, Location', '...headers'],
    [
      'an operation without a function',
      `${operations}/table.ts`,
      '  withdrawJob: { run: withdrawJob },\n',
      '',
      'generated/operations.ts',
    ],
    ['an operation without its file', 'generated/operations.ts', 'jobs/withdraw-job.ts', 'withdraw-job.ts'],
  ];

  for (const [what, file, from, to, changed = file] of rows)
    it(`${what} does not compile`, () => {
      expect(compiler.complaints(file, from, from, changed), 'as it is').to.deep.equal([]);
      expect(compiler.complaints(file, from, to, changed)).to.not.deep.equal([]);
    });
});
