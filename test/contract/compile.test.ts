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

  it('the current code compiles', () => {
    expect(compiler.complaints('generated/operations.ts', 'run: getJob', 'run: getJob')).to.deep.equal([]);
    expect(compiler.complaints('src/operations/jobs/get-job.ts', 'status: 200', 'status: 200')).to.deep.equal([]);
  });

  it('a contract operation without a function does not compile', () => {
    const [generated, withdrawJob] = ['generated/operations.ts', '  withdrawJob: { run: withdrawJob },\n'];
    const [complaint] = compiler.complaints('src/operations/table.ts', withdrawJob, '', generated);
    expect(complaint).to.include("Property 'withdrawJob' is missing");
    const [missing] = compiler.complaints(generated, 'jobs/withdraw-job.ts', 'withdraw-job.ts');
    expect(missing).to.include('Cannot find module');
  });

  it('an answer with an undeclared status does not compile', () => {
    expect(compiler.complaints('src/operations/jobs/get-job.ts', 'status: 200', 'status: 202')).to.have.length(1);
  });

  it('an answer without a required field of the body does not compile', () => {
    expect(compiler.complaints('src/operations/jobs/list-jobs.ts', ' total, last_page', ' last_page')).to.have.length(
      1,
    );
    expect(
      compiler.complaints('src/operations/account/get-account.ts', 'company_id: Number(tenant.companyId),', ''),
    ).to.have.length(1);
  });

  it('a withdrawal without the job that its tool returns does not compile', () => {
    expect(
      compiler.complaints('src/operations/jobs/withdraw-job.ts', ', body: jobAnswer(ctx, job).body', ''),
    ).to.have.length(1);
  });

  it('a created job without its Location does not compile', () => {
    expect(
      compiler.complaints('src/operations/jobs/create-job.ts', '...headers, Location', '...headers'),
    ).to.have.length(1);
  });
});
