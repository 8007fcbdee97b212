import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { onSignal } from './on_signal.ts';

const underWay = new Set<ChildProcess>();

onSignal((code, signal) => {
  for (const child of underWay) child.kill(signal);
  process.exit(code);
});

interface Ran {
  readonly passed: boolean;
  /** Empty where it was shown at once. */
  readonly output: string;
}

/**
 * Runs a program to its end. A signal that ends this process is passed on to it.
 * @param stdio `inherit`: what it prints is shown at once
 */
export async function runProgram(
  [program = '', ...args]: readonly string[],
  stdio: 'inherit' | 'pipe',
  env: NodeJS.ProcessEnv = process.env,
): Promise<Ran> {
  const child = spawn(program, args, { env, stdio: ['ignore', stdio, stdio] });
  underWay.add(child);
  const ended = once(child, 'close');
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const output = await Promise.all(streams.map((stream) => text(stream)));
  const [code] = await ended;
  underWay.delete(child);
  return { passed: code === 0, output: output.join('') };
}
