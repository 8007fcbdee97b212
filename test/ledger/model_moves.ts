import { randomUUID as newKey } from 'node:crypto';
import type { ReplyBody } from '../harness/http.ts';
import type { Model, ModelPayment, ModelPerson } from './model_book.ts';
import type { Choices } from './seeded.ts';
import { type Outcome, recordOf, type Sender } from './sender.ts';

/** A tenant twice: as the service holds it, and as the model does. */
export interface Twin {
  readonly sender: Sender;
  readonly model: Model;
  /** Creations that were accepted, to be sent again. */
  readonly accepted: {
    send: () => Promise<Outcome>;
    record: ReplyBody;
    payment: ModelPayment | null;
  }[];
}

/** A random command: what was asked, what should have come of it and what did. */
export interface Move {
  readonly told: string;
  readonly expected: string;
  readonly actual: string;
}

/** Null when there is nothing yet to do it to. */
type Play = (twin: Twin, choices: Choices, nowMs: number) => Promise<Move | null>;

const nobody = `cus_${'0'.repeat(32)}`;

function amountOf(choices: Choices, payer: ModelPerson): number {
  // At the edge of what there is; the schema takes no less than a cent.
  if (choices.percent(10)) return Math.max(1, payer.available - 1 + choices.below(3));
  if (choices.percent(5)) return 500_000 + choices.below(3);
  return 1 + choices.below(choices.percent(50) ? 100 : 20_000);
}

const shown = (record: ReplyBody) =>
  JSON.stringify([record.amount, record.net_amount, record.status]);

const createPayment: Play = async ({ sender, model, accepted }, choices, nowMs) => {
  const { commands, send } = sender;
  const payer = choices.pick(model.people);
  const usable = model.requests.slice(-12);
  const request = usable.length > 0 && choices.percent(60) ? choices.pick(usable) : null;
  const named = choices.pick(model.people);
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
        source: 'balance',
      },
      { key },
    );
  const payee = request?.merchant ?? named;
  const expected = model.create({ payer, payee, request, amount, invoice }, nowMs);
  const outcome = await again();
  const told = `pay ${amount ?? 'what is asked'} by ${payer.customerId} to ${payee.customerId}`;
  const payment = model.payments.at(-1);
  if (outcome.code !== 'done' || expected !== 'done' || !payment)
    return { told, expected, actual: outcome.code };
  const record = recordOf(outcome);
  payment.id = record.id;
  payment.session.id = record.confirmation_session.id;
  accepted.push({ send: again, record, payment });
  const expectedRecord = { ...record, amount: payment.amount, status: payment.status };
  expectedRecord.net_amount = payment.amount - payment.payeeFees;
  return { told, expected: shown(expectedRecord), actual: shown(record) };
};

const payNobody: Play = async ({ sender, model }, choices) => {
  const payer = model.people.find((one) => one.type === 'individual' && !one.suspended);
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

const ask: Play = async ({ sender, model, accepted }, choices, nowMs) => {
  const merchant = choices.pick(model.people);
  const amount = choices.percent(80) ? 1 + choices.below(10_000) : null;
  const expiresIn = 1 + choices.below(1_800);
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
    accepted.push({ send: again, record, payment: null });
  }
  return { told: `${merchant.customerId} asks for ${amount}`, expected, actual: outcome.code };
};

/** Something done to a payment, mostly to one of the latest. */
const toPayment =
  (
    told: string,
    predict: (model: Model, payment: ModelPayment, nowMs: number) => string,
    act: (sender: Sender, payment: ModelPayment) => Promise<Outcome>,
  ): Play =>
  async ({ sender, model }, choices, nowMs) => {
    const candidates = choices.percent(80) ? model.payments.slice(-10) : model.payments;
    if (candidates.length === 0) return null;
    const payment = choices.pick(candidates);
    const expected = predict(model, payment, nowMs);
    const { code } = await act(sender, payment);
    return { told: `${told} ${payment.id}`, expected, actual: code };
  };

