import { reviewMoves } from '@tenant-payments/backoffice/contract/operate/review.ts';
import { moveRows } from '@tenant-payments/contract/lifecycles.ts';
import { expect, test } from 'vitest';
import type { Reply } from '../kit/http/http.ts';
import { openServer } from '../kit/server.ts';
import type { Held } from './moves/attempts.ts';
import { madeIn, statesOf } from './moves/states.ts';
import { playable, playScenario } from './scenario.ts';
import { shown } from './shown.ts';

/** A reviewer's move can be simulated too: the same command, so the same refusal and record. */

const server = await openServer({ manual: true, tenant: { rateLimit: 10_000_000 } });
await server.api.settings(playable);
const s = await playScenario(server.baseUrl, server.token);
const { api } = s;

const tables = {
  customers: 'customer',
  owners: 'owner',
  'linked-accounts': 'linked_account',
  accounts: 'account',
  disputes: 'dispute',
} as const;
type Resource = keyof typeof tables;
type Table = (typeof tables)[Resource];

/** Names of rows where they differ from the reviewer's move. */
const rowNames: Readonly<Record<string, string>> = {
  'linked-accounts verify': 'review_verify',
  'linked-accounts reject': 'review_reject',
};
/** The bodies that both doors take, so that they decide the same. */
const bodies: Readonly<Record<string, readonly [door: object, simulated: object]>> = {
  'linked-accounts reject': [
    { failure_code: 'review_rejected' },
    { failure_code: 'review_rejected' },
  ],
  // Half of what remains of 1.00.
  'disputes resolve_partial': [{ amount: 50, finding: 'A part of it' }, {}],
  'disputes resolve_denied': [{ finding: 'It was not' }, {}],
  'disputes reopen': [{ note: 'New evidence' }, {}],
  // As the simulation does of an unauthorized transfer.
  'disputes classify': [{ handled_as: 'purchase_dispute', note: 'It is one' }, {}],
};

const doors = (Object.keys(tables) as Resource[]).flatMap((resource) =>
  reviewMoves[resource].flatMap((move) => {
    const name = rowNames[`${resource} ${move}`] ?? move;
    const row = moveRows.find((one) => one.resource === tables[resource] && one.name === name);
    return row?.move.simulate ? [[resource, move, row.move.simulate] as const] : [];
  }),
);

const business = async (...events: string[]) =>
  api.played(api.customer('business'), ...events).then(({ id }) => ({ id, customerId: id }));
async function linked(bank: string, ...events: string[]) {
  const { customerId } = await api.approved('individual');
  const body = { public_token: `public-sandbox-${bank}` };
  const link = api.post(`/v1/customers/${customerId}/linked-accounts`, body);
  return { id: (await api.played(link, ...events)).id, customerId };
}
async function doubted() {
  const { customerId, accountId } = await api.approved('individual');
  await api.simulate('customer.in_review', customerId);
  return { id: accountId, customerId };
}
async function secondNotice(...events: string[]) {
  const { id: payment_id } = await api.confirmed(api.pay(s.payer, s.shop, 1_00));
  await api.dispute(s.payer, { payment_id });
  const { id } = await api.played(api.dispute(s.payer, { payment_id }), ...events);
  return { id, customerId: s.payer.customerId };
}

/** Records whose refusal has a reason beside the status. */
const special: Readonly<Partial<Record<Table, readonly (() => Promise<Held>)[]>>> = {
  customer: [business, () => business('customer.pending', 'customer.in_review')],
  linked_account: [
    () => linked('no_rtp', 'linked_account.held_for_review'),
    () => linked('no_rtp', 'linked_account.failed'),
    () => madeIn(s, 'linked_account', 'verified', true),
  ],
  account: [doubted],
  dispute: [secondNotice, () => secondNotice('dispute.investigating')],
};

/** Without what differs between any two records. */
const plain = (value: unknown) =>
  JSON.stringify(value, (key, inner) =>
    /(^id|_id|_at|_until|_ref|_last4)$/.test(key) && inner !== null ? '*' : inner,
  );
const refusal = ({ status, body: { error } }: Reply) =>
  status < 300 ? null : plain({ ...error, request_id: null });

test.each(doors)('%s %s is refused and made as %s', async (resource, move, event) => {
  const table: Table = tables[resource];
  const [atDoor, simulated] = bodies[`${resource} ${move}`] ?? [{}, {}];
  const rows = moveRows.filter((row) => row.resource === table && row.move.simulate === event);
  const others = rows.filter(({ move: { by } }) => ![by].flat().includes('reviewer'));
  const compare = async (make: () => Promise<Held>) => {
    const one = await make();
    const path = `/portal/api/review/${resource}/${one.id}/${move}`;
    const door = await api.call('POST', path, { body: atDoor });
    const { reason, current_status } = door.body.error?.details ?? {};
    // The event plays another actor here, by a row of the state table.
    if (reason === 'not_the_reviewers')
      return expect(others.flatMap((row) => row.move.from)).toContain(current_status);
    const two = door.status < 300 ? await make() : one;
    const body = { object_id: two.id, ...simulated };
    const reply = await api.call('POST', `/v1/sandbox/simulate/${event}`, { body });
    expect(refusal(reply)).toBe(refusal(door));
    expect(plain(await shown(s, table, two))).toBe(plain(await shown(s, table, one)));
  };
  const states = statesOf(table).map((state) => () => madeIn(s, table, state));
  for (const make of [...states, ...(special[table] ?? [])]) await compare(make);
});

test('every move that both doors have is compared', () => {
  expect(doors).toHaveLength(19);
});
