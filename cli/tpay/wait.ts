import { setTimeout as sleep } from 'node:timers/promises';
import { type Flag, print } from '../declare.ts';
import { type ExitCode, FaultLines } from '../terminal.ts';
import { accountOf } from './connection.ts';
import type { Declare } from './family.ts';
import type { Console, Options } from './options.ts';
import { checkedDuration } from './times.ts';

interface WaitOptions extends Options {
  readonly timeout?: string;
}

const pauseMs = 250;
const oneAnswerMs = 5_000;

/** What `/readyz` says; null: it is ready. */
async function missing(baseUrl: string, withinMs: number): Promise<string | null> {
  const signal = AbortSignal.timeout(Math.ceil(Math.min(Math.max(withinMs, 1), oneAnswerMs)));
  try {
    const { ok, status } = await fetch(`${baseUrl}/readyz`, { signal });
    return ok ? null : `HTTP ${status}`;
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string } };
    return cause?.code ?? message;
  }
}

/** `wait`: until the service is ready (rules/tpay#29). */
async function wait(terminal: Console, options: WaitOptions): Promise<ExitCode> {
  const { timeout = '1m' } = options;
  const withinMs = checkedDuration('--timeout', timeout) * 1_000;
  const { baseUrl } = accountOf(terminal, options);
  const from = performance.now();
  for (;;) {
    const reason = await missing(baseUrl, withinMs - (performance.now() - from));
    const waited_ms = Math.round(performance.now() - from);
    if (reason === null)
      return print(terminal, options, { ready: true, base_url: baseUrl, waited_ms }, [
        `${baseUrl} is ready, after ${waited_ms} ms.`,
      ]);
    if (waited_ms >= withinMs || terminal.signal?.aborted)
      throw new FaultLines([
        `error: ${baseUrl} is not ready after ${timeout} (${reason})`,
        'hint: Look at the log of the service, or give it longer: --timeout 5m',
      ]);
    await sleep(pauseMs);
  }
}

export const declareWait: Declare = ({ terminal, fill }, command) => {
  const flag: Flag = ['--timeout <duration>', 'how long at most; 1m unless given'];
  fill<WaitOptions>(command, [flag], (options) => wait(terminal, options));
};
