import { onStopSignal } from '../stop_signals.ts';
import { run } from './run.ts';

// A reader that has seen enough, as `head` does, is no failure; the exit code is that of the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const stopped = new AbortController();
const asking = process.stdin.isTTY === true && process.stderr.isTTY === true;

async function readInput(): Promise<string> {
  const { text } = await import('node:stream/consumers');
  return text(process.stdin);
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

// A command that does not heed it in time is ended; `listen` may have an endpoint to put back.
onStopSignal(() => stopped.abort(), { withinMs: () => 5_000, exitCode: 130 });

// Sets the exit code instead of ending the process, so that a pipe gets the whole output.
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  readInput,
  signal: stopped.signal,
  ...(asking ? { ask } : {}),
});
