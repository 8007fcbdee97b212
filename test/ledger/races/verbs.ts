import { randomUUID as newKey } from 'node:crypto';
import type { SimulateName } from '@tenant-payments/contract/catalog.ts';
import type { ReplyBody } from '../../kit/http.ts';
import type { Person } from '../customers.ts';
import { type Outcome, recordOf, type Sender } from '../sender.ts';
import type { Round } from './rounds.ts';

/** Half of the rounds are played on one engine, half on both at once, command by command. */
export const engineOf = (round: Round) => (): number =>
  round.number % 2 === 0 ? round.below(2) : (round.number >> 1) % 2;

/** How often each outcome came. */
export function tally(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of outcomes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

export const times = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, make));

const oneTurn = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Begins the moves in random order, within a few turns of the event loop, so that they meet in one
 * batch or in two in every order there is. @returns what came of each, in the order given
 */
export function atOnce<T>(round: Round, moves: readonly (() => Promise<T>)[]): Promise<T[]> {
  const places = round.shuffle(moves.map((_, index) => index));
  const results: Promise<T>[] = [];
  for (const place of places) {
    const turns = round.below(4);
    results[place] = (async () => {
      for (let turn = 0; turn < turns; turn += 1) await oneTurn();
      return (moves[place] as () => Promise<T>)();
    })();
  }
  return Promise.all(results);
}

export interface Pockets {
  readonly available: number;
  readonly pending_outgoing: number;
  readonly earmarked: number;
}

export async function pocketsOf({ query }: Sender, { accountId }: Person): Promise<Pockets> {
  const [pockets] = await query<Pockets>(
    `select available, pending_outgoing, earmarked from balances
     where tenant_id = $1 and account_id = $2`,
    accountId,
  );
  if (!pockets) throw new Error(`no balance of ${accountId}`);
  return pockets;
}

/** The types of a record's events, in the order of its versions. */
export async function eventsOf({ query }: Sender, id: string): Promise<string[]> {
  const events = await query<{ type: string }>(
    // As the index has it, which keeps the samples out.
    `select type from events where tenant_id = $1 and object_id = $2 and not sample
     order by version`,
    id,
  );
  return events.map(({ type }) => type);
}

/** What a Tenant, its customers and their banks do in a race: each under a key of its own. */
export function openVerbs({ commands, send, simulate }: Sender, via: () => number) {
  const sending = () => ({ via: via(), key: newKey() });
  const pay = (payer: Person, source: 'balance' | 'bank_account', how: object): Promise<Outcome> =>
    send(
      commands.createPayment,
      {
        payer_customer_id: payer.customerId,
        source,
        ...(payer.type === 'business' ? { invoice_reference: 'race' } : {}),
        ...how,
      },
      sending(),
    );
  const play = (event: SimulateName, { id }: ReplyBody, failure_code?: string) =>
    simulate(event, id, { ...sending(), ...(failure_code ? { failure_code } : {}) });
  const confirm = (record: ReplyBody) => play('session.completed', record);
  return {
    play,
    confirm,
    decline: (record: ReplyBody) => play('session.canceled', record, 'confirmation_declined'),
    pay: (payer: Person, payee: Person, amount: number) =>
      pay(payer, 'balance', { payee_customer_id: payee.customerId, amount }),
    payByBank: (payer: Person, payee: Person, amount: number) =>
      pay(payer, 'bank_account', { payee_customer_id: payee.customerId, amount }),
    payCode: (payer: Person, source: 'balance' | 'bank_account', { qr_payload }: ReplyBody) =>
      pay(payer, source, { qr_payload }),
    ask: ({ customerId }: Person, amount: number) =>
      send(
        commands.createPaymentRequest,
        { type: 'dynamic', merchant_customer_id: customerId, amount },
        sending(),
      ),
    cancelRequest: ({ id }: ReplyBody) => send(commands.cancelPaymentRequest, { id }, sending()),
    cancel: ({ id }: ReplyBody) => send(commands.cancelPayment, { id }, sending()),
    load: ({ customerId }: Person, amount: number) =>
      send(commands.createLoad, { customer_id: customerId, amount }, sending()),
    withdraw: ({ customerId }: Person, amount: number) =>
      send(commands.createWithdrawal, { customer_id: customerId, amount }, sending()),
    refund: ({ id }: ReplyBody, amount: number) =>
      send(commands.createRefund, { payment_id: id, amount, reason: 'other' }, sending()),
    close: ({ customerId }: Person) =>
      send(commands.closeCustomer, { id: customerId, reason: 'customer_request' }, sending()),
    /** Made and confirmed. @returns the record as it was made */
    async confirmed(made: Promise<Outcome>): Promise<ReplyBody> {
      const record = recordOf(await made);
      recordOf(await confirm(record));
      return record;
    },
  };
}
export type Verbs = ReturnType<typeof openVerbs>;
