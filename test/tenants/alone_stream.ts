import { simulateNames } from '@tenant-payments/contract/catalog.ts';
import { type IdKind, idPrefixes } from '@tenant-payments/contract/core/ids.ts';
import { type ReviewResource, reviewMoves } from '@tenant-payments/contract/portal/review.ts';
import type { Choices } from '../kit/seed.ts';
import { openedPeople } from './alone_opening.ts';
import type { Answer, Player } from './alone_wire.ts';

/** One operation; null when there is nothing yet to do it to. */
type Play = (player: Player, choices: Choices) => Promise<Answer | null>;

const recentCount = 12;

/** Mostly something recent. */
function some(list: readonly string[], choices: Choices): string | null {
  if (list.length === 0) return null;
  return choices.pick(choices.percent(80) ? list.slice(-recentCount) : list);
}

const idOf = ({ teller }: Player, choices: Choices, kind: IdKind): string | null =>
  some(teller.known(idPrefixes[kind]), choices);

/** The first people are approved, linked and funded, so mostly one of them acts. */
const person = ({ teller }: Player, choices: Choices): string | null => {
  const people = teller.known(idPrefixes.customer);
  return people.length === 0
    ? null
    : choices.pick(choices.percent(85) ? people.slice(0, openedPeople) : people);
};

const amount = (choices: Choices): number =>
  1 + choices.below(choices.percent(90) ? 5_000 : 600_000);

/** Every post has a key; now and then it is one that was used before. */
function post(player: Player, choices: Choices, path: string, body: object = {}): Promise<Answer> {
  const step = choices.percent(2) ? choices.below(player.step + 1) : player.step;
  return player.teller.ask('POST', path, body, `key-${step}`);
}

const about =
  (
    kind: IdKind,
    play: (player: Player, choices: Choices, id: string) => Promise<Answer | null>,
  ): Play =>
  async (player, choices) => {
    const id = kind === 'customer' ? person(player, choices) : idOf(player, choices, kind);
    return id === null ? null : play(player, choices, id);
  };

const mobileOf = (step: number) =>
  `+1202${String(5_550_000 + (step % 4_000_000)).padStart(7, '0')}`;

const apply: Play = (player, choices) => {
  const { step } = player;
  return post(player, choices, '/v1/customers', {
    type: choices.pick(['individual', 'business']),
    external_ref: `ref-${step}`,
    email: `person-${step}@example.com`,
    mobile_number: mobileOf(step),
  });
};

const pay = (source: 'balance' | 'bank_account') =>
  about('customer', async (player, choices, payer_customer_id) => {
    const payee = person(player, choices);
    const code = choices.percent(30) ? some(player.codes, choices) : null;
    const how = code === null ? { payee_customer_id: payee } : { qr_payload: code };
    return post(player, choices, '/v1/payments', {
      payer_customer_id,
      ...how,
      amount: amount(choices),
      source,
      invoice_reference: 'invoice-1',
    });
  });

const request = about('customer', async (player, choices, merchant_customer_id) => {
  const kind = choices.percent(80)
    ? { type: 'dynamic', amount: amount(choices), expires_in: 60 + choices.below(7_200) }
    : { type: 'static', collection_point: { reference: 'counter', name: 'Counter' } };
  const body = { ...kind, merchant_customer_id };
  const answer = await post(player, choices, '/v1/payment-requests', body);
  if (answer.status === 201 && answer.body.qr_payload) player.codes.push(answer.body.qr_payload);
  return answer;
});

const flows = ['pin_reset', 'contact_change', 'terms_acceptance', 'onboarding'] as const;

const open = about('customer', (player, choices, customer_id) =>
  post(player, choices, '/v1/sessions', { flow: choices.pick(flows), customer_id }),
);

const dispute = about('payment', async (player, choices, payment_id) => {
  const customer_id = person(player, choices);
  const { body: clock } = await player.teller.ask('GET', '/portal/api/clock');
  return post(player, choices, '/v1/disputes', {
    customer_id,
    type: choices.pick(['error', 'unauthorized_transfer', 'purchase_dispute']),
    payment_id,
    description: 'It was not me',
    notice_received_at: clock.now,
  });
});

const resources = Object.keys(idPrefixes) as IdKind[];

/** The bank, a provider, a reviewer or the customer acts on something of the kind that it acts on. */
const simulate: Play = async (player, choices) => {
  const event = choices.pick(simulateNames);
  const kind = resources.find((one) => event.startsWith(`${one}.`));
  const object_id = kind ? idOf(player, choices, kind) : null;
  if (object_id === null) return null;
  return post(player, choices, `/v1/sandbox/simulate/${event}`, { object_id });
};

