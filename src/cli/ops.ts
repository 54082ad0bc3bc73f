import { runOps } from './run-ops.ts';

// A reader that stops early, such as `head`, is no failure.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

process.exitCode = await runOps(process.argv.slice(2), process);
