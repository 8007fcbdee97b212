import { expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import { openServer } from '../../test/kit/server.ts';
import { openInbound } from './inbound.ts';

/** Late money that the setting `late_money` credits (rules/bank-orders#20). */

const server = await openServer({ manual: true, onLog: () => {}, bank: { take: async () => {} } });
const { api, engine } = server;
const inbound = openInbound({ ...server.service, asks: false });

test.each([
  ['credit', 'taken', ['email', 'mobile']],
  ['hold', 'late', []],
] as const)(
  'late money by the setting %s: its customer is notified where it is credited, and else not',
  async (late_money, result, channels) => {
    await engine.change({ late_money });
    const ana = await api.banked('individual');
    const { id } = await api.played(api.confirmed(api.load(ana, 50_00)), 'load.failed');
    const [order] = await engine.query(
      'select id from instructions where tenant_id = $1 and source_id = $2',
      uuid('load', id),
    );
    const fact = { id: crypto.randomUUID(), orderId: order.id, amount: 50_00 };
    expect(await inbound.bank(server.tenant.tenantId, { ...fact, outcome: 'settled' })).toBe(
      result,
    );
    const told = await engine.query(
      `select kind, channel, facts from customer_messages where tenant_id = $1 and customer_id = $2
       order by channel`,
      uuid('customer', ana.customerId),
    );
    expect(told.filter(({ kind }) => kind === 'late_credit')).toMatchObject(
      channels.map((channel) => ({ channel, facts: '{"amount":5000}' })),
    );
  },
);
