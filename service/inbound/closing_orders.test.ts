import { beforeEach, expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import { openServer } from '../../test/kit/server.ts';
import type { Bank } from '../rails/bank.ts';
import type { BankOutcome } from '../rails/facts.ts';
import { openInbound } from './inbound.ts';

/** A bank that can be asked says the last word of a closing order, also where its message was lost (rules/bank-orders#19). */

let asked: string[] = [];
let known = true;
/** The bank's answer when it is asked. */
let tells: BankOutcome | null = null;

const bank: Bank = {
  can: { cancel: true, query: true },
  take: async () => {},
  cancel: async ({ id }) => void asked.push(`cancel ${id}`),
  async query({ tenantId, id }) {
    asked.push(`query ${id}`);
    if (known && tells) await inbound.bank(tenantId, { id: `stands ${id}`, orderId: id, ...tells });
    return { known };
  },
};
const server = await openServer({ manual: true, bank, onLog: () => {} });
const { api, engine, service } = server;
const inbound = openInbound({ ...service, asks: true });
const ana = await api.banked('individual');

beforeEach(() => {
  asked = [];
  known = true;
  tells = null;
});

const amount = 50_00;
const minute = 60;
const day = 86_400;

/** The load of a request whose time has just passed. */
async function expired() {
  const record = await api.confirmed(api.load(ana, amount));
  await server.runJobs();
  const [order] = await engine.query<{ id: string }>(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    uuid('load', record.id),
  );
  await api.advance(day);
  asked = [];
  return { id: String(record.id), orderId: order?.id ?? '' };
}

const atBank = async (id: string) => (await api.get(`/portal/api/records/${id}`)).bank_order;

test.each([
  ['cancelled', { outcome: 'cancelled' }],
  ['failed', { outcome: 'failed', reason: 'AEXR' }],
  ['settled', { outcome: 'settled', amount }],
  ['settled', { outcome: 'settled', amount: amount + 1 }],
] as const)(
  'an order that is closing is asked about, and closed by the answer %s',
  async (word, said) => {
    const { id, orderId } = await expired();
    expect(await atBank(id)).toMatchObject({ status: 'closing', cancel: 'asked' });
    tells = said;
    await api.advance(minute);
    expect(asked).toEqual([`query ${orderId}`]);
    expect(await atBank(id)).toMatchObject({ status: 'closed', word, asked_at: null });
    expect(await engine.jobs(orderId)).toEqual([]);
    expect((await api.get(`/v1/loads/${id}`)).status).toBe('failed');
  },
);

test('an order that is closing and that the bank does not have is closed', async () => {
  const { id, orderId } = await expired();
  known = false;
  await api.advance(minute);
  expect(await atBank(id)).toMatchObject({ status: 'closed', word: 'cancelled' });
  expect(await engine.jobs(orderId)).toEqual([]);
});

test('a bank that does not say its last word is asked again with longer pauses, until it does', async () => {
  const { id, orderId } = await expired();
  await api.advance(day);
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.length).toBeLessThan(40);
  expect(await atBank(id)).toMatchObject({ status: 'closing' });
  await inbound.bank(server.tenant.tenantId, {
    id: crypto.randomUUID(),
    orderId,
    outcome: 'cancelled',
  });
  asked = [];
  await api.advance(day);
  expect([asked, await engine.jobs(orderId)]).toEqual([[], []]);
});

test('an order whose last word came in time is not asked about', async () => {
  const { orderId } = await expired();
  await inbound.bank(server.tenant.tenantId, {
    id: crypto.randomUUID(),
    orderId,
    outcome: 'cancelled',
  });
  await api.advance(day);
  expect(asked).toEqual([]);
});
