import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Received, ReceiverMessage, ReceiverOrder } from './receiver_process.ts';

/** A Tenant's receiver of webhooks, in a separate process. */
export interface Receiver {
  readonly pid: number;
  /** Its address, without a path. */
  readonly url: string;
  readonly reset: () => Promise<void>;
  readonly report: () => Promise<Received>;
  readonly stop: () => void;
}

export async function startReceiver(): Promise<Receiver> {
  const child = fork(new URL('./receiver_process.ts', import.meta.url));
  const hear = async () => (await once(child, 'message'))[0] as ReceiverMessage;
  const begun = await hear();
  if (!('port' in begun)) throw new Error('the receiver did not say its port');
  async function ask(order: ReceiverOrder): Promise<Received> {
    child.send(order);
    const answer = await hear();
    if ('port' in answer) throw new Error('the receiver said its port twice');
    return answer;
  }
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${begun.port}`,
    reset: async () => void (await ask('reset')),
    report: () => ask('report'),
    stop: () => void child.kill(),
  };
}
