import { expect, test } from 'vitest';
import { createReceiver, type Event, webhooks } from './index.ts';

const secret = 'whsec_test';

test('when too many wait, the next is answered 503 and sent again: each 200 is handled', async () => {
  const handled = new Set<string>();
  let running = 0;
  let most = 0;
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const receiver = createReceiver({
    secrets: secret,
    onEvent: async ({ id }) => {
      running += 1;
      most = Math.max(most, running);
      await gate;
      handled.add(id);
      running -= 1;
    },
  });
  const accepted: string[] = [];
  for (let count = 0; count < 1_100; count += 1) {
    const id = `evt_${count}`;
    const record = { object: 'payment', id: `pay_${count}`, version: 1 };
    const body = JSON.stringify({ id, object: 'event', data: { object: record } } as Event);
    const headers = { 'service-signature': webhooks.sign(body, secret) };
    const { status, outcome } = await receiver.receive(body, headers);
    if (status === 200) accepted.push(id);
    else expect([status, outcome]).toEqual([503, 'busy']);
  }
  expect(accepted.length).toBeGreaterThanOrEqual(1_000);
  expect(accepted.length).toBeLessThan(1_100);
  open();
  await receiver.idle();
  expect(most).toBe(16);
  expect([...handled].sort()).toEqual(accepted.sort());
});
