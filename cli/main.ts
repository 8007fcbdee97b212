import { run } from './run.ts';

// Sets the exit code instead of ending the process, so that a pipe gets the whole output.
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
});