const openSession: Play = async ({ sender, model }, choices, nowMs) => {
  const payment = model.payments.length > 0 ? choices.pick(model.payments.slice(-10)) : null;
  if (!payment) return null;
  const expected = model.openSession(payment, nowMs);
  const outcome = await sender.send(sender.commands.createSession, {
    flow: 'payment_confirm',
    customer_id: payment.payer.customerId,
    target: { type: 'payment', id: payment.id },
  });
  if (outcome.code === 'done') payment.session.id = recordOf(outcome).id;
  return { told: `a new session for ${payment.id}`, expected, actual: outcome.code };
};

const endRequest: Play = async ({ sender, model }, choices) => {
  const request = model.requests.length > 0 ? choices.pick(model.requests.slice(-8)) : null;
  if (!request) return null;
  const cancels = choices.percent(50);
  const expected = cancels ? model.cancelRequest(request) : model.expireRequest(request);
  const { code } = cancels
    ? await sender.send(sender.commands.cancelPaymentRequest, { id: request.id })
    : await sender.simulate('payment_request.expired', request.id);
  return { told: `${cancels ? 'cancel' : 'expire'} ${request.id}`, expected, actual: code };
};

/** The same POST again: the plain record, with its session only while that can be opened. */
const replay: Play = async ({ accepted }, choices) => {
  if (accepted.length === 0) return null;
  const { send, record, payment } = choices.pick(accepted.slice(-30));
  const outcome = await send();
  const first = record.confirmation_session ?? null;
  const alive = payment?.session.live === true && payment.session.id === first?.id;
  const expected = payment ? { ...record, confirmation_session: alive ? first : null } : record;
  return {
    told: `replay ${record.id}`,
    expected: JSON.stringify([true, expected]),
    actual: JSON.stringify([outcome.code === 'done' && outcome.replayed, recordOf(outcome)]),
  };
};

/** The reviewer suspends a shop that pays nobody now, or lets it work again. */
const suspend: Play = async ({ sender, model }, choices) => {
  const shop = choices.pick(model.people.filter(({ type }) => type === 'business'));
  const pays = shop.pending > 0 && !shop.suspended;
  if (pays) return null;
  const event = shop.suspended ? 'account.reactivated' : 'account.suspended';
  const { code } = await sender.simulate(event, `acct_${shop.accountId.replaceAll('-', '')}`);
  shop.suspended = !shop.suspended;
  return { told: `${event} ${shop.customerId}`, expected: 'done', actual: code };
};

/** Every move with its weight. */
const moves: readonly (readonly [number, Play])[] = [
  [30, createPayment],
  [2, payNobody],
  [12, ask],
  [
    18,
    toPayment(
      'confirm',
      (model, payment) => model.confirm(payment),
      (sender, { id }) => sender.simulate('session.completed', id),
    ),
  ],
  [
    8,
    toPayment(
      'cancel',
      (model, payment) => model.cancel(payment),
      ({ send, commands }, { id }) => send(commands.cancelPayment, { id }),
    ),
  ],
  [
    5,
    toPayment(
      'decline',
      (model, payment) => model.decline(payment),
      ({ send, commands }, { id }) =>
        send(commands.simulate, {
          event: 'session.canceled',
          object_id: id,
          failure_code: 'confirmation_declined',
        }),
    ),
  ],
  [
    5,
    toPayment(
      'leave',
      (model, payment, nowMs) => model.leave(payment, nowMs),
      (sender, { session }) => sender.simulate('session.canceled', session.id),
    ),
  ],
  [
    4,
    toPayment(
      'expire the session of',
      (model, payment, nowMs) => model.leave(payment, nowMs),
      (sender, { session }) => sender.simulate('session.expired', session.id),
    ),
  ],
  [5, openSession],
  [4, endRequest],
  [5, replay],
  [2, suspend],
];

const weights = moves.reduce((sum, [weight]) => sum + weight, 0);

/** One random command, sent to the service and to the model. */
export const playMove: Play = (twin, choices, nowMs) => {
  let at = choices.below(weights);
  for (const [weight, play] of moves) {
    if (at < weight) return play(twin, choices, nowMs);
    at -= weight;
  }
  return Promise.resolve(null);
};
