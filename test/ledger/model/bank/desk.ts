import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { Choices } from '../../../kit/seed.ts';
import { post } from '../client.ts';
import { latest, type Move, type Play, send, type Twin } from '../moves/move.ts';
import type { ModelTarget } from '../types.ts';

/** The acts of a person on money that the bank reported: each sum in suspense, and each request to give a load back. */

interface Held {
  readonly id: string;
  readonly amount: number;
  readonly account_id: string | null;
}

/** Matches money that is held to the account that it most likely belongs to, or orders that it goes back. */
export const resolveHeld: Play = async (twin, choices) => {
  const { sender, model } = twin;
  const held = await sender.query<Held>(
    `select id, amount, account_id from suspense where tenant_id = $1 and status = 'held' order by created_at, id`,
  );
  const item = latest(choices, held, 20);
  if (!item) return null;
  const path = `/portal/api/review/suspense/${publicId('adjustment', item.id)}`;
  const person = model.people.find(({ accountId }) => accountId === item.account_id);
  if (!person || person.status === 'closed' || choices.percent(50))
    return send(twin, choices, post(`${path}/return`, {}), 'done');
  const expected = model.creditFromSuspense(person, item.amount);
  return send(twin, choices, post(`${path}/match`, {}), expected, [person]);
};

interface Asked {
  readonly id: string;
  readonly amount: number;
  readonly source_id: string;
}

/** The load whose money can be given back by itself: nothing of it is in suspense or was given back before. */
function recallable(twin: Twin, { source_id }: Asked): ModelTarget | null {
  const load = twin.model.loads.find(({ kind, id }) => id !== '' && uuidOf(kind, id) === source_id);
  const isPlain =
    load?.status === 'settled' && load.unmatched.size === 0 && load.payments.length < 2;
  return load && isPlain && load.customer.status === 'active' ? load : null;
}

async function accept(
  twin: Twin,
  choices: Choices,
  load: ModelTarget,
  asked: Asked,
): Promise<Move> {
  const { customer } = load;
  const most = Math.min(customer.available, asked.amount);
  const amount = choices.percent(40) ? most : 1 + choices.below(most);
  // Money given back leaves the load: another request of it is refused.
  load.payments.push(0, 0);
  const expected = twin.model.creditFromSuspense(customer, -amount);
  const path = `/portal/api/review/return-requests/${publicId('return_request', asked.id)}/accept`;
  return send(twin, choices, post(path, { amount }), expected, [customer]);
}

/** Answers a request of another bank. */
export const answerReturnRequest: Play = async (twin, choices) => {
  const open = await twin.sender.query<Asked>(
    `select id, amount, source_id from return_requests where tenant_id = $1 and status = 'open' order by created_at, id`,
  );
  const asked = latest(choices, open, 20);
  if (!asked) return null;
  const load = recallable(twin, asked);
  if (load && load.customer.available > 0 && choices.percent(75))
    return accept(twin, choices, load, asked);
  const path = `/portal/api/review/return-requests/${publicId('return_request', asked.id)}/refuse`;
  return send(twin, choices, post(path, { finding: 'the money is spent' }), 'done');
};
