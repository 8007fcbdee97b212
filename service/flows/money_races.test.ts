import { command } from '@tenant-payments/engine/command.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { openDisputes } from '../../test/kit/disputes.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { uuid } from '../../test/kit/ids.ts';
import { newVersion } from '../../test/kit/legal_texts.ts';
import { inOneBatch, onlyId, planned } from '../../test/kit/one_batch.ts';
import type { Person } from '../../test/kit/person.ts';
import { applyBankOutcome, readOrder } from '../inbound/bank_facts.ts';
import type { BankOutcome } from '../rails/facts.ts';
import {
  documentPublicationJob,
  publishForAll,
} from '../resources/customers/documents/publication.ts';
import { approveCustomer, holdCustomerForReview } from '../resources/customers/moves.ts';
import { createDispute } from '../resources/disputes/create.ts';
import { resolveApproved } from '../resources/disputes/resolve.ts';
import { failLoad } from '../resources/loads/moves.ts';
import { completePayment } from '../resources/payments/by_bank.ts';
import { matchSuspense } from '../resources/suspense/moves.ts';
import { failWithdrawal } from '../resources/withdrawals/moves.ts';

/** Commands on the same money or customer in one batch: all read before the first is decided (rules/engine#15). */

const { api, balances, caseOf, engine, server, transactions } = await openDisputes();
const { db } = server.service;
const amount = 500_00;
let ana: Person;
beforeEach(async () => {
  ana = await api.funded('individual', amount);
});

const available = async () => (await balances(ana))[0]?.available;

/** The bank says how an order ended. */
const told = command('bank_told', {
  load: (read, { orderId }: { orderId: string; answer: BankOutcome }) => readOrder(read, orderId),
  decide: (work, rows, { answer }) => ({ value: applyBankOutcome(work, rows, answer) }),
});
const orderOf = (kind: 'withdrawal' | 'load', { id }: ReplyBody) =>
  onlyId(
    engine,
    'select id from instructions where tenant_id = $1 and source_id = $2',
    uuid(kind, id),
  );
const returned = (cents: number): BankOutcome => ({ outcome: 'returned', amount: cents });

/** A withdrawal of everything, after these events, with a notice of it that is investigated. */
async function disputed(...events: string[]) {
  const withdrawal = await api.played(api.withdraw(ana, amount), 'session.completed', ...events);
  const [transaction] = await transactions(ana, 'withdrawal');
  const notice = api.dispute(ana, { transaction_id: transaction?.id, type: 'error' });
  const made = await api.played(notice, 'dispute.investigating');
  const approval = planned(resolveApproved, { id: uuid('dispute', made.id) });
  return { withdrawal, made, approval };
}

describe('of a withdrawal', () => {
  test('that the bank refuses as its dispute is approved nothing is awarded', async () => {
    const { withdrawal, made, approval } = await disputed();
    const failing = { id: uuid('withdrawal', withdrawal.id), failure_code: 'account_closed' };
    await inOneBatch(server, planned(failWithdrawal, failing), approval);
    expect(await caseOf(made)).toMatchObject({ award_amount: 0, status: 'closed' });
    expect(await available()).toBe(amount);
  });

  test('whose money a reviewer matches as its dispute is approved only the rest is awarded', async () => {
    const { withdrawal, made, approval } = await disputed('withdrawal.settled');
    const orderId = await orderOf('withdrawal', withdrawal);
    await engine.run(told, { orderId, answer: returned(300_00) });
    // More than was withdrawn together, so that it waits.
    await engine.run(told, { orderId, answer: returned(250_00) });
    const id = await onlyId(
      engine,
      `select id from suspense where tenant_id = $1 and source_id = $2 and status = 'held'`,
      uuid('withdrawal', withdrawal.id),
    );
    await inOneBatch(server, planned(matchSuspense, { id, account_id: null }), approval);
    expect(await caseOf(made)).toMatchObject({ award_amount: 0, status: 'closed' });
    expect(await available()).toBe(550_00);
  });

  test('that comes back as its dispute is approved the holder has one of both', async () => {
    const { withdrawal, approval } = await disputed('withdrawal.settled');
    const orderId = await orderOf('withdrawal', withdrawal);
    await inOneBatch(server, approval, planned(told, { orderId, answer: returned(amount) }));
    expect(await available()).toBe(amount);
    await onlyId(
      engine,
      `select id from suspense where tenant_id = $1 and source_id = $2 and status = 'held'`,
      uuid('withdrawal', withdrawal.id),
    );
  });
});

