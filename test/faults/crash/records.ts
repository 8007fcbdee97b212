import type { IdKind } from '../../../contract/core/ids.ts';
import { openInbound } from '../../../service/inbound/inbound.ts';
import type { BankOutcome } from '../../../service/rails/facts.ts';
import { inviteOwner } from '../../../service/resources/customers/owners/invitations.ts';
import type { Api } from '../../kit/api.ts';
import type { ReplyBody } from '../../kit/http/http.ts';
import { uuid } from '../../kit/ids.ts';
import { writtenInVain } from '../../kit/messages/bounced_letter.ts';
import type { Person } from '../../kit/person.ts';
import type { TestServer } from '../../kit/server.ts';

/** A Tenant's server that makes records ready, in a process that is not killed. */
export interface Setup extends Api {
  readonly server: TestServer;
  /** An individual with a bank and money. */
  readonly payer: Person;
  /** A business with a bank and money. */
  readonly shop: Person;
}

type Made = Promise<ReplyBody>;

export async function openSetup(server: TestServer): Promise<Setup> {
  const { api } = server;
  const [payer, shop] = await Promise.all([
    api.funded('individual', 3_000_00),
    api.banked('business'),
  ]);
  await api.confirmed(api.pay(payer, shop, 200_00));
  // Each event has a delivery there, which is counted as its other rows are; nothing is sent.
  await api.post('/portal/api/webhook-endpoints', {
    name: 'Books',
    url: 'http://127.0.0.1:9/webhooks',
  });
  return { ...api, server, payer, shop };
}

export const load = (s: Setup): Made => s.load(s.payer, 1_00);
export const payment = (s: Setup): Made => s.pay(s.payer, s.shop, 40);
export const paymentByBank = (s: Setup): Made => s.payByBank(s.payer, s.shop, 40);
export const withdrawal = (s: Setup): Made => s.withdraw(s.payer, 1_00);

export const dispute = async (s: Setup): Made =>
  s.dispute(s.payer, { payment_id: (await s.confirmed(payment(s))).id });

export const customer = async (s: Setup): Made => ({
  id: (await s.approved('individual')).customerId,
});
export const account = async (s: Setup): Made => ({
  id: (await s.approved('individual')).accountId,
});

export const document = async (s: Setup): Made =>
  (await s.get(`/v1/customers/${(await customer(s)).id}/documents`)).data[0];

export const owner = async (s: Setup): Made =>
  (await s.get(`/v1/customers/${(await s.applied('business')).id}/owners`)).data[0];

/** An owner to whom the business has sent a link. */
export async function invitedOwner({ server, ...s }: Setup): Made {
  const { id } = await s.customer('business');
  return server.engine.run(inviteOwner(server.service.vault), {
    id: uuid('customer', id),
    owner: { name: 'Olga Owner', role: 'owner', ownershipPercent: 40 },
    contact: { email: 'olga@example.com' },
  });
}

/** A link that the bank has not answered. */
export async function link(s: Setup, bank: string): Made {
  const { id } = await customer(s);
  const public_token = `public-sandbox-${bank}`;
  return s.post(`/v1/customers/${id}/linked-accounts`, { public_token });
}

/** A second link of a customer: withdrawals to it are held for some days. */
export async function heldLink(s: Setup): Made {
  const person = await s.banked('individual');
  await s.remove(`/v1/customers/${person.customerId}/linked-accounts/${person.linkedAccountId}`);
  return { id: await s.link(person, 'savings') };
}

/** An account that a reviewer has put on hold. */
export async function reviewHold(s: Setup): Made {
  const { id } = await account(s);
  await s.post(`/portal/api/review/accounts/${id}/place_hold`);
  return { id };
}

/** An account whose rest is on its way to its bank. */
export async function closingAccount(s: Setup): Made {
  const person = await s.banked('individual');
  await s.post(`/portal/api/review/accounts/${person.accountId}/adjust`, { amount: 1_00 });
  await s.close(person);
  return { id: person.accountId };
}

/** The newest record of its kind that waits for a reviewer. */
async function queued(s: Setup, resource: string): Made {
  const { data } = await s.get('/portal/api/review?limit=100');
  return data.find((item: ReplyBody) => item.resource === resource);
}

/** Money of a load that had failed. */
export async function suspense(s: Setup): Made {
  await s.played(s.confirmed(load(s)), 'load.failed', 'load.paid_late');
  return queued(s, 'suspense');
}

/** A request of a settled load's bank to give its money back. */
export async function returnRequest(s: Setup): Made {
  await s.played(s.confirmed(load(s)), 'load.settled', 'bank.return_requested');
  return queued(s, 'return-requests');
}

/** The letter of a dispute whose customer gets no mail. */
export async function notice(s: Setup): Made {
  await writtenInVain(s);
  return queued(s, 'notices');
}

/** Reports by the bank beside simulate. */
async function told(
  { server }: Setup,
  { id }: ReplyBody,
  kind: IdKind,
  fact: BankOutcome,
): Promise<void> {
  const { service, engine } = server;
  const [row] = await engine.query(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    uuid(kind, id),
  );
  const log = service.log.child({}, { level: 'silent' });
  const inbound = openInbound({ engine: service.engine, log, asks: false });
  await inbound.bank(engine.tenantId, { id: `fact ${id}`, orderId: row.id, ...fact });
}

/** A message of the bank that a settled load had failed. */
export async function bankMessage(s: Setup): Made {
  const made = await s.played(s.confirmed(load(s)), 'load.settled');
  await told(s, made, 'load', { outcome: 'failed', reason: 'AC04' });
  return queued(s, 'bank-messages');
}

/** A message of the bank that it has executed a withdrawal that had failed. */
export async function executedAfterFailing(s: Setup): Made {
  const made = await s.played(s.confirmed(withdrawal(s)), 'withdrawal.failed');
  await told(s, made, 'withdrawal', { outcome: 'settled', amount: made.amount });
  return queued(s, 'bank-messages');
}

/** A link whose customer takes no requests. */
export async function optedOut(s: Setup): Made {
  const person = await s.banked('individual');
  const { id } = await s.confirmed(s.load(person, 1_00));
  await s.simulate('load.failed', id, 'customer_opted_out');
  return { id: person.linkedAccountId };
}
