import { randomBytes } from 'node:crypto';
import { openInbound } from '../../../service/inbound/inbound.ts';
import { inviteOwner } from '../../../service/resources/customers/owners/invitations.ts';
import { playScenario, type Scenario } from '../../contract/scenario.ts';
import type { ReplyBody } from '../../kit/http.ts';
import { uuid } from '../../kit/ids.ts';
import type { TestServer } from '../../kit/server.ts';

export type Person = Scenario['payer'];

/** Where records are made ready for an operation, over HTTP by a service that nobody kills. */
export type Stage = Scenario & ReturnType<typeof openVerbs>;

const suffix = () => randomBytes(4).toString('hex');

/** What one record after the other is brought to where an operation may begin. */
function openVerbs({ call, service, tenant }: TestServer, scenario: Scenario) {
  const { post, get, simulate, payer, shop } = scenario;
  const idOf = async (made: Promise<ReplyBody>): Promise<string> => (await made).id;
  const played = async (made: Promise<string>, ...events: string[]): Promise<string> => {
    const id = await made;
    for (const event of events) await simulate(event, id);
    return id;
  };
  const confirmed = (made: Promise<string>, ...events: string[]) =>
    played(made, 'session.completed', ...events);

  /** A customer as it was created, with its session. */
  const created = (type: 'individual' | 'business'): Promise<ReplyBody> =>
    post('/v1/customers', scenario.application(type));
  async function applied(type: 'individual' | 'business'): Promise<string> {
    const { id, onboarding_session } = await created(type);
    await simulate('session.completed', onboarding_session.id);
    return id;
  }
  const load = () => idOf(post('/v1/loads', { customer_id: payer.customerId, amount: 1_00 }));
  const payment = (source = 'balance', amount = 40) =>
    idOf(
      post('/v1/payments', {
        payer_customer_id: payer.customerId,
        payee_customer_id: shop.customerId,
        amount,
        source,
      }),
    );
  const withdrawal = () =>
    idOf(post('/v1/withdrawals', { customer_id: payer.customerId, amount: 1_00 }));
  const refundOf = async (paid: Promise<string>) =>
    idOf(post('/v1/refund-requests', { payment_id: await paid, amount: 10, reason: 'other' }));
  const newRequest = (): Promise<ReplyBody> =>
    post('/v1/payment-requests', {
      type: 'dynamic',
      merchant_customer_id: shop.customerId,
      amount: 25,
    });
  const session = (flow: string, customer_id = payer.customerId) =>
    idOf(post('/v1/sessions', { flow, customer_id }));
  async function linked(bank: string): Promise<string> {
    const { customerId } = await scenario.approve('individual');
    const public_token = `public-sandbox-${bank}-${suffix()}`;
    return idOf(post(`/v1/customers/${customerId}/linked-accounts`, { public_token }));
  }
  const dispute = async () =>
    idOf(
      post('/v1/disputes', {
        customer_id: payer.customerId,
        type: 'unauthorized_transfer',
        payment_id: await confirmed(payment()),
        description: 'It was not me',
        notice_received_at: new Date(Date.now() - 3_600_000).toISOString(),
      }),
    );
  /** The newest of its kind that waits for a reviewer. */
  async function queued(resource: string): Promise<string> {
    const { data } = await get('/portal/api/review?limit=100');
    return data.find((item: ReplyBody) => item.resource === resource).id;
  }
  return {
    created,
    applied,
    load,
    payment,
    withdrawal,
    refundOf,
    newRequest,
    session,
    linked,
    dispute,
    played,
    confirmed,
    owner: async () => (await get(`/v1/customers/${await applied('business')}/owners`)).data[0].id,
    /** An owner whom the business has sent a link. */
    async invitedOwner(): Promise<string> {
      const { engine, vault } = service;
      const id = uuid('customer', (await created('business')).id);
      const owner = { name: 'Olga Owner', role: 'owner', ownershipPercent: 40 } as const;
      const input = { id, owner, contact: { email: 'olga@example.com' } };
      const { tenantId } = tenant;
      return JSON.parse((await engine.submit(inviteOwner(vault), { tenantId, input })).body).id;
    },
    /** Money of a load that had failed. */
    async suspended(): Promise<string> {
      await played(confirmed(load()), 'load.failed', 'load.paid_late');
      return queued('suspense');
    },
    /** What the bank said of a settled load: that it had failed. */
    async message(): Promise<string> {
      const source = uuid('load', await played(confirmed(load()), 'load.settled'));
      const { rows } = await service.pool.query<{ id: string }>(
        'select id from instructions where tenant_id = $1 and source_id = $2',
        [tenant.tenantId, source],
      );
      const { engine, log } = service;
      const quiet = log.child({}, { level: 'silent' });
      await openInbound({ engine, log: quiet }).bank(tenant.tenantId, {
        id: `fact ${source}`,
        orderId: rows[0]?.id ?? '',
        outcome: 'failed',
        reason: 'AC04',
      });
      return queued('bank-messages');
    },
    document: async () =>
      (await get(`/v1/customers/${(await scenario.approve('individual')).customerId}/documents`))
        .data[0].id,
    account: async () => (await scenario.approve('individual')).accountId,
    /** An account whose rest is on its way to its bank. */
    async closingAccount(): Promise<string> {
      const person = await scenario.approve('individual');
      const { customerId, accountId } = person;
      await scenario.link(person);
      await post(`/portal/api/review/accounts/${accountId}/adjust`, { amount: 1_00 });
      await post(`/v1/customers/${customerId}/close`, { reason: 'customer_request' });
      return accountId;
    },
    /** A second link of a customer, from which withdrawals wait. */
    async waitingLink(): Promise<string> {
      const person = await scenario.approve('individual');
      const first = await scenario.link(person);
      const path = `/v1/customers/${person.customerId}/linked-accounts`;
      await call('DELETE', `${path}/${first}`);
      const link = await post(path, { public_token: `public-sandbox-savings-${suffix()}` });
      await simulate('linked_account.verified', link.id);
      return link.id;
    },
  };
}

export async function openStage(house: TestServer): Promise<Stage> {
  const scenario = await playScenario(house.baseUrl, house.token);
  return { ...scenario, ...openVerbs(house, scenario) };
}
