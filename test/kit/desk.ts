import { randomUUID } from 'node:crypto';
import type { DeskResource } from '@tenant-payments/backoffice/contract/operate/desk.ts';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { openInbound } from '../../service/inbound/inbound.ts';
import type { BankOutcome } from '../../service/rails/facts.ts';
import type { StaffCase } from './approvals.ts';
import type { Reply } from './http/http.ts';
import { uuid } from './ids.ts';
import { writtenInVain } from './messages/bounced_letter.ts';
import type { PortalPerson } from './people.ts';
import type { TestServer } from './server.ts';

/** A customer whom a reviewer must decide on. */
export async function customerInReview({ api }: StaffCase): Promise<string> {
  const made = api.customer('individual');
  return (await api.played(made, 'customer.pending', 'customer.in_review')).id;
}

/** A notice about a payment of these cents. */
export async function newDispute(
  { api, engine }: StaffCase,
  cents = 10_00,
  what: object = {},
): Promise<string> {
  await engine.change({ confirmation_grace_seconds: 0 });
  const ana = await api.funded('individual', cents);
  const shop = await api.banked('business', 'savings');
  const payment = await api.confirmed(api.pay(ana, shop, cents));
  return (await api.dispute(ana, { payment_id: payment.id, ...what })).id;
}

/** Money that was paid after its load had failed. */
export async function lateMoney({
  api,
  engine,
}: Pick<StaffCase, 'api' | 'engine'>): Promise<string> {
  const ana = await api.banked('individual');
  const load = await api.confirmed(api.load(ana, 12_00));
  await api.simulate('load.failed', load.id);
  await api.simulate('load.paid_late', load.id);
  const [item] = await engine.query(
    'select id from suspense where tenant_id = $1 and source_id = $2',
    uuid('load', load.id),
  );
  return publicId('adjustment', item.id);
}

/** A settled load whose bank asks for the money back. */
async function returnRequest({ api, engine }: StaffCase): Promise<string> {
  const load = await api.confirmed(api.load(await api.banked('individual'), 4_00));
  await api.simulate('load.settled', load.id);
  await api.simulate('bank.return_requested', load.id);
  const [row] = await engine.query(
    'select id from return_requests where tenant_id = $1 and source_id = $2',
    uuid('load', load.id),
  );
  return publicId('return_request', row.id);
}

/** The letter of a dispute that bounced. */
async function notice({ api, engine }: StaffCase): Promise<string> {
  const { id } = await writtenInVain(api);
  const [row] = await engine.query(
    'select id from notices where tenant_id = $1 and source_id = $2',
    uuid('dispute', id),
  );
  return publicId('notice', row.id);
}

/** A word of the bank on the order of a record, with its message for the reviewer. */
async function contradicted(
  { service }: TestServer,
  { engine }: Pick<StaffCase, 'engine'>,
  source: string,
  answer: BankOutcome,
): Promise<string> {
  const idIn = async (table: string): Promise<string> =>
    (
      await engine.query(`select id from ${table} where tenant_id = $1 and source_id = $2`, source)
    )[0].id;
  const log = Object.assign(Object.create(service.log), { error: () => {} });
  const fact = { id: randomUUID(), orderId: await idIn('instructions'), ...answer };
  await openInbound({ engine: service.engine, log, asks: false }).bank(engine.tenantId, fact);
  return publicId('bank_message', await idIn('bank_messages'));
}

/** A load that the bank paid and then reported as failed. */
async function bankMessage(server: TestServer, of: StaffCase): Promise<string> {
  const { api } = of;
  const load = await api.confirmed(api.load(await api.banked('individual'), 3_00));
  await api.simulate('load.settled', load.id);
  return contradicted(server, of, uuid('load', load.id), { outcome: 'failed', reason: 'AC04' });
}

/** A withdrawal of $3.00 that the bank had reported as failed, and then executed. */
export async function executedAfterFailing(
  server: TestServer,
  of: Pick<StaffCase, 'api' | 'engine'>,
): Promise<string> {
  const { api } = of;
  const made = await api.confirmed(api.withdraw(await api.funded('individual', 5_00), 3_00));
  await api.simulate('withdrawal.failed', made.id);
  const answer = { outcome: 'settled', amount: 3_00 } as const;
  return contradicted(server, of, uuid('withdrawal', made.id), answer);
}

async function owner({ api }: StaffCase): Promise<string> {
  const { id } = await api.applied('business');
  const { data } = await api.get(`/v1/customers/${id}/owners`);
  await api.simulate('owner.in_review', data[0].id);
  return data[0].id;
}

async function heldLink({ api }: StaffCase): Promise<string> {
  const { customerId } = await api.approved('individual');
  const body = { public_token: 'public-sandbox-review' };
  const link = await api.post(`/v1/customers/${customerId}/linked-accounts`, body);
  await api.simulate('linked_account.held_for_review', link.id);
  return link.id;
}

async function closing({ api }: StaffCase): Promise<string> {
  const person = await api.approved('individual');
  await api.close(person);
  return person.accountId;
}

const funding = { resource: 'reserve', id: 'reserve', move: 'fund', amount: 5_00, note: 'more' };

/** A case of a resource: what makes one, and what two people of staff, or the outside, do so that it leaves. */
interface Staged {
  readonly make: (of: StaffCase) => Promise<string>;
  readonly leave: (of: StaffCase, id: string, by: readonly [PortalPerson, PortalPerson]) => Left;
}
type Left = Promise<Pick<Reply, 'status' | 'body'>>;

const byMove =
  (path: string): Staged['leave'] =>
  (of, id, [, by]) =>
    of.send(by, 'POST', path.replace(':id', id), {});

const byTwo: Staged['leave'] = async (of, id, [maker, approver]) => {
  const body = { resource: 'suspense', id, move: 'return', note: 'unknown' };
  const made = await of.send(maker, 'POST', '/approvals', body);
  return of.send(approver, 'POST', `/approvals/${made.body.id}/approve`, {});
};

export const stagedCases = (server: TestServer): Readonly<Record<DeskResource, Staged>> => ({
  customers: { make: customerInReview, leave: byMove('/review/customers/:id/approve') },
  owners: { make: owner, leave: byMove('/review/owners/:id/approve') },
  'linked-accounts': { make: heldLink, leave: byMove('/review/linked-accounts/:id/verify') },
  accounts: {
    make: closing,
    leave: async ({ api }, id) => ({
      status: 200,
      body: await api.simulate('account.closed', id),
    }),
  },
  disputes: {
    make: (of) => newDispute(of),
    leave: byMove('/review/disputes/:id/resolve_approved'),
  },
  suspense: { make: lateMoney, leave: byTwo },
  notices: {
    make: notice,
    leave: (of, id, [, by]) =>
      of.send(by, 'POST', `/review/notices/${id}/give`, { finding: 'by post' }),
  },
  'bank-messages': {
    make: (of) => bankMessage(server, of),
    leave: byMove('/review/bank-messages/:id/close'),
  },
  'return-requests': {
    make: returnRequest,
    leave: (of, id, [, by]) =>
      of.send(by, 'POST', `/review/return-requests/${id}/refuse`, { finding: 'the money is gone' }),
  },
  approvals: {
    make: async ({ api }) => (await api.post('/portal/api/approvals', funding)).id,
    leave: byMove('/approvals/:id/refuse'),
  },
});
