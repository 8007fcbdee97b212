import { obey, openDelivery, type SendOrder } from './deliver.ts';

/** Signs and sends alone: nothing is kept, nothing is tried again. */
async function sendAll({ url, secret, bodies, together }: SendOrder, begin: () => void) {
  const { deliver, close } = openDelivery(secret);
  let next = 0;
  async function workOff(): Promise<void> {
    while (next < bodies.length) {
      const body = bodies[next] ?? '';
      next += 1;
      await deliver(url, body);
    }
  }
  begin();
  await Promise.all(Array.from({ length: together }, workOff));
  await close();
}

obey(sendAll);
