import { everyUse, firstUses, requestUses } from '@tenant-payments/contract/core/request_uses.ts';
import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import { beforeEach, expect, test } from 'vitest';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import type { Person } from '../../test/kit/person.ts';
import { refusalOf } from '../../test/kit/refusal.ts';
import { openServer, startTestServer } from '../../test/kit/server.ts';
import { openRequestWatch } from '../jobs/request_watch.ts';
import { concerns } from '../resources/request_volumes.ts';
import type { BankInstruction } from './bank.ts';

/** The uses for which a bank permits a Request for Payment, and how requests go (rules/request-uses). */

let taken: BankInstruction[] = [];
const server = await openServer({
  manual: true,
  bank: { take: async (order) => void taken.push(order) },
});
const { api, engine, service } = server;
const { tenantId } = server.tenant;

const ana = await api.funded('individual', 900_00);
const [cafe, shop] = [await api.banked('business'), await api.banked('business')];
beforeEach(async () => {
  taken = [];
  await engine.change({ request_uses: everyUse });
});

const load = (who: Person): Promise<ReplyBody> =>
  api.post('/v1/loads', { customer_id: who.customerId, amount: 10_00 });
const pay = (payer: Person, payee: Person, invoice_reference?: string): Promise<ReplyBody> =>
  api.post('/v1/payments', {
    payer_customer_id: payer.customerId,
    payee_customer_id: payee.customerId,
    source: 'bank_account',
    amount: 10_00,
    ...(invoice_reference && { invoice_reference }),
  });

const requests: readonly [(typeof requestUses)[number], () => Promise<ReplyBody>][] = [
  ['account_to_account', () => load(ana)],
  ['consumer_bill', () => pay(ana, cafe, 'INV-1')],
  ['business', () => pay(shop, cafe, 'INV-2')],
  ['purchase', () => pay(ana, cafe)],
];

test.each(requests)(
  'a request for %s tells the bank its use and the permitted networks',
  async (use, make) => {
    await engine.change({
      request_uses: { ...everyUse, [use]: { networks: ['fednow'], agreement: 'a letter' } },
    });
    await api.confirmed(make());
    expect(taken).toMatchObject([{ request: { useCase: use, networks: ['fednow'] } }]);
  },
);

test('a transfer tells no use', async () => {
  await api.confirmed(api.post('/v1/withdrawals', { customer_id: ana.customerId, amount: 10_00 }));
  expect(taken).toMatchObject([{ kind: 'credit_transfer', request: null }]);
});

test.each(requests)(
  '%s is refused where the bank has not permitted it, and the others go on',
  async (use, make) => {
    const none = { networks: [], agreement: null };
    await engine.change({ request_uses: { ...everyUse, [use]: none } });
    expect(await refusalOf(make())).toMatchObject({
      code: 'flow_not_enabled',
      details: { flow: use === 'account_to_account' ? 'loads' : 'payments_bank', use_case: use },
    });
    for (const [other, makeOther] of requests) if (other !== use) await makeOther();
  },
);

test('what was confirmed before a permission was taken away is handed over without a network', async () => {
  const before = await load(ana);
  await engine.change({
    request_uses: { ...everyUse, account_to_account: { networks: [], agreement: null } },
  });
  await api.confirmed(before);
  expect(taken).toMatchObject([{ request: { useCase: 'account_to_account', networks: [] } }]);
});

test('a Tenant of production begins with loads alone', async () => {
  const production = await startTestServer({ environment: 'production' });
  const { rows } = await production.service.pool.query(
    'select settings from tenants where tenant_id = $1',
    [production.tenant.tenantId],
  );
  await production.stop();
  expect(rows[0].settings.request_uses).toEqual(firstUses);
  expect(rows[0].settings.flows).toEqual({ ...defaultSettings('x').flows, payments_bank: false });
});

test('requests of a time are counted by use, and by how they ended', async () => {
  const volumes = async () => {
    const { uses } = await api.get('/portal/api/request-volumes?days=1');
    return uses;
  };
  const before = await volumes();
  const ended = async (event: string, made: Promise<ReplyBody>, failure_code?: string) => {
    const { id } = await made;
    await api.confirmed({ id });
    await api.simulate(event, id, failure_code);
  };
  await ended('load.settled', load(ana));
  // Such a bank account is asked no more.
  await ended('load.failed', load(await api.banked('individual')), 'customer_opted_out');
  await ended('load.failed', load(ana), 'account_closed');
  await ended('payment.failed', pay(ana, cafe, 'INV-3'), 'request_expired');
  await ended('payment.completed', pay(ana, cafe));
  await api.confirmed(pay(ana, cafe));
  // The request never reached the bank.
  await pay(shop, cafe, 'INV-4');
  const after = await volumes();
  const more = after.map((use: ReplyBody, index: number) =>
    Object.entries(use).flatMap(([name, count]) =>
      name === 'use_case' || count === before[index][name]
        ? []
        : [[name, Number(count) - before[index][name]]],
    ),
  );
  expect(after.map(({ use_case }: ReplyBody) => use_case)).toEqual(requestUses);
  expect(more.map((each: [string, number][]) => Object.fromEntries(each))).toEqual([
    { sent: 3, paid: 1, refused: 1, opted_out: 1 },
    { sent: 1, expired: 1 },
    {},
    { sent: 2, paid: 1 },
  ]);
});

test.each([
  [{ sent: 49, paid: 0, refused: 49, opted_out: 0, expired: 0 }, []],
  [{ sent: 50, paid: 40, refused: 10, opted_out: 0, expired: 0 }, []],
  [{ sent: 50, paid: 39, refused: 11, opted_out: 0, expired: 0 }, ['refused']],
  [{ sent: 100, paid: 99, refused: 0, opted_out: 1, expired: 0 }, []],
  [{ sent: 100, paid: 98, refused: 0, opted_out: 2, expired: 0 }, ['opted_out']],
  [{ sent: 100, paid: 0, refused: 0, opted_out: 0, expired: 100 }, []],
])('of a day with %o a person must look at %o', (counts, found) => {
  expect(concerns([counts])).toEqual(found);
});

test('the night tells of a Tenant whose customers refuse many requests, and of no other', async () => {
  const lines: object[] = [];
  const log = Object.assign(Object.create(service.log), {
    error: (facts: object) => lines.push(facts),
  });
  const requests = openRequestWatch({ ...service, log });
  const watch = () => requests.watch(tenantId);
  await watch();
  expect(lines).toEqual([]);
  for (let count = 0; count < 50; count += 1) {
    const { id } = await load(ana);
    await api.confirmed({ id });
    await api.simulate('load.failed', id, 'account_closed');
  }
  await watch();
  const concerned = {
    alarm: 'request_volume',
    tenant_id: tenantId,
    concerns: ['refused', 'opted_out'],
  };
  expect(lines).toMatchObject([concerned]);
  requests.show();
  const { values } = await service.meters.paymentRequests.get();
  const ours = values.filter(({ labels }) => labels.tenant === tenantId);
  expect(ours.find(({ labels }) => labels.result === 'sent')?.value).toBeGreaterThanOrEqual(50);
  expect(ours.map(({ labels }) => labels.result)).toEqual([
    'sent',
    'paid',
    'refused',
    'opted_out',
    'expired',
  ]);
  await api.advance(2 * 86_400);
  await watch();
  expect(lines).toHaveLength(1);
});
