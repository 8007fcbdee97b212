import { randomUUID as newKey } from 'node:crypto';
import type { SimulateName } from '@tenant-payments/contract/catalog.ts';
import type { Command } from '../../../engine/command.ts';
import type { ReplyBody } from '../../kit/http/http.ts';
import type { Person } from '../customers.ts';
import { type Outcome, recordOf, type Sender } from '../sender.ts';
import type { Round } from './server.ts';

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

type Source = 'balance' | 'bank_account';

/** The verbs of a Tenant, its customers and their banks: each command under a key of its own. */
export function openVerbs(
  { commands, send }: Pick<Sender, 'commands' | 'send'>,
  via: () => number,
) {
  const post = <I, L, P>(command: Command<I, L, P>, input: NoInfer<I>): Promise<Outcome> =>
    send(command, input, { via: via(), key: newKey() });
  const create = (payer: Person, source: Source, how: object): Promise<Outcome> => {
    const invoice = payer.type === 'business' ? { invoice_reference: 'race' } : {};
    const { customerId: payer_customer_id } = payer;
    return post(commands.createPayment, { payer_customer_id, source, ...invoice, ...how });
  };
  const simulate = (event: SimulateName, { id }: ReplyBody, failure_code?: string) =>
    post(commands.simulate, {
      event,
      object_id: id,
      ...(failure_code ? { failure_code } : {}),
    });
  const confirm = (record: ReplyBody) => simulate('session.completed', record);
  return {
    simulate,
    confirm,
    decline: (record: ReplyBody) => simulate('session.canceled', record, 'confirmation_declined'),
    pay: (payer: Person, payee: Person, amount: number) =>
      create(payer, 'balance', { payee_customer_id: payee.customerId, amount }),
    payByBank: (payer: Person, payee: Person, amount: number) =>
      create(payer, 'bank_account', { payee_customer_id: payee.customerId, amount }),
    /** @param amount of a static request */
    payCode: (payer: Person, source: Source, { qr_payload }: ReplyBody, amount?: number) =>
      create(payer, source, { qr_payload, ...(amount === undefined ? {} : { amount }) }),
    /** A dynamic payment request; without an amount a static one. */
    ask({ customerId: merchant_customer_id }: Person, amount?: number) {
      const collection_point = { reference: 'till', name: 'Till' };
      return post(commands.createPaymentRequest, {
        merchant_customer_id,
        ...(amount === undefined
          ? { type: 'static', collection_point }
          : { type: 'dynamic', amount }),
      });
    },
    cancelRequest: ({ id }: ReplyBody) => post(commands.cancelPaymentRequest, { id }),
    cancel: ({ id }: ReplyBody) => post(commands.cancelPayment, { id }),
    load: ({ customerId: customer_id }: Person, amount: number) =>
      post(commands.createLoad, { customer_id, amount }),
    withdraw: ({ customerId: customer_id }: Person, amount: number) =>
      post(commands.createWithdrawal, { customer_id, amount }),
    refund: ({ id }: ReplyBody, amount: number) =>
      post(commands.createRefund, { payment_id: id, amount, reason: 'other' }),
    close: ({ customerId: id }: Pick<Person, 'customerId'>) =>
      post(commands.closeCustomer, { id, reason: 'customer_request' }),
    /** Made and confirmed. @returns the record as it was made */
    async confirmed(made: Promise<Outcome>): Promise<ReplyBody> {
      const record = recordOf(await made);
      recordOf(await confirm(record));
      return record;
    },
  };
}
export type Verbs = ReturnType<typeof openVerbs>;
