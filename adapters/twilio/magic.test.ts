import { expect, test } from 'vitest';
import { faultOf, openClient } from './client.ts';

/** Twilio itself by its magic numbers, which send nothing and cost nothing, where test credentials are set. */

const { TWILIO_TEST_SID: sid = '', TWILIO_TEST_TOKEN: token = '' } = process.env;
const hasKey = sid !== '' && token !== '';
const named = (text: string) => (hasKey ? text : `${text} (skipped: no key)`);

const from = '+15005550006';
const send = (to: string) =>
  openClient(sid, token).messages.create({ from, to, body: 'A test of an adapter' });

test.skipIf(!hasKey)(named('Twilio takes a message, and says its id'), async () => {
  expect((await send(from)).sid).toMatch(/^SM[0-9a-f]{32}$/);
});

test.skipIf(!hasKey).each([
  ['+15005550001', 'undeliverable', '21211'],
  ['+15005550004', 'opted_out', '21610'],
  ['+15005550009', 'undeliverable', '21614'],
])(named('Twilio refuses %s, which is %s'), async (to, reason, message) => {
  const fault = await send(to).then(() => null, faultOf);
  expect(fault).toMatchObject({ name: 'Refused', reason, message });
});

test.skipIf(!hasKey)(
  named('a number that takes nothing of its country is no refusal for ever'),
  async () => {
    expect(await send('+15005550003').then(() => null, faultOf)).toMatchObject({ name: 'Error' });
  },
);
