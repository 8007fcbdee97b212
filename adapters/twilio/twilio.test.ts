import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { Provider, RailObject } from '../../service/rails/providers/provider.ts';
import { aMessage } from '../../test/kit/messages/message.ts';
import { account, startTwilio } from '../../test/kit/messages/twilio/twilio.ts';
import { openClient } from './client.ts';
import { open } from './index.ts';
import { pollMessages } from './poll.ts';

/** Against a counterpart that holds both directions to Twilio's published schema. */

const twilio = await startTwilio();
const values = {
  SMS: 'twilio',
  TWILIO_ACCOUNT_SID: account.sid,
  TWILIO_AUTH_TOKEN: account.token,
  TWILIO_MESSAGING_SERVICE_SID: account.service,
  TWILIO_API_URL: twilio.origin,
};
const receiveAt = (name: string) => `https://pay.example/rails/${name}`;
const opened = (more: Partial<typeof values> = {}) =>
  open({
    ports: ['sms'],
    values: { ...values, ...more },
    environment: 'production',
    receiveAt,
  });
const kept = new Map<string, RailObject>();
const objects = {
  get: async (kind: string, key: string) => kept.get(`${kind} ${key}`) ?? null,
  put: async (object: RailObject) => void kept.set(`${object.kind} ${object.key}`, object),
  byRecord: async () => [],
  list: async () => [],
};
const context = { signal: new AbortController().signal, objects };

async function partsOf(more: Partial<typeof values> = {}) {
  const { sms, providers = [] } = await opened(more);
  const [provider] = providers;
  if (!sms || !provider) throw new Error('it brings both');
  provider.open?.({ objects, report: async () => {} });
  return { sms, provider };
}
const { sms, provider } = await partsOf();
afterAll(() => twilio.stop());
beforeEach(() => {
  twilio.messages.length = 0;
  twilio.answer(null);
  twilio.pageSize(1_000);
  kept.clear();
});
afterEach(() => expect(twilio.faults).toEqual([]));

const to = { mobile_number: '+12025550123' };
const message = (more: object = {}) => aMessage({ id: randomUUID(), to, ...more });
const thrown = (sending: Promise<unknown>) =>
  sending.then(
    () => null,
    ({ name, reason, message: text }) => ({ name, reason, text }),
  );
async function sent(more: object = {}) {
  const one = message(more);
  const { providerId } = await sms.send(one);
  const found = twilio.messages.find(({ sid }) => sid === providerId);
  if (!found) throw new Error('it was not sent');
  return { one, found };
}
type Callback = ReturnType<typeof twilio.callbackOf>;
const receive = (by: Provider, { url, headers, body }: Callback) =>
  by.receive?.(
    {
      headers,
      rawBody: Buffer.from(body),
      query: Object.fromEntries(new URL(url).searchParams),
    },
    context,
  );

test('a text message has the short words, and Twilio gives up when a code is no good any more', async () => {
  const expiresAt = new Date(Date.now() + 600_000).toISOString();
  const { one, found } = await sent({ expiresAt });
  expect(found).toMatchObject({ to: to.mobile_number, body: one.rendered.short });
  expect(found.validity).toBeGreaterThan(590);
  expect(found.validity).toBeLessThanOrEqual(600);
  expect((await sent()).found.validity).toBeNull();
});

test.each([
  ['delivered', null, { outcome: 'delivered' }],
  ['undelivered', 30_003, { outcome: 'bounced', reason: '30003' }],
  ['undelivered', 21_610, { outcome: 'opted_out', reason: '21610' }],
  ['failed', 30_008, { outcome: 'undeliverable', reason: '30008' }],
] as const)('a signed report that it was %s (%s) names the message', async (status, code, told) => {
  const { one, found } = await sent();
  const receipts = await receive(provider, twilio.report(found, status, code));
  const { tenantId, id: messageId } = one;
  const id = `${found.sid} ${told.outcome}`;
  expect(receipts).toEqual([{ id, tenantId, port: 'messages', fact: { id, messageId, ...told } }]);
});

test('a report on the way says nothing yet', async () => {
  const { found } = await sent();
  for (const status of ['queued', 'sending', 'sent'])
    expect(await receive(provider, twilio.report(found, status))).toEqual([]);
});

test('a report of another account, for another message or changed on the way is not verified', async () => {
  const { found } = await sent();
  const right = twilio.report(found, 'delivered');
  const { headers } = right;
  const forged: readonly Callback[] = [
    { ...right, body: right.body.replace('delivered', 'undelivered') },
    { ...right, url: right.url.replace(/message=.*/, `message=${randomUUID()}`) },
    { ...right, headers: { ...headers, 'x-twilio-signature': '' } },
    { ...right, headers: { ...headers, 'x-twilio-signature': 'bm8=' } },
  ];
  for (const one of forged)
    expect(await thrown(receive(provider, one) as Promise<unknown>)).toMatchObject({
      name: 'Unverified',
    });
});

