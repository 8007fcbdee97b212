import { type Created, type People, type Post, simulate } from '../setup/people.ts';
import { largestPaymentCents, smallestPaymentCents } from '../setup/population.ts';
import type { Random } from '../setup/random.ts';

interface Parts {
  readonly post: Post;
  readonly people: People;
  readonly random: Random;
}

/** Everything that a payment needs from its creation to its end. */
export type Kind = (parts: Parts) => Promise<void>;

const amountOf = (random: Random) => random.between(smallestPaymentCents, largestPaymentCents);
const confirm = (post: Post, { id }: Created) => simulate(post, 'session.completed', id);

function begin({ post, people, random }: Parts, source: 'balance' | 'bank_account') {
  const body = {
    payer_customer_id: random.pick(people.payers),
    payee_customer_id: random.pick(people.merchants),
    amount: amountOf(random),
    source,
    order_reference: `order-${random.between(1, 1_000_000)}`,
  };
  return post('/v1/payments', body, 201);
}

const fromBalance: Kind = async (parts) => {
  await confirm(parts.post, await begin(parts, 'balance'));
};

const byCode: Kind = async ({ post, people, random }) => {
  const merchant_customer_id = random.pick(people.merchants);
  const asked = { type: 'dynamic', merchant_customer_id, amount: amountOf(random) };
  const { qr_payload } = await post('/v1/payment-requests', asked, 201);
  const payer_customer_id = random.pick(people.payers);
  const body = { payer_customer_id, qr_payload, source: 'balance' };
  await confirm(post, await post('/v1/payments', body, 201));
};

const byBank: Kind = async (parts) => {
  const payment = await begin(parts, 'bank_account');
  await confirm(parts.post, payment);
  await simulate(parts.post, 'payment.completed', payment.id);
};

const betweenMerchants: Kind = async ({ post, people, random }) => {
  const at = random.between(0, people.merchants.length - 1);
  const body = {
    payer_customer_id: people.merchants[at],
    payee_customer_id: people.merchants[(at + 1) % people.merchants.length],
    // The least, so that a merchant has always received more.
    amount: smallestPaymentCents,
    source: 'balance',
    invoice_reference: `invoice-${random.between(1, 1_000_000)}`,
  };
  await confirm(post, await post('/v1/payments', body, 201));
};

const canceled: Kind = async (parts) => {
  const { id } = await begin(parts, 'balance');
  await parts.post(`/v1/payments/${id}/cancel`, {}, 200);
};

/** In turn: half from a balance by the payee's id, the others each a tenth or two. */
export const kinds: readonly Kind[] = [
  fromBalance,
  byCode,
  fromBalance,
  byBank,
  fromBalance,
  betweenMerchants,
  fromBalance,
  byCode,
  fromBalance,
  canceled,
];

/** The payment that every merchant receives first, since `betweenMerchants` may choose it at once. */
export const firstSale =
  (merchant: string): Kind =>
  async ({ post, people, random }) => {
    const payer_customer_id = random.pick(people.payers);
    const order = { payee_customer_id: merchant, amount: largestPaymentCents, source: 'balance' };
    await confirm(post, await post('/v1/payments', { payer_customer_id, ...order }, 201));
  };