describe('a payment that completes as it is disputed', () => {
  test('is earmarked of its merchant', async () => {
    const cafe = await api.banked('business');
    const payment = await api.confirmed(api.payByBank(ana, cafe, 90_00));
    const notice = {
      customer_id: ana.customerId,
      payment_id: payment.id,
      type: 'purchase_dispute',
      description: 'it never came',
      notice_received_at: '2026-01-20T15:00:00.000Z',
    } as const;
    await inOneBatch(
      server,
      planned(completePayment, { id: uuid('payment', payment.id) }),
      planned(createDispute({ db }), notice),
    );
    expect(await balances(cafe)).toEqual([{ available: 0, earmarked: 90_00 }]);
  });
});

describe('late money', () => {
  test('of a load that fails in the same batch goes back to the bank account that paid', async () => {
    await engine.change({ late_money: 'return' });
    const load = await api.confirmed(api.load(ana, 20_00));
    const id = uuid('load', load.id);
    const orderId = await orderOf('load', load);
    const paid = planned(told, { orderId, answer: { outcome: 'settled', amount: 20_00 } });
    await inOneBatch(server, planned(failLoad, { id, failure_code: 'bank_timeout' }), paid);
    await engine.change({ late_money: 'hold' });
    const [back] = await engine.query(
      `select i.linked_account_id from instructions i
         join suspense s on s.tenant_id = i.tenant_id and s.id = i.source_id
       where i.tenant_id = $1 and s.source_id = $2`,
      id,
    );
    expect(back?.linked_account_id).toBe(uuid('linked_account', ana.linkedAccountId ?? ''));
  });
});

describe('a customer who is approved', () => {
  const pending = () => api.played(api.customer('individual'), 'customer.pending');

  test('as a document is published is told of it', async () => {
    const { id } = await pending();
    const type = 'digital_account_terms';
    await engine.run(publishForAll({ db }), { document_type: type, ...newVersion('2031-01') });
    const ref = await onlyId(
      engine,
      'select id from document_publications where tenant_id = $1 and spread_at is null',
    );
    await inOneBatch(
      server,
      planned(approveCustomer, { id: uuid('customer', id) }),
      planned(documentPublicationJob({ db }), { ref }),
    );
    const notices = await engine.query(
      `select kind from notices where tenant_id = $1 and customer_id = $2 and kind = 'terms_changed'`,
      uuid('customer', id),
    );
    expect(notices).toHaveLength(1);
  });

  test('as a doubt comes up has a suspended account', async () => {
    const customer = await pending();
    const id = uuid('customer', customer.id);
    await inOneBatch(
      server,
      planned(approveCustomer, { id }),
      planned(holdCustomerForReview, { id }),
    );
    const { account_id, verification } = await api.get(`/v1/customers/${customer.id}`);
    expect(verification.status).toBe('in_review');
    expect((await api.get(`/v1/accounts/${account_id}`)).status).toBe('suspended');
  });

  test('as a notice comes is credited to the new account', async () => {
    const customer = await pending();
    const notice = {
      customer_id: customer.id,
      type: 'error',
      description: 'a wrong amount',
      notice_received_at: '2026-01-20T15:00:00.000Z',
    } as const;
    await inOneBatch(
      server,
      planned(approveCustomer, { id: uuid('customer', customer.id) }),
      planned(createDispute({ db }), notice),
    );
    const [dispute] = await engine.query(
      'select account_id from disputes where tenant_id = $1 and customer_id = $2',
      uuid('customer', customer.id),
    );
    expect(dispute?.account_id).not.toBeNull();
  });
});