test('while the token is replaced both are taken, and calls are made with the new one', async () => {
  const next = 'd4'.repeat(16);
  const { found } = await sent();
  const before = twilio.report(found, 'delivered');
  twilio.rotate(next);
  const both = await partsOf({ TWILIO_AUTH_TOKEN: `${next},${account.token}` });
  expect(await receive(both.provider, before)).toHaveLength(1);
  expect(await receive(both.provider, twilio.report(found, 'delivered'))).toHaveLength(1);
  await both.sms.send(message());
  twilio.rotate(account.token);
});

test.each([
  [400, 21_610, 'opted_out'],
  [400, 21_211, 'undeliverable'],
  [400, 21_614, 'undeliverable'],
])(
  'a recipient who is refused with %s %s is refused for ever: %s',
  async (status, code, reason) => {
    twilio.refuse(status, code);
    expect(await thrown(sms.send(message()))).toEqual({
      name: 'Refused',
      reason,
      text: String(code),
    });
  },
);

test.each([
  [429, 20_429],
  [401, 20_003],
  [503, 20_503],
  [400, 21_703],
])('an answer %s %s is no matter of the recipient, and names no number', async (status, code) => {
  twilio.refuse(status, code);
  const text = `Twilio answers ${status} (${code})`;
  expect(await thrown(sms.send(message()))).toEqual({ name: 'Error', reason: undefined, text });
});

test('a poll finds the last word of a message whose report was lost, as the same receipt', async () => {
  const { found } = await sent();
  await sent();
  const report = twilio.report(found, 'undelivered', 30_005);
  const polled = await provider.poll?.run(null, context);
  expect(polled?.receipts).toEqual(await receive(provider, report));
  expect(polled?.receipts).toHaveLength(1);
  expect(Date.parse(polled?.cursor ?? '')).toBeLessThanOrEqual(Date.now());
});

const wordsOf = (receipts: readonly { readonly id: string }[] = []) =>
  [...new Set(receipts.map(({ id }) => id))].sort();
/** Messages that were sent so many minutes ago, and whose reports were lost. */
async function lostReports(minutes: readonly number[]) {
  const words: string[] = [];
  for (const ago of minutes) {
    const { found } = await sent();
    found.at = new Date(Date.now() - ago * 60_000);
    twilio.report(found, 'delivered');
    words.push(`${found.sid} delivered`);
  }
  return words.sort();
}

test('a poll reads every page of what was sent, however much it is', async () => {
  twilio.pageSize(2);
  const words = await lostReports([55, 50, 50, 50, 50, 50, 20, 1, 1, 1]);
  expect(wordsOf((await provider.poll?.run(null, context))?.receipts)).toEqual(words);
});

test('a poll whose time is over keeps what it has read whole, from the oldest on, and the next one goes on', async () => {
  const client = openClient(account.sid, account.token, twilio.origin);
  const words = await lostReports([200, 199, 120, 119, 61, 30, 1]);
  const over = AbortSignal.abort();
  const begunMs = Date.now();
  const read: string[] = [];
  let cursor = new Date(begunMs - 201 * 60_000).toISOString();
  for (let turns = 0; !words.every((word) => read.includes(word)); turns += 1) {
    const before = cursor;
    const polled = await pollMessages(client, cursor, context, over);
    const ids = wordsOf(polled.receipts);
    if (turns === 0) expect(ids).toHaveLength(2);
    read.push(...ids);
    cursor = polled.cursor ?? '';
    if (read.length < words.length) expect(Date.parse(cursor)).toBeGreaterThan(Date.parse(before));
  }
  expect(Date.now() - Date.parse(cursor)).toBeGreaterThanOrEqual(3_600_000);
});

test('a poll that Twilio does not answer in the middle ends there, and one that it does not answer at all fails', async () => {
  const words = await lostReports([58, 2]);
  const at = {
    ...objects,
    get: async (...named: [string, string]) => {
      twilio.refuse(503, 20_503);
      return objects.get(...named);
    },
  };
  const polled = await provider.poll?.run(null, { ...context, objects: at });
  expect(polled?.receipts).toHaveLength(1);
  const cursor = polled?.cursor ?? null;
  expect(await thrown(provider.poll?.run(cursor, context) as Promise<unknown>)).not.toBeNull();
  twilio.answer(null);
  const next = await provider.poll?.run(cursor, context);
  expect(wordsOf([...(polled?.receipts ?? []), ...(next?.receipts ?? [])])).toEqual(words);
});

test('a memory that is away does not send a message twice', async () => {
  const { sms: other, providers = [] } = await opened();
  const put = () => Promise.reject(new Error('the database is away'));
  providers[0]?.open?.({ objects: { ...objects, put }, report: async () => {} });
  await other?.send(message());
  expect(twilio.messages).toHaveLength(1);
});

test('the check signs in, and says so of the account alone', async () => {
  expect(await provider.check?.(context)).toEqual([
    { ok: true, what: 'is signed in to an account that is active (Full)', advice: null },
  ]);
  twilio.refuse(401, 20_003);
  const [line] = (await provider.check?.(context)) ?? [];
  expect(line).toMatchObject({ ok: false, advice: expect.stringContaining('401 (20003)') });
  expect(twilio.messages).toEqual([]);
});
