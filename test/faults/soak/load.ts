import { type ChildProcess, fork } from 'node:child_process';
import type { LoadPlan, TenantServer } from './tenant_server.ts';
import type { Answer, Order } from './tenant_server_process.ts';

/** Code is compiled where it is hot, so the first seconds are slower. */
const warmUpMs = 10_000;
const capacityMs = 30_000;

/** One order to the process, and its answer; one at a time. @throws once the process has ended */
function ask<Name extends keyof TenantServer>(
  child: ChildProcess,
  name: Name,
  ...args: Parameters<TenantServer[Name]>
): ReturnType<TenantServer[Name]> {
  const answered = new Promise((resolve, reject) => {
    const onExit = () => reject(new Error("the Tenant's server ended"));
    child.once('exit', onExit);
    child.once('message', (answer: Answer) => {
      child.off('exit', onExit);
      if ('failure' in answer) reject(new Error(answer.failure));
      else resolve(answer.value);
    });
    child.send({ name, args } satisfies Order);
  });
  return answered as ReturnType<TenantServer[Name]>;
}

/** A Tenant's server in a process of its own, so that its work is not taken for the service's. */
export async function startLoad() {
  const child = fork(new URL('./tenant_server_process.ts', import.meta.url), {
    execArgv: ['--import', 'tsx'],
  });
  const url = await ask(child, 'listen');
  return {
    /** Takes its webhooks. */
    url,
    /**
     * Measures what the service can do, and then asks half of it.
     * @param drained waits until all that follows is done, such as the delivery of all events
     * @returns the operations a second, and what they had brought to the bank before the first of them
     */
    async beginHalf(plan: LoadPlan, drained: () => Promise<void>) {
      await ask(child, 'open', plan);
      await ask(child, 'callFor', warmUpMs);
      await drained();
      const begunMs = performance.now();
      const count = await ask(child, 'callFor', capacityMs);
      await drained();
      const rate = count / ((performance.now() - begunMs) / 1_000) / 2;
      const brought = await ask(child, 'brought');
      await ask(child, 'pace', rate);
      return { rate, brought };
    },
    take: () => ask(child, 'take'),
    async end() {
      const ended = await ask(child, 'end');
      const brought = await ask(child, 'brought');
      return { ...ended, brought };
    },
    /** Called when no event is to be delivered any more. */
    stop: () => void child.kill(),
  };
}
