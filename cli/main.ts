import { run } from './run.ts';

// A reader that has seen enough, as `head` does, is no failure; the exit code is that of the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// Sets the exit code instead of ending the process, so that a pipe gets the whole output.
process.exitCode = await run(process.argv.slice(2), {
  // Whoever sits at a terminal reads the command's own words; programs get the lines of the audit.
  env: process.stderr.isTTY ? { ...process.env, AT_TERMINAL: '1' } : process.env,
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
});
