import { post } from '../client.ts';
import type { Model } from '../model.ts';
import { isHeldUp, isOpen, type ModelRequest } from '../types.ts';
import { amountOf, create, latest, type Play, send, simulation, someone } from './move.ts';

const unknownCustomer = `cus_${'0'.repeat(32)}`;

/** Mostly one that can be paid; null: the payee is named. */
function requestOf(choices: Parameters<Play>[1], { requests }: Model): ModelRequest | null {
  if (choices.percent(50)) return null;
  const open = requests.filter(({ status }) => status === 'open');
  return latest(choices, choices.percent(85) ? open : requests, 12);
}

export const createPayment: Play = async (twin, choices) => {
  const { model } = twin;
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
  const expected = model.pay({ source, payer, payee, request, amount, invoice });
  return create(twin, choices, order, expected, model.payments, [payer]);
};

export const payUnknown: Play = async (twin, choices) => {
  const { model } = twin;
  const customer = model.people.find(
    (one) => one.type === 'individual' && one.status === 'active' && !isHeldUp(one, model),
  );
  if (!customer) return null;
  const isPayee = choices.percent(50);
  const order = post('/v1/payments', {
    payer_customer_id: isPayee ? customer.customerId : unknownCustomer,
    payee_customer_id: isPayee ? unknownCustomer : customer.customerId,
    amount: 1,
    source: 'balance',
  });
  return send(twin, choices, order, isPayee ? 'payee_not_eligible' : 'customer_not_verified');
};

export const cancelPayment: Play = async (twin, choices) => {
  const { payments, cancel } = twin.model;
  const open = payments.filter(isOpen);
  const payment = latest(choices, choices.percent(50) ? open : payments, 10);
  if (!payment) return null;
  const order = post(`/v1/payments/${payment.id}/cancel`);
  return send(twin, choices, order, cancel(payment), [payment.customer]);
};

export const createRequest: Play = async (twin, choices) => {
  const { model } = twin;
  const merchant = someone(choices, model, 'business');
  const amount = choices.percent(80) ? 1 + choices.below(10_000) : null;
  const expires_in = 1 + choices.below(choices.percent(50) ? 1_800 : 20_000);
  const order = post('/v1/payment-requests', {
    merchant_customer_id: merchant.customerId,
    ...(amount === null
      ? { type: 'static', collection_point: { reference: 'till', name: 'Till' } }
      : { type: 'dynamic', amount, expires_in }),
  });
  const expiresMs = amount === null ? null : model.clock.nowMs + expires_in * 1000;
  const expected = model.ask({ merchant, amount, expiresMs });
  return create(twin, choices, order, expected, model.requests);
};

export const endRequest: Play = async (twin, choices) => {
  const { model } = twin;
  const request = latest(choices, model.requests, 8);
  if (!request) return null;
  return choices.percent(50)
    ? send(
        twin,
        choices,
        post(`/v1/payment-requests/${request.id}/cancel`),
        model.cancelRequest(request),
      )
    : send(
        twin,
        choices,
        simulation('payment_request.expired', request.id),
        model.expireRequest(request),
      );
};
