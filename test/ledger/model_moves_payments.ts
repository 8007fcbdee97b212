import { randomUUID as newKey } from 'node:crypto';
import type { ReplyBody } from '../harness/http.ts';
import type { Model } from './model_book.ts';
import { amountOf, keep, latest, type Play, someone } from './model_play.ts';
import { isOpen, type ModelRequest } from './model_types.ts';
import type { Choices } from './seeded.ts';
import { recordOf } from './sender.ts';

const nobody = `cus_${'0'.repeat(32)}`;

const shown = (record: ReplyBody) =>
  JSON.stringify([record.amount, record.net_amount, record.status]);

/** Mostly one that can be paid; null: the payee is named. */
function requestOf(choices: Choices, { requests }: Model): ModelRequest | null {
  if (choices.percent(50)) return null;
  const open = requests.filter(({ status }) => status === 'open');
  return latest(choices, choices.percent(85) ? open : requests, 12);
}

export const createPayment: Play = async (twin, choices, nowMs) => {
  const { sender, model } = twin;
  const { commands, send } = sender;
  const payer = someone(choices, model);
  const request = requestOf(choices, model);
  const named = someone(choices, model, 'business');
  const source = choices.percent(30) ? 'bank_account' : 'balance';
  const isStatic = request !== null && request.amount === null;
  const amount = request && !isStatic && choices.percent(70) ? null : amountOf(choices, payer);
  const invoice = choices.percent(95);
  const key = newKey();
  const again = () =>
    send(
      commands.createPayment,
      {
        payer_customer_id: payer.customerId,
        ...(request ? { qr_payload: request.qrPayload } : { payee_customer_id: named.customerId }),
        ...(amount === null ? {} : { amount }),
        ...(invoice ? { invoice_reference: 'inv' } : {}),
        source,
      },
      { key },
    );
  const payee = request?.merchant ?? named;
  const expected = model.create({ source, payer, payee, request, amount, invoice }, nowMs);
  const outcome = await again();
  const told = `pay ${amount ?? 'what is asked'} (${source}) by ${payer.customerId} to ${payee.customerId}`;
  const payment = model.payments.at(-1);
  if (outcome.code !== 'done' || expected !== 'done' || !payment)
    return { told, expected, actual: outcome.code };
  const record = keep(twin, payment, { outcome, send: again }, nowMs);
  const expectedRecord = { ...record, amount: payment.amount, status: payment.status };
  expectedRecord.net_amount = payment.amount - payment.payeeFees;
  return { told, expected: shown(expectedRecord), actual: shown(record) };
};

export const payNobody: Play = async ({ sender, model }, choices) => {
  const payer = model.people.find((one) => one.type === 'individual' && one.status === 'active');
  if (!payer) return null;
  const toNobody = choices.percent(50);
  const outcome = await sender.send(sender.commands.createPayment, {
    payer_customer_id: toNobody ? payer.customerId : nobody,
    payee_customer_id: toNobody ? nobody : payer.customerId,
    amount: 1,
    source: 'balance',
  });
  const expected = toNobody ? 'payee_not_eligible' : 'customer_not_verified';
  return { told: 'pay with a customer who does not exist', expected, actual: outcome.code };
};

export const cancelPayment: Play = async ({ sender, model }, choices) => {
  const open = model.payments.filter(isOpen);
  const payment = latest(choices, choices.percent(50) ? open : model.payments, 10);
  if (!payment) return null;
  const expected = model.cancel(payment);
  const { code } = await sender.send(sender.commands.cancelPayment, { id: payment.id });
  return { told: `cancel ${payment.id}`, expected, actual: code };
};

export const ask: Play = async ({ sender, model, accepted }, choices, nowMs) => {
  const merchant = someone(choices, model, 'business');
  const amount = choices.percent(80) ? 1 + choices.below(10_000) : null;
  const expiresIn = 1 + choices.below(choices.percent(50) ? 1_800 : 20_000);
  const key = newKey();
  const body =
    amount === null
      ? { type: 'static' as const, collection_point: { reference: 'till', name: 'Till' } }
      : { type: 'dynamic' as const, amount, expires_in: expiresIn };
  const again = () =>
    sender.send(
      sender.commands.createPaymentRequest,
      { ...body, merchant_customer_id: merchant.customerId },
      { key },
    );
  const expiresMs = amount === null ? null : nowMs + expiresIn * 1000;
  const expected = model.ask({ merchant, amount, expiresMs });
  const outcome = await again();
  const request = model.requests.at(-1);
  if (outcome.code === 'done' && expected === 'done' && request) {
    const record = recordOf(outcome);
    Object.assign(request, { id: record.id, qrPayload: record.qr_payload });
    accepted.push({ send: again, record, target: null, madeMs: nowMs });
  }
  return { told: `${merchant.customerId} asks for ${amount}`, expected, actual: outcome.code };
};

export const endRequest: Play = async ({ sender, model }, choices) => {
  const request = latest(choices, model.requests, 8);
  if (!request) return null;
  const cancels = choices.percent(50);
  const expected = cancels ? model.cancelRequest(request) : model.expireRequest(request);
  const { code } = cancels
    ? await sender.send(sender.commands.cancelPaymentRequest, { id: request.id })
    : await sender.simulate('payment_request.expired', request.id);
  return { told: `${cancels ? 'cancel' : 'expire'} ${request.id}`, expected, actual: code };
};