/** What leads a record on: its customer confirms, then its bank answers. */
const lead: Play = async (player, choices) => {
  const kind = choices.pick(['payment', 'load', 'withdrawal', 'refund'] as const);
  const object_id = idOf(player, choices, kind);
  if (object_id === null) return null;
  const ends = kind === 'load' || kind === 'withdrawal' ? 'settled' : 'completed';
  const event = choices.pick(['session.completed', 'session.completed', `${kind}.${ends}`]);
  return post(player, choices, `/v1/sandbox/simulate/${event}`, { object_id });
};

const reviewed: Readonly<Partial<Record<ReviewResource, IdKind>>> = {
  customers: 'customer',
  owners: 'owner',
  'linked-accounts': 'linked_account',
  accounts: 'account',
  disputes: 'dispute',
};

const review: Play = async (player, choices) => {
  const resource = choices.pick(Object.keys(reviewed) as (keyof typeof reviewed)[]);
  const id = idOf(player, choices, reviewed[resource] ?? 'customer');
  if (id === null) return null;
  const move = choices.pick<string>(reviewMoves[resource]);
  const body = move === 'adjust' ? { amount: 1 + choices.below(500) } : {};
  return post(player, choices, `/portal/api/review/${resource}/${id}/${move}`, body);
};

const reads = [
  ['customer', '/v1/customers/:id'],
  ['customer', '/v1/customers/:id/owners'],
  ['customer', '/v1/customers/:id/linked-accounts'],
  ['customer', '/v1/accounts?customer_id=:id'],
  ['account', '/v1/accounts/:id/balance'],
  ['account', '/v1/accounts/:id/transactions'],
  ['payment', '/v1/payments/:id'],
  ['load', '/v1/loads/:id'],
  ['withdrawal', '/v1/withdrawals/:id'],
  ['refund', '/v1/refund-requests/:id'],
  ['payment_request', '/v1/payment-requests/:id'],
] as const;

const read: Play = async (player, choices) => {
  const [kind, path] = choices.pick(reads);
  const id = idOf(player, choices, kind);
  return id === null ? null : player.teller.ask('GET', path.replace(':id', id));
};

/** How often each is played, of the sum. */
const plays: readonly (readonly [share: number, play: Play])[] = [
  [2, apply],
  [10, pay('balance')],
  [6, pay('bank_account')],
  [5, request],
  [30, lead],
  [12, simulate],
  [3, review],
  [2, open],
  [3, dispute],
  [1, (player) => player.teller.ask('PUT', '/portal/api/settings', { withdrawal_hold_hours: 0 })],
  [
    6,
    about('customer', (player, choices, customer_id) =>
      post(player, choices, '/v1/loads', { customer_id, amount: 100 + amount(choices) }),
    ),
  ],
  [
    6,
    about('customer', (player, choices, customer_id) =>
      post(player, choices, '/v1/withdrawals', { customer_id, amount: 100 + amount(choices) }),
    ),
  ],
  [
    6,
    about('payment', (player, choices, payment_id) =>
      post(player, choices, '/v1/refund-requests', {
        payment_id,
        amount: amount(choices),
        reason: 'other',
      }),
    ),
  ],
  [
    2,
    about('payment', (player, choices, id) => post(player, choices, `/v1/payments/${id}/cancel`)),
  ],
  [
    1,
    about('payment_request', (player, choices, id) =>
      post(player, choices, `/v1/payment-requests/${id}/cancel`),
    ),
  ],
  [
    2,
    about('session', (player, choices, id) =>
      post(player, choices, '/v1/sessions/exchange', { result_token: `rt_test_${id}` }),
    ),
  ],
  [
    2,
    about('customer', (player, choices, id) =>
      post(player, choices, `/v1/customers/${id}/linked-accounts`, {
        public_token: `public-sandbox-${choices.pick(['standard', 'rtp_only', 'review'])}`,
      }),
    ),
  ],
  [10, read],
];
const shares = plays.reduce((sum, [share]) => sum + share, 0);

/** A clock that goes on runs what falls due, which costs more than an operation does. */
const tickPercent = 35;
const tickSeconds = 120;
const longPercent = 1;
const longSeconds = [3_600, 86_400, 2 * 86_400];

function playOf(choices: Choices): Play {
  let at = choices.below(shares);
  for (const [share, play] of plays) {
    if (at < share) return play;
    at -= share;
  }
  return read;
}

/** How far the tenant's clock goes before a step. */
function secondsOf(choices: Choices): number {
  if (choices.percent(longPercent)) return choices.pick(longSeconds);
  return choices.percent(tickPercent) ? 1 + choices.below(tickSeconds) : 0;
}

/** One step: the tenant's clock may go on, and then one operation. @returns whether there was one */
export async function playStep(player: Player, choices: Choices): Promise<boolean> {
  const seconds = secondsOf(choices);
  if (seconds > 0) await player.teller.ask('POST', '/portal/api/clock/advance', { seconds });
  return (await playOf(choices)(player, choices)) !== null;
}
