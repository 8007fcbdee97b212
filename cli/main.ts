import { run } from './run.ts';

// The code is set rather than the process ended, so that a pipe gets all that was written.
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
});
