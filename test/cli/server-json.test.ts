import { expect } from 'chai';
import { expectShape } from '../helper/discovery-shapes.ts';
import { runInProcess } from './run-cli.ts';

const run = (settings: Record<string, string>, ...args: string[]) =>
  runInProcess(['server-json', ...args], { settings: { DATA_DIR: '/nowhere/that/exists', ...settings } });

describe('ops server-json', function () {
  this.timeout(60_000);

  it('prints the entry of the registry with both environments, without a database', async () => {
    const settings = { PUBLIC_URL: 'https://api.example.pt/', SERVER_NAME: 'pt.example/vaga' };
    const [plain, asJson] = await Promise.all([run(settings), run(settings, '--json')]);
    expect([plain.exitCode, plain.stderr, asJson.exitCode]).to.deep.equal([0, '', 0]);
    const document = JSON.parse(plain.stdout);
    expect(JSON.parse(asJson.stdout)).to.deep.equal(document);
    expectShape('serverJson', document);
    expect(document.name).to.equal('pt.example/vaga');
    expect(document.remotes.map(({ url }: { url: string }) => url)).to.deep.equal([
      'https://api.example.pt/mcp',
      'https://api.example.pt/sandbox/mcp',
    ]);
    for (const { headers } of document.remotes) {
      expect(headers).to.have.length(1);
      expect(headers[0]).to.include({ name: 'Authorization', isRequired: true, isSecret: true });
    }
  });

  it('refuses settings with which the registry or a client could do nothing, in one line that names the setting', async () => {
    const rows: [settings: Record<string, string>, said: string][] = [
      [{}, 'PUBLIC_URL must be set to an https address'],
      [{ PUBLIC_URL: 'http://api.example.pt' }, 'PUBLIC_URL must be set to an https address'],
      [{ PUBLIC_URL: 'https://203.0.113.7' }, 'SERVER_NAME must be set, because PUBLIC_URL has no domain name'],
      [{ PUBLIC_URL: 'https://api.example.pt', SERVER_NAME: 'vaga' }, 'SERVER_NAME must be like com.example/vaga'],
    ];
    const results = await Promise.all(rows.map(([settings]) => run(settings, '--json')));
    for (const [index, [, said]] of rows.entries()) {
      const { exitCode, stdout, stderr } = results[index] ?? {};
      expect(exitCode, said).to.equal(1);
      expect(stderr).to.include(`error: ${said}`);
      expect(JSON.parse(stdout ?? '').error.code).to.equal('setting');
    }
  });
});
