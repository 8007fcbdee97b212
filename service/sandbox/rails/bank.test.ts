import { expect, test } from 'vitest';
import { uuid } from '../../../test/kit/ids.ts';
import { openServer } from '../../../test/kit/server.ts';

/** The sandbox's bank is a provider: what it says is kept, with what came of it (rules/sandbox#51). */

/** The service's real time, which passes only when a test moves it. */
let nowMs = Date.now();
const server = await openServer({ manual: true, realNow: () => nowMs, onLog: () => {} });
const { api, engine } = server;
const { tenantId } = server.tenant;
const ana = await api.funded('individual', 500_00);
const amount = 50_00;

interface Kept {
  readonly provider: string;
  readonly message_id: string;
  readonly state: string;
  readonly result: string;
  readonly said: boolean;
}

const keptOf = (record: string) =>
  engine.query<Kept>(
    `select provider, message_id, state, result, said_sealed is not null as said from rail_messages
     where tenant_id = $1 and record = $2 order by id`,
    record,
  );
const orderOf = async (kind: 'load' | 'withdrawal', id: string): Promise<string> =>
  (
    await engine.query<{ id: string }>(
      'select id from instructions where tenant_id = $1 and source_id = $2',
      uuid(kind, id),
    )
  )[0]?.id ?? '';

const make = {
  load: () => api.load(ana, amount),
  withdrawal: () => api.withdraw(ana, amount),
};
const said = { provider: 'sandbox-bank', said: true };

test.each([
  ['load', ['load.settled'], [['settled', 'taken', 'taken']]],
  [
    'load',
    ['load.failed', 'load.paid_late'],
    [
      ['failed', 'taken', 'taken'],
      ['settled', 'taken', 'late'],
    ],
  ],
  ['withdrawal', ['withdrawal.failed'], [['failed', 'taken', 'taken']]],
  [
    'withdrawal',
    ['withdrawal.settled', 'withdrawal.returned'],
    [
      ['settled', 'taken', 'taken'],
      ['returned', 'taken', 'taken'],
    ],
  ],
] as const)('what simulate says of a %s by %j is kept', async (kind, events, kept) => {
  const { id } = await api.played(api.confirmed(make[kind]()), ...events);
  const order = await orderOf(kind, String(id));
  expect(await keptOf(order)).toEqual(
    kept.map(([word, state, result]) => ({
      ...said,
      message_id: `${word} ${order}`,
      state,
      result,
    })),
  );
});

test('what it says is counted once it is kept, like the messages of other providers', async () => {
  const counted = async () =>
    (await server.service.meters.railMessages.get()).values.find(
      ({ labels }) => labels.provider === 'sandbox-bank' && labels.state === 'taken',
    )?.value ?? 0;
  const { id } = await api.confirmed(make.load());
  const before = await counted();
  await expect(api.simulate('withdrawal.settled', String(id))).rejects.toThrow();
  expect(await counted()).toBe(before);
  await api.simulate('load.settled', String(id));
  expect(await counted()).toBe(before + 1);
});

test('money that nobody ordered, and a request to give money back, are kept as what they did', async () => {
  const { id } = await api.played(api.confirmed(make.load()), 'load.settled');
  await api.simulate('bank.return_requested', String(id));
  await api.simulate('bank.money_received', ana.customerId);
  const rows = await engine.query<Kept>(
    `select result from rail_messages where tenant_id = $1 and message_id like 'sandbox-%' order by id`,
  );
  expect(rows.map(({ result }) => result)).toEqual(['taken', 'unmatched']);
});

test('a simulation that is refused says nothing', async () => {
  const { id } = await api.played(api.confirmed(make.load()), 'load.settled');
  const order = await orderOf('load', String(id));
  await expect(api.simulate('load.failed', String(id))).rejects.toThrow('invalid_state');
  expect(await keptOf(order)).toHaveLength(1);
});

test('what automatic mode answers is kept, and what simulate has answered is not answered again', async () => {
  await engine.change({ sandbox_mode: 'automatic' });
  const waits = await api.confirmed(make.load());
  const answered = await api.played(api.confirmed(make.load()), 'load.failed');
  await server.runJobs();
  nowMs += 6_000;
  await server.runJobs();
  await engine.change({ sandbox_mode: 'manual' });
  const [settled, failed] = [
    await orderOf('load', String(waits.id)),
    await orderOf('load', String(answered.id)),
  ];
  expect(await keptOf(settled)).toEqual([
    { ...said, message_id: `settled ${settled}`, state: 'taken', result: 'taken' },
  ]);
  expect((await keptOf(failed)).map(({ message_id }) => message_id)).toEqual([`failed ${failed}`]);
});

test('an order that it is asked to cancel is cancelled at once, and the message closes it', async () => {
  const { id } = await api.confirmed(make.load());
  await api.advance(86_400);
  const order = await orderOf('load', String(id));
  expect(await keptOf(order)).toEqual([
    { ...said, message_id: `cancelled ${order}`, state: 'taken', result: 'taken' },
  ]);
  const { bank_order } = await api.get(`/portal/api/records/${id}`);
  expect(bank_order).toMatchObject({ status: 'closed', word: 'cancelled' });
});

test('it knows an order that it has answered, and none that it was not given', async () => {
  const { id } = await api.played(api.confirmed(make.load()), 'load.settled');
  const { bank } = server.rails;
  const asked = (order: string) => bank.query?.({ tenantId, id: order, providerId: null });
  expect(await asked(await orderOf('load', String(id)))).toEqual({ known: true });
  expect(await asked(crypto.randomUUID())).toEqual({ known: false });
});
