import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import { uuid } from '../../../../test/kit/ids.ts';
import { openHostedPages, refusalLine } from '../../../../test/kit/pages/hosted.ts';
import type { Person } from '../../../../test/kit/person.ts';
import { openServer } from '../../../../test/kit/server.ts';
import type { MessageFact } from '../../../rails/facts.ts';
import type { SentMessage } from '../../../rails/messages.ts';
import type { Receipt } from '../../../rails/providers/provider.ts';
import { Refused } from '../../../rails/refused.ts';

/** The fate of each message, as its provider tells it (rules/messages). */

const server = await openServer({ manual: true, onLog: () => {} });
const { api, engine, sent, providers } = server;
const { tenantId } = server.tenant;
const pages = openHostedPages(server);
let ana: Person;
beforeEach(async () => {
  ana = await api.banked('individual');
  await pages.givePins();
  sent.length = 0;
});

interface Shown {
  readonly id: string;
  readonly template: string;
  readonly to: string;
  readonly state: string;
  readonly reason: string | null;
  readonly ended_at: string | null;
}
const listed = async (of = ana.customerId): Promise<Shown[]> =>
  (await api.get(`/portal/api/customers/${of}/messages`)).data;
const newest = async (): Promise<Shown> => (await listed())[0] ?? expect.fail();

/** A message to Ana's address of which she has been told. */
async function told(): Promise<Shown> {
  await api.simulate('customer.pin_locked', ana.customerId);
  await server.runJobs();
  return (await listed()).find(({ to }) => to.includes('@')) ?? expect.fail();
}

const receiptOf = (messageId: string, more: Partial<MessageFact>, id: string = randomUUID()) =>
  ({
    id,
    tenantId,
    port: 'messages',
    fact: { id, messageId, outcome: 'delivered', ...more },
  }) as Receipt;
const report = (...receipts: readonly Receipt[]) =>
  providers.taking.take({ name: 'twilio' }, receipts, { headers: {}, body: null });
const stateOf = async (id: string) => {
  const { state, reason, ended_at } =
    (await listed()).find((one) => one.id === id) ?? expect.fail();
  return [state, reason, ended_at !== null];
};

test('a message is queued, sent and delivered, and shows its recipient masked', async () => {
  const send = vi.spyOn(server.rails.messages, 'send').mockRejectedValueOnce(new Error('away'));
  await api.simulate('customer.pin_locked', ana.customerId);
  expect((await listed()).map(({ state }) => state).sort()).toEqual(['queued', 'sent']);
  await api.advance(60);
  send.mockRestore();
  const { id, to, template } = await newest();
  expect([template, to]).toEqual(['pin_locked', expect.stringContaining('•••')]);
  await report(receiptOf(id, {}));
  expect(await stateOf(id)).toEqual(['delivered', null, true]);
});

test.each(['bounced', 'undeliverable', 'opted_out'] as const)(
  'a message that was sent may still be %s, and says why',
  async (outcome) => {
    const { id } = await told();
    await report(receiptOf(id, { outcome, reason: '30003' }));
    expect(await stateOf(id)).toEqual([outcome, '30003', true]);
  },
);

test('repeated and reordered reports move a message once: what has ended stays', async () => {
  const { id } = await told();
  const [bounced, late] = [
    receiptOf(id, { outcome: 'bounced', reason: '30005' }),
    receiptOf(id, {}),
  ];
  await report(bounced, bounced);
  await report(late, bounced);
  expect(await stateOf(id)).toEqual(['bounced', '30005', true]);
});

test('words of a provider, which could name the recipient, are not kept', async () => {
  const { id } = await told();
  await report(receiptOf(id, { outcome: 'bounced', reason: 'no mailbox ana@example.com here' }));
  expect(await stateOf(id)).toEqual(['bounced', null, true]);
});

test('a report of a message that is not known is parked for a person', async () => {
  const receipt = receiptOf(randomUUID(), {});
  await report(receipt);
  const [row] = await engine.query(
    'select state, result from rail_messages where tenant_id = $1 and message_id = $2',
    receipt.id,
  );
  expect(row).toEqual({ state: 'parked', result: 'unknown' });
});

test('a recipient who is refused for ever is not tried again', async () => {
  const send = vi
    .spyOn(server.rails.messages, 'send')
    .mockRejectedValue(new Refused('opted_out', '21610'));
  await api.simulate('customer.pin_locked', ana.customerId);
  await server.runJobs();
  const calls = send.mock.calls.length;
  await api.advance(4 * 3_600);
  expect([calls, send.mock.calls.length]).toEqual([2, 2]);
  send.mockRestore();
  expect(await stateOf((await newest()).id)).toEqual(['opted_out', '21610', true]);
});

const codes = async () => (await listed()).filter(({ template }) => template === 'code');

test('a code is listed without itself, and is handed over once, whatever its provider says', async () => {
  const page = await pages.flow('pin_reset', ana.customerId);
  const send = vi.spyOn(server.rails.messages, 'send').mockRejectedValueOnce(new Error('away'));
  expect((await page.ask('/code', {})).status).toBeGreaterThanOrEqual(500);
  await api.advance(3_600);
  expect(send.mock.calls.length).toBe(1);
  send.mockRestore();
  expect(await codes()).toMatchObject([{ state: 'undeliverable', reason: 'not_taken' }]);
});

test('whoever takes no text messages is told so on the page', async () => {
  const page = await pages.flow('pin_reset', ana.customerId);
  const send = vi
    .spyOn(server.rails.messages, 'send')
    .mockRejectedValue(new Refused('opted_out', '21610'));
  expect(refusalLine(await page.ask('/code', {}))).toBe('invalid_state message_opted_out');
  send.mockRestore();
  expect(await codes()).toMatchObject([{ state: 'opted_out', reason: '21610' }]);
});

test('a code whose process died is not sent again, and nobody knows whether it was', async () => {
  const page = await pages.flow('pin_reset', ana.customerId);
  let answer = (_sent: SentMessage) => {};
  const hanging = new Promise<SentMessage>((resolve) => {
    answer = resolve;
  });
  vi.spyOn(server.rails.messages, 'send').mockReturnValueOnce(hanging);
  const asking = page.ask('/code', {});
  await expect.poll(codes).toMatchObject([{ state: 'queued' }]);
  await api.advance(601);
  await server.runJobs();
  const lost = [{ state: 'undeliverable', reason: 'not_taken' }];
  expect(await codes()).toMatchObject(lost);
  answer({ providerId: 'late' });
  await asking;
  expect(await codes()).toMatchObject(lost);
});

test('a code is in the language of the page', async () => {
  const page = await pages.flow('pin_reset', ana.customerId);
  await page.ask('/code', {}, { 'accept-language': 'es' });
  expect(sent.at(-1)).toMatchObject({
    locale: 'es',
    rendered: {
      short: '000000 es su código para Test Tenant. Sirve 10 minutos. No se lo dé a nadie.',
    },
  });
});

test('the code stands nowhere in the row, and no address does once it is over', async () => {
  const page = await pages.flow('pin_reset', ana.customerId);
  await page.ask('/code', {});
  await told();
  const rows = await engine.query<{ text: string }>(
    'select m::text as text from customer_messages m where tenant_id = $1 and customer_id = $2',
    uuid('customer', ana.customerId),
  );
  expect(rows).toHaveLength(3);
  expect(
    rows.filter(({ text }) => /"?000000"?,|@example|2025/.test(text.replace('•••@', ''))),
  ).toEqual([]);
});
