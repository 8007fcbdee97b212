import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelHouse } from './server.ts';
import type { Life } from './tenant.ts';

/** A clock that stands for so long in the middle of an advance goes no further. */
const clockPatienceMs = 90_000;
const lookEveryMs = 500;
const retryMs = 50;

/** Asks for an instant until the clock is there: a call may be lost, or return while the clock goes. */
export async function moveClock(
  { wire, faults }: ModelHouse,
  { token, number }: Pick<Life, 'token' | 'number'>,
  to: string,
): Promise<void> {
  const via = faults ? number % 2 : 0;
  const path = '/portal/api/clock';
  const begun = { method: 'POST', path: `${path}/advance`, token, body: { to }, via };
  let stands = '';
  let until = 0;
  for (let looks = 0; ; looks += 1) {
    const reply = await wire.once(looks % 2 === 0 ? begun : { method: 'GET', path, token, via });
    const isTold = reply?.status === 200;
    if (isTold && reply.body.now === to && reply.body.pending === 0) return;
    const seen = isTold ? JSON.stringify(reply.body) : stands;
    if (seen !== stands || until === 0) until = performance.now() + clockPatienceMs;
    stands = seen;
    if (performance.now() > until) throw new Error(`the clock does not go on to ${to}: ${stands}`);
    await sleep(isTold ? lookEveryMs : retryMs);
  }
}
