import { setTimeout as sleep } from 'node:timers/promises';
import { type AskContext, type Asking, command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { column, orNull, type RowOf, table } from '@tenant-payments/engine/table.ts';
import { tokenHash, type Vault } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Aggregator, BankAccount } from '../../rails/aggregator.ts';
import { callFor } from '../../rails/call.ts';
import { claim, openClaims } from '../claims.ts';

/**
 * Public tokens that were exchanged for a customer. A provider exchanges a token once, so its answer
 * is kept until a link is made of it (rules/linking#20).
 */
export const exchanges = table({
  name: 'exchanges',
  key: ['token_hash'],
  columns: {
    token_hash: column.text,
    customer_id: column.uuid,
    asked_at: column.instant,
    /** Until when the call that asks may take; it prolongs this while it lives. */
    claimed_until: orNull(column.instant),
    accounts_sealed: orNull(column.text),
  },
  frozen: ['customer_id'],
});
type ExchangeRow = RowOf<typeof exchanges>;

/** A public token in the hands of a customer. */
interface Token {
  /** The public id (`cus_...`). */
  readonly id: string;
  readonly public_token: string;
}

const hashOf = ({ id, public_token }: Token): string => tokenHash(`${id} ${public_token}`);
export const exchangeSeal = (hash: string): string => `exchange ${hash}`;

export const readExchange = (read: Read, token: Token): Promise<ExchangeRow | null> =>
  read.maybe(exchanges, hashOf(token));

/** The accounts that the aggregator answered with; null: it is still to be asked. */
export function answeredAccounts(
  vault: Vault,
  tenantId: string,
  exchange: ExchangeRow | null,
): readonly BankAccount[] | null {
  if (!exchange?.accounts_sealed) return null;
  const { token_hash, accounts_sealed } = exchange;
  return vault.open(tenantId, exchangeSeal(token_hash), accounts_sealed) as readonly BankAccount[];
}

/** Claims the question, in the transaction of the checks, or waits for the call that did. */
export function claimExchange(
  work: Work,
  exchange: ExchangeRow | null,
  token: Token,
  customerId: string,
): Asking {
  return claim(work, exchange?.claimed_until ?? null, (claimed_until) => {
    const set = { asked_at: work.now, claimed_until };
    if (exchange) work.change(exchange, set);
    else {
      const row = { token_hash: hashOf(token), customer_id: customerId, accounts_sealed: null };
      work.create(exchanges, { ...row, ...set });
    }
  });
}

/** A link was made of the answer: whoever shows the token again asks the aggregator. */
export const useExchange = (work: Work, exchange: ExchangeRow): void =>
  void work.change(exchange, { accounts_sealed: null });

interface Answer {
  readonly hash: string;
  readonly accounts_sealed: string;
}

/** An answer is good whoever has the claim by now. */
const keepAnswer = command('keep_exchange', {
  load: (read, { hash }: Answer) => read.one(exchanges, hash),
  decide: (work, row, { accounts_sealed }) => {
    work.change(row, { accounts_sealed, claimed_until: null });
    return { value: null };
  },
});

const asking = openClaims(exchanges, 'claimed_until');

const storingTries = 20;

/** The answer exists here alone, so a database that is away for some seconds must not lose it. */
async function keep(store: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return void (await store());
    } catch (error) {
      if (tries === storingTries) throw error;
      await sleep(500);
    }
  }
}

/**
 * Asks the aggregator under the claim, and keeps its answer in a transaction of its own.
 * @throws ApiError link_token_mismatch {reason}
 */
export async function askAggregator(
  { aggregator, vault }: { readonly aggregator: Aggregator; readonly vault: Vault },
  token: Token,
  context: AskContext,
): Promise<void> {
  const { tenantId, actor, submit } = context;
  const hash = hashOf(token);
  const { id: customerId, public_token: publicToken } = token;
  await asking(hash, context, async () => {
    const asked = { tenantId, customerId, publicToken };
    const { accounts, mismatch } = await aggregator.exchange(asked, callFor(actor));
    if (accounts === null) throw linkTokenMismatch(mismatch);
    const accounts_sealed = vault.seal(tenantId, exchangeSeal(hash), accounts);
    await keep(() => submit(keepAnswer, { hash, accounts_sealed }));
  });
}

export const linkTokenMismatch = (reason: string) =>
  fail('link_token_mismatch', { param: 'public_token', details: { reason } });
