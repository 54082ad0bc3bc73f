import { expect } from 'chai';
import { environmentOfPath, protocolOfPath } from '../../src/domain/environment.ts';

it('the path decides the environment and the protocol, with or without a query or a slash at its end', () => {
  for (const [path, environment, protocol] of [
    ['/v1', 'production', 'rest'],
    ['/v1/jobs?page=1', 'production', 'rest'],
    ['/v1?x', 'production', 'rest'],
    ['/v1#x', 'production', 'rest'],
    ['/v10', 'production', undefined],
    ['/x/v1', 'production', undefined],
    ['/mcp', 'production', 'mcp'],
    ['/mcp/', 'production', 'mcp'],
    ['/mcp?x=/', 'production', 'mcp'],
    ['/mcp#x', 'production', 'mcp'],
    ['/mcp/x', 'production', undefined],
    ['/', 'production', undefined],
    ['', 'production', undefined],
    ['/dashboard', 'production', undefined],
    ['/sandbox', 'sandbox', undefined],
    ['/sandbox?x', 'sandbox', undefined],
    ['/sandboxes/v1', 'production', undefined],
    ['/sandbox/v1/jobs/1', 'sandbox', 'rest'],
    ['/sandbox/mcp', 'sandbox', 'mcp'],
    ['/sandbox/mcp/x', 'sandbox', undefined],
  ] as const)
    expect([environmentOfPath(path), protocolOfPath(path)], path).to.deep.equal([environment, protocol]);
});
