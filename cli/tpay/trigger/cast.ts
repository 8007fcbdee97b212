import { randomBytes, randomInt } from 'node:crypto';
import {
  advanceClock,
  getClock,
  listClockJumps,
} from '@tenant-payments/backoffice/contract/sandbox/clock.ts';
import type { SimulateName } from '@tenant-payments/contract/catalog.ts';
import { checkCode, nameOwner, sendCode } from '@tenant-payments/contract/hosted/flows.ts';
import { openSession } from '@tenant-payments/contract/hosted/session.ts';
import { type Client, TenantPaymentsError } from '@tenant-payments/sdk-server';
import { connectByKey, connectStranger, type Portal } from '../../connect.ts';

type CustomerType = 'individual' | 'business';
type Customer = Awaited<ReturnType<Client['customers']['get']>>;
type Payment = Awaited<ReturnType<Client['payments']['get']>>;
type Source = 'balance' | 'bank_account';

const areas = ['202', '212', '213', '305', '312', '404', '415', '503', '617', '702'];
const newNumber = () => `+1${areas[randomInt(areas.length)]}${randomInt(2_000_000, 9_110_000)}`;

const prefills = {
  individual: { first_name: 'Tess', last_name: 'Trigger' },
  business: { legal_name: 'Trigger Shop LLC' },
};

/** Every code of a sandbox (rules/sandbox#22). */
const messageCode = '000000';

/** Cents: none of them ends in a value that has an outcome of its own (rules/sandbox#19). */
const loaded = 5_000;
const paid = 1_000;

/**
 * The makers of the records behind an event: the calls of a Tenant's server, and the sandbox's part of everybody else.
 * Each makes people of its own, so that no other record is touched.
 */
export function openCast(api: Client, portal: Portal, baseUrl: string) {
  const simulate = async (event: SimulateName, id: string, failure_code?: string) =>
    void (await api.sandbox.simulate(event, {
      object_id: id,
      ...(failure_code ? { failure_code } : {}),
    }));
  const confirm = (id: string) => simulate('session.completed', id);

  const customer = (type: CustomerType = 'individual'): Promise<Customer> => {
    const external_ref = `trigger-${randomBytes(6).toString('hex')}`;
    const email = `${external_ref}@example.com`;
    const prefill = prefills[type];
    return api.customers.create({ type, external_ref, email, mobile_number: newNumber(), prefill });
  };
  async function applied(type: CustomerType = 'individual'): Promise<Customer> {
    const made = await customer(type);
    await confirm(made.id);
    return made;
  }
  async function approved(type: CustomerType = 'individual'): Promise<Customer> {
    const { id } = await applied(type);
    if (type === 'business')
      for (const owner of (await api.customers.listOwners(id)).data)
        await simulate('owner.approved', owner.id);
    await simulate('customer.approved', id);
    return api.customers.get(id);
  }
  /** A business that has named an owner who is not there: on the page of its onboarding, as its own people do. */
  async function invitedOwner(): Promise<void> {
    const { onboarding_session } = await customer('business');
    const token = String(onboarding_session?.token);
    const opening = { ...openSession, authenticated: false } as const;
    const { bearer } = (await connectStranger(baseUrl).request(opening, { token })).data;
    const page = connectByKey(baseUrl, bearer);
    await page.request(sendCode, {});
    await page.request(checkCode, { code: messageCode });
    const owner = { name: 'Olive Owner', role: 'owner', ownership_percent: 50 } as const;
    await page.request(nameOwner, { owner, email: 'olive.owner@example.com' });
  }
  /** Moves the Tenant's clock: only after somebody has agreed. */
  const advance = async (to: string) => void (await portal.request(advanceClock, { to }));
  const nextBusinessDay = async (): Promise<string> => {
    const { data } = (await portal.request(listClockJumps)).data;
    return String(data.find(({ name }) => name === 'business_day')?.at);
  };
  /** Ends the period of a new account: if its first day is not over, when it will be, as the refusal names it. */
  async function stated(accountId: string): Promise<void> {
    const end = () => simulate('statement.available', accountId);
    await end().catch(async (error: unknown) => {
      const at = error instanceof TenantPaymentsError ? error.details?.available_at : undefined;
      if (typeof at !== 'string') throw error;
      await advance(at);
      await end();
    });
  }
  const link = (customerId: string, another = '') =>
    api.linkedAccounts.create(customerId, { public_token: `public-sandbox-standard${another}` });
  async function banked(type: CustomerType = 'individual') {
    const made = await approved(type);
    const linked = await link(made.id);
    await simulate('linked_account.verified', linked.id);
    return { ...made, linkedAccountId: linked.id };
  }
  async function confirmedLoad() {
    const { id } = await banked();
    const load = await api.loads.create({ customer_id: id, amount: loaded });
    await confirm(load.id);
    return load;
  }
  async function funded() {
    const made = await banked();
    const load = await api.loads.create({ customer_id: made.id, amount: loaded });
    await confirm(load.id);
    await simulate('load.settled', load.id);
    return made;
  }
  async function withdrawal() {
    const { id } = await funded();
    return api.withdrawals.create({ customer_id: id, amount: paid });
  }
  async function confirmedWithdrawal() {
    const made = await withdrawal();
    await confirm(made.id);
    return made;
  }
  async function payment(source: Source = 'balance', payee?: Customer): Promise<Payment> {
    const payer = source === 'balance' ? await funded() : await banked();
    const { id } = payee ?? (await approved('business'));
    return api.payments.create({
      payer_customer_id: payer.id,
      payee_customer_id: id,
      amount: paid,
      source,
    });
  }
  async function confirmedPayment(source: Source = 'balance', payee?: Customer): Promise<Payment> {
    const made = await payment(source, payee);
    await confirm(made.id);
    return made;
  }
  async function paidByBank(): Promise<Payment> {
    const made = await confirmedPayment('bank_account');
    await simulate('payment.completed', made.id);
    return made;
  }
  const refundOf = ({ id }: Payment, amount = paid / 2) =>
    api.refunds.create({ payment_id: id, amount, reason: 'other' });
  /** To the payer's bank, so that the bank has still to answer. */
  async function refundAtBank() {
    const made = await refundOf(await paidByBank());
    await confirm(made.id);
    return made;
  }
  async function request() {
    const { id } = await approved('business');
    return api.paymentRequests.create({
      type: 'dynamic',
      merchant_customer_id: id,
      amount: paid,
    });
  }
  async function dispute() {
    const made = await confirmedPayment();
    const { now } = (await portal.request(getClock)).data;
    return api.disputes.create({
      customer_id: made.payer_customer_id,
      payment_id: made.id,
      type: 'unauthorized_transfer',
      description: 'It was not me',
      notice_received_at: now,
    });
  }
  return {
    api,
    simulate,
    confirm,
    customer,
    applied,
    approved,
    link,
    banked,
    confirmedLoad,
    funded,
    withdrawal,
    confirmedWithdrawal,
    payment,
    confirmedPayment,
    paidByBank,
    refundOf,
    refundAtBank,
    request,
    dispute,
    invitedOwner,
    advance,
    nextBusinessDay,
    stated,
  };
}

export type Cast = ReturnType<typeof openCast>;
