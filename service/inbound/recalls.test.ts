import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import { openServer } from '../../test/kit/server.ts';
import { openInbound } from './inbound.ts';

/** Requests of other banks about a load that was paid twice (rules/received-money#7). */

const server = await openServer({ manual: true });
const { api, engine } = server;
const { tenantId } = server.tenant;
const inbound = openInbound({ ...server.service, asks: false });
const amount = 40_00;

const requested = async (of: string): Promise<string> => {
  const { now } = await api.get('/portal/api/clock');
  const answerBy = new Date(Date.parse(now) + 3 * 86_400_000).toISOString();
  const returnRequest = { of, amount, reason: 'FRAD', text: null, answerBy };
  await inbound.bank(tenantId, { id: crypto.randomUUID(), returnRequest });
  const [row] = await engine.query(
    'select id from return_requests where tenant_id = $1 order by id desc limit 1',
  );
  return publicId('return_request', row.id);
};
const accept = (id: string) => api.post(`/portal/api/review/return-requests/${id}/accept`, {});

test('the second payment of a load goes back from suspense, and the load itself can be recalled after it', async () => {
  const ana = await api.banked('individual');
  const load = await api.confirmed(api.load(ana, amount));
  await api.simulate('load.settled', load.id);
  const [order] = await engine.query(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    uuid('load', load.id),
  );
  await api.simulate('bank.money_received', load.id);
  const [second] = await engine.query(
    'select provider_id from received_money where tenant_id = $1',
  );
  const duplicate = await requested(second.provider_id);
  expect(await accept(duplicate)).toMatchObject({ accepted_amount: amount });
  expect(await api.balance(ana)).toMatchObject({ available: amount });
  expect(await accept(await requested(order.id))).toMatchObject({ accepted_amount: amount });
  expect(await api.balance(ana)).toMatchObject({ available: 0 });
  await server.prove();
});
