import { setTimeout as sleep } from 'node:timers/promises';
import { proxiedFetch } from '@tenant-payments/sdk-server';
import { type Flag, print } from '../declare.ts';
import { type ExitCode, FaultLines } from '../terminal.ts';
import { accountOf, UnknownService } from './connection.ts';
import type { Declare } from './family.ts';
import type { Console, Options } from './options.ts';
import { checkedDuration } from './times.ts';

interface WaitOptions extends Options {
  readonly timeout?: string;
}

const pauseMs = 250;
const oneAnswerMs = 5_000;

/** The answer of `/readyz`; null: it is ready. */
async function missing(baseUrl: string, withinMs: number): Promise<string | null> {
  const signal = AbortSignal.timeout(Math.ceil(Math.min(Math.max(withinMs, 1), oneAnswerMs)));
  try {
    const { ok, status } = await proxiedFetch(`${baseUrl}/readyz`, { signal });
    return ok ? null : `HTTP ${status}`;
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string } };
    return cause?.code ?? message;
  }
}

/** The address; null: the sandbox that shall start has not written its own yet. */
function addressOf(terminal: Console, options: Options): string | null {
  try {
    return accountOf(terminal, options).baseUrl;
  } catch (error) {
    if (error instanceof UnknownService) return null;
    throw error;
  }
}

const unknown = 'no sandbox has written its sandbox.json';

/** `wait`: until the service is ready (rules/tpay#29). */
async function wait(terminal: Console, options: WaitOptions): Promise<ExitCode> {
  const { timeout = '1m' } = options;
  const withinMs = checkedDuration('--timeout', timeout) * 1_000;
  const from = performance.now();
  for (;;) {
    const base_url = addressOf(terminal, options);
    const left = withinMs - (performance.now() - from);
    const reason = base_url === null ? unknown : await missing(base_url, left);
    const waited_ms = Math.round(performance.now() - from);
    if (reason === null)
      return print(terminal, options, { ready: true, base_url, waited_ms }, [
        `${base_url} is ready, after ${waited_ms} ms.`,
      ]);
    if (waited_ms >= withinMs || terminal.signal?.aborted)
      throw new FaultLines([
        `error: ${base_url ?? 'the service'} is not ready after ${timeout} (${reason})`,
        'hint: Look at the log of the service, or give it longer: --timeout 5m',
      ]);
    await sleep(pauseMs);
  }
}

export const declareWait: Declare = ({ terminal, fill }, command) => {
  const flag: Flag = ['--timeout <duration>', 'how long at most; 1m unless given'];
  fill<WaitOptions>(command, [flag], (options) => wait(terminal, options));
};
