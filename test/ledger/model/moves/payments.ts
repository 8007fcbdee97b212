import type { ReplyBody } from '../../../kit/http.ts';
import type { Choices } from '../../../kit/seed.ts';
import { recordOf } from '../../sender.ts';
import { post } from '../client.ts';
import type { Model } from '../model.ts';
import { isHeldUp } from '../resources/terms.ts';
import { isOpen, type ModelPayment, type ModelRequest } from '../types.ts';
import { amountOf, asked, keep, keepTold, latest, type Play, simulation, someone } from './move.ts';

const nobody = `cus_${'0'.repeat(32)}`;

const shown = (record: ReplyBody) =>
  JSON.stringify([record.amount, record.net_amount, record.status, record.version]);

const predicted = ({ amount, payeeFees, status }: ModelPayment) =>
  shown({ amount, net_amount: amount - payeeFees, status, version: 1 });

/** Mostly one that can be paid; null: the payee is named. */
function requestOf(choices: Choices, { requests }: Model): ModelRequest | null {
  if (choices.percent(50)) return null;
  const open = requests.filter(({ status }) => status === 'open');
  return latest(choices, choices.percent(85) ? open : requests, 12);
}

export const createPayment: Play = async (twin, choices, nowMs) => {
  const { hand, model } = twin;
  const payer = someone(choices, model);
  const request = requestOf(choices, model);
  const named = someone(choices, model, 'business');
  const source = choices.percent(30) ? 'bank_account' : 'balance';
  const isStatic = request !== null && request.amount === null;
  const amount = request && !isStatic && choices.percent(70) ? null : amountOf(choices, payer);
  const invoice = choices.percent(95);
  const order = post('/v1/payments', {
    payer_customer_id: payer.customerId,
    ...(request ? { qr_payload: request.qrPayload } : { payee_customer_id: named.customerId }),
    ...(amount === null ? {} : { amount }),
    ...(invoice ? { invoice_reference: 'inv' } : {}),
    source,
  });
  const payee = request?.merchant ?? named;
  const expected = model.create({ source, payer, payee, request, amount, invoice }, nowMs);
  const sent = await hand.ask(order, expected, choices);
  const told = `pay ${amount ?? 'what is asked'} (${source}) by ${payer.customerId} to ${payee.customerId}`;
  const payment = model.payments.at(-1);
  const { code } = sent.outcome;
  if (code !== 'done' || expected !== 'done' || !payment) return { told, expected, actual: code };
  const actual = shown(keep(twin, payment, sent, nowMs));
  return { told, expected: predicted(payment), actual, people: [payer] };
};

export const payNobody: Play = async (twin, choices, nowMs) => {
  const payer = twin.model.people.find(
    (one) => one.type === 'individual' && one.status === 'active' && !isHeldUp(one, nowMs),
  );
  if (!payer) return null;
  const toNobody = choices.percent(50);
  const order = post('/v1/payments', {
    payer_customer_id: toNobody ? payer.customerId : nobody,
    payee_customer_id: toNobody ? nobody : payer.customerId,
    amount: 1,
    source: 'balance',
  });
  const expected = toNobody ? 'payee_not_eligible' : 'customer_not_verified';
  return asked(twin, choices, { told: 'pay with a customer who is not', order, expected });
};

export const cancelPayment: Play = async (twin, choices) => {
  const { model } = twin;
  const open = model.payments.filter(isOpen);
  const payment = latest(choices, choices.percent(50) ? open : model.payments, 10);
  if (!payment) return null;
  const expected = model.cancel(payment);
  const order = post(`/v1/payments/${payment.id}/cancel`);
  const told = `cancel ${payment.id}`;
  return asked(twin, choices, { told, order, expected, people: [payment.customer], stages: true });
};

export const ask: Play = async (twin, choices, nowMs) => {
  const { hand, model } = twin;
  const merchant = someone(choices, model, 'business');
  const amount = choices.percent(80) ? 1 + choices.below(10_000) : null;
  const expiresIn = 1 + choices.below(choices.percent(50) ? 1_800 : 20_000);
  const kind =
    amount === null
      ? { type: 'static', collection_point: { reference: 'till', name: 'Till' } }
      : { type: 'dynamic', amount, expires_in: expiresIn };
  const order = post('/v1/payment-requests', {
    ...kind,
    merchant_customer_id: merchant.customerId,
  });
  const expiresMs = amount === null ? null : nowMs + expiresIn * 1000;
  const expected = model.ask({ merchant, amount, expiresMs });
  const sent = await hand.ask(order, expected, choices);
  const request = model.requests.at(-1);
  if (sent.outcome.code === 'done' && expected === 'done' && request) {
    keepTold(twin, request, sent, nowMs);
    request.qrPayload = recordOf(sent.outcome).qr_payload;
  }
  const told = `${merchant.customerId} asks for ${amount}`;
  return { told, expected, actual: sent.outcome.code };
};

export const endRequest: Play = async (twin, choices) => {
  const { model } = twin;
  const request = latest(choices, model.requests, 8);
  if (!request) return null;
  const cancels = choices.percent(50);
  const expected = cancels ? model.cancelRequest(request) : model.expireRequest(request);
  const order = cancels
    ? post(`/v1/payment-requests/${request.id}/cancel`)
    : simulation('payment_request.expired', request.id);
  const told = `${cancels ? 'cancel' : 'expire'} ${request.id}`;
  return asked(twin, choices, { told, order, expected, stages: cancels });
};
