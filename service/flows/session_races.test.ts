import type { TargetType } from '@tenant-payments/contract/resources/sessions.ts';
import { command } from '@tenant-payments/engine/command.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { beforeEach, expect, test } from 'vitest';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { uuid } from '../../test/kit/ids.ts';
import type { Person } from '../../test/kit/person.ts';
import { openServer } from '../../test/kit/server.ts';
import { endLoad, loadOpenLoad } from '../resources/loads/moves.ts';
import { endPayment, loadOpenPayment } from '../resources/payments/moves.ts';
import { failRefund, loadRefund } from '../resources/refunds/moves.ts';
import { endWithdrawal, loadOpenWithdrawal } from '../resources/withdrawals/moves.ts';
import { createSession } from './create_session.ts';
import { deadlineJobOf } from './end_session.ts';

/** Commands on the session of one record or customer, in one batch: all read before the first is decided. */

let ana: Person;
let shop: Person;
const server = await openServer({ manual: true });
const { api, engine } = server;
beforeEach(async () => {
  ana = await api.funded('individual', 100_00);
  shop = await api.banked('business');
});

const records: Readonly<Record<TargetType, () => Promise<ReplyBody>>> = {
  payment: () => api.pay(ana, shop, 10_00),
  load: () => api.load(ana, 5_00),
  withdrawal: () => api.withdraw(ana, 5_00),
  refund: async () => api.refund(await api.confirmed(api.pay(ana, shop, 10_00)), 4_00),
};
const types = Object.keys(records) as TargetType[];
const customerOf = (type: TargetType) => (type === 'refund' ? shop : ana).customerId;

const ending = <Rows>(
  load: (read: Read, id: string) => Promise<Rows>,
  end: (work: Work, rows: Rows) => unknown,
) =>
  command('end', {
    load: async (read, { ref }: { ref: string }) => {
      const rows = await load(read, ref);
      return (work: Work) => end(work, rows);
    },
    decide: (work, act) => {
      act(work);
      return { value: null };
    },
  });

const ends = {
  payment: ending(loadOpenPayment, (work, rows) => endPayment(work, rows, 'withdraw', null)),
  load: ending(loadOpenLoad, (work, rows) => endLoad(work, rows, 'refuse', 'account_restricted')),
  withdrawal: ending(loadOpenWithdrawal, (work, rows) =>
    endWithdrawal(work, rows, 'refuse', 'account_restricted'),
  ),
  refund: ending(loadRefund, (work, rows) =>
    failRefund(work, rows, 'refuse', 'account_restricted'),
  ),
} as const;

const open = (type: TargetType, { id }: ReplyBody) =>
  engine.run(createSession, {
    flow: 'payment_confirm',
    customer_id: customerOf(type),
    target: { type, id },
  });
const statusOf = async ({ id }: ReplyBody) => (await api.get(`/v1/sessions/${id}`)).status;

test.each(types)('of two sessions asked for a %s at once the later one lives', async (type) => {
  const record = await records[type]();
  const [first, second] = await Promise.all([open(type, record), open(type, record)]);
  expect([
    await statusOf(record.confirmation_session),
    await statusOf(first),
    await statusOf(second),
  ]).toEqual(['canceled', 'canceled', 'created']);
});

test.each(types)(
  'the session that is opened while a %s is ended does not outlive it',
  async (type) => {
    const record = await records[type]();
    const ref = uuid(type, record.id);
    const [opened] = await Promise.all([open(type, record), engine.run(ends[type], { ref })]);
    expect(await statusOf(opened)).toBe('canceled');
  },
);

test.each(types)(
  'a session that is opened as the deadline of a %s is reached keeps the record',
  async (type) => {
    const record = await records[type]();
    await api.simulate('session.canceled', record.confirmation_session.id);
    const ref = uuid(type, record.id);
    const [opened] = await Promise.all([
      open(type, record),
      engine.run(deadlineJobOf(type), { ref }),
    ]);
    expect(await statusOf(opened)).toBe('created');
    const query = `select status from ${type}s where tenant_id = $1 and id = $2`;
    const [{ status } = {}] = await engine.query(query, ref);
    expect(status).toBe(type === 'refund' ? 'requested' : 'requires_confirmation');
  },
);

test.each(['pin_reset', 'contact_change', 'terms_acceptance'] as const)(
  'of two sessions %s asked for at once the later one lives',
  async (flow) => {
    const { customerId: customer_id } = ana;
    const both = () =>
      Promise.all([1, 2].map(() => engine.run(createSession, { flow, customer_id })));
    const statuses = async (opened: readonly ReplyBody[]) => Promise.all(opened.map(statusOf));
    const before = await both();
    expect(await statuses(before)).toEqual(['canceled', 'created']);
    const after = await both();
    expect(await statuses([...before, ...after])).toEqual([
      'canceled',
      'canceled',
      'canceled',
      'created',
    ]);
  },
);
