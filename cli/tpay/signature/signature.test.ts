import { webhooks } from '@tenant-payments/sdk-server';
import { expect, test } from 'vitest';
import { openTpay } from '../../../test/kit/tpay.ts';

const secret = 'whsec_0123456789';
const body = JSON.stringify({
  object: 'event',
  id: 'evt_1',
  type: 'payment.completed',
  data: { object: {} },
});
const tpay = () => openTpay({ PAY_WEBHOOK_SECRET: secret });
const verify = (header: string, text: string, env: Record<string, string> = {}) =>
  openTpay({ PAY_WEBHOOK_SECRET: secret, ...env })('verify', '--header', header, '--body', text);

test('what sign makes, verify and every receiver take', async () => {
  const { out } = await tpay()('sign', '--body', body);
  const [line = ''] = out;
  const header = line.replace('Service-Signature: ', '');
  expect(webhooks.unwrap(body, { 'service-signature': header }, { secrets: secret }).id).toBe(
    'evt_1',
  );
  const { code, out: said } = await verify(line, body);
  expect([code, said]).toEqual([
    0,
    [
      'ok      header     of the form t=…,v1=…',
      expect.stringMatching(/^ok {6}time {7}\d s old$/),
      'ok      signature  the secret made it',
      'ok      event      payment.completed evt_1',
      'The receiver is to take it.',
    ],
  ]);
});

const right = webhooks.sign(body, secret);
test.each([
  ['header', 'v1=abc', body, {}, 'not of the form'],
  [
    'time',
    webhooks.sign(body, secret, new Date(Date.now() - 400_000)),
    body,
    {},
    'more than 300 s: verify before',
  ],
  [
    'time',
    webhooks.sign(body, secret, new Date(Date.now() + 400_000)),
    body,
    {},
    'ahead of this clock',
  ],
  ['signature', right, `${body}\n`, {}, 'a line end that was not signed'],
  ['signature', right, JSON.stringify(JSON.parse(body), null, 2), {}, 'parsed and written again'],
  ['signature', right, body, { PAY_WEBHOOK_SECRET: ` ${secret} ` }, 'spaces around'],
  ['signature', right, body, { PAY_WEBHOOK_SECRET: secret.slice(6) }, 'lacks its prefix'],
  ['signature', right, body.replace('evt_1', 'evt_2'), {}, 'no v1 item matches'],
  ['event', webhooks.sign('[]', secret), '[]', {}, 'no event'],
])('a fault of the %s is named with its cause', async (step, header, text, env, says) => {
  const { code, out } = await verify(header, text, env);
  expect(code).toBe(1);
  const failed = out.filter((line) => line.startsWith('FAILED'));
  expect(failed).toEqual([expect.stringMatching(new RegExp(`^FAILED {2}${step} .*${says}`))]);
});

test('of several secrets it says which one made the signature', async () => {
  const { out } = await verify(right, body, { PAY_WEBHOOK_SECRET: `whsec_old,${secret}` });
  expect(out[2]).toBe('ok      signature  secret 2 made it');
});

test('a body that cannot be read, and no secret, are wrong usage', async () => {
  expect((await tpay()('sign', '--body', '@/nowhere')).code).toBe(2);
  const { code, err } = await openTpay()('sign', '--body', body);
  expect([code, err[0]]).toEqual([2, 'error: no secret is known']);
});
