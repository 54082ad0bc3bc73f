import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PrivateCitus } from './private-citus.ts';

// node dist/test/faults/with-citus.js COMMAND...: runs a command with CITUS_URL set to a private cluster, which is removed afterwards.

const [command = '', ...args] = process.argv.slice(2);
const cluster = await PrivateCitus.make('fsync = off\nmax_connections = 300\nmax_worker_processes = 40\n');
try {
  const env = { ...process.env, CITUS_URL: cluster.coordinator.url };
  const child = spawn(command, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'close');
  process.exitCode = code ?? 1;
} finally {
  await cluster.remove();
}
