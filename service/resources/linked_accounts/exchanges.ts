import { setTimeout as sleep } from 'node:timers/promises';
import { type AskContext, type Asking, command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { column, orNull, type RowOf, table } from '@tenant-payments/engine/table.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import { tokenHash, type Vault } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Aggregator, BankAccount } from '../../rails/aggregator.ts';
import { callFor } from '../../rails/call.ts';

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

/** Long enough that a busy process prolongs it in time, short enough that a retry outlasts it. */
const claimSeconds = 5;
const prolongMs = 1_500;

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
  const { claimed_until: until = null } = exchange ?? {};
  if (until !== null && until > work.now) return { ask: 'wait' };
  const claim = { asked_at: work.now, claimed_until: addSeconds(work.now, claimSeconds) };
  if (exchange) work.change(exchange, claim);
  else {
    const row = { token_hash: hashOf(token), customer_id: customerId, accounts_sealed: null };
    work.create(exchanges, { ...row, ...claim });
  }
  return { ask: 'now' };
}

/** A link was made of the answer: whoever shows the token again asks the aggregator. */
export const useExchange = (work: Work, exchange: ExchangeRow): void =>
  void work.change(exchange, { accounts_sealed: null });

interface Change {
  readonly hash: string;
  readonly set: 'prolonged' | 'given up' | { readonly accounts_sealed: string };
}

const changeExchange = command('change_exchange', {
  load: (read, { hash }: Change) => read.one(exchanges, hash),
  decide: (work, row, { set }) => {
    if (typeof set === 'object') work.change(row, { ...set, claimed_until: null });
    else if (row.claimed_until !== null) {
      const until = set === 'prolonged' ? addSeconds(work.now, claimSeconds) : null;
      work.change(row, { claimed_until: until });
    }
    return { value: null };
  },
});

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
  { tenantId, actor, submit }: AskContext,
): Promise<void> {
  const hash = hashOf(token);
  const change = (set: Change['set']) => submit(changeExchange, { hash, set });
  const { id: customerId, public_token: publicToken } = token;
  const prolonging = setInterval(() => void change('prolonged').catch(() => {}), prolongMs);
  try {
    const asked = { tenantId, customerId, publicToken };
    const { accounts, mismatch } = await aggregator.exchange(asked, callFor(actor));
    if (accounts === null) throw linkTokenMismatch(mismatch);
    const accounts_sealed = vault.seal(tenantId, exchangeSeal(hash), accounts);
    await keep(() => change({ accounts_sealed }));
  } catch (error) {
    // A claim that stays ends by itself.
    await change('given up').catch(() => {});
    throw error;
  } finally {
    clearInterval(prolonging);
  }
}

export const linkTokenMismatch = (reason: string) =>
  fail('link_token_mismatch', { param: 'public_token', details: { reason } });
