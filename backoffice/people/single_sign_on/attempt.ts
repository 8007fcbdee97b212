import { randomBytes } from 'node:crypto';
import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { SignOnFailed } from './words.ts';

/** An attempt on its way through a provider (rules/single-sign-on#7). */
export interface Attempt {
  readonly scope: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly purpose: 'sign_in' | 'step_up' | 'link';
  /** That steps up or links. */
  readonly session_id: string | null;
  readonly return_to: string;
  readonly created_at: string;
}

export interface NewAttempt {
  readonly state: string;
  /** The value of the browser's cookie. */
  readonly browser: string;
  readonly nonce: string;
  readonly verifier: string;
}

const random = (): string => randomBytes(32).toString('base64url');

export async function addAttempt(
  { control, clocks }: Pick<Service, 'control' | 'clocks'>,
  about: Pick<Attempt, 'scope' | 'purpose' | 'session_id' | 'return_to'>,
): Promise<NewAttempt> {
  const made = { state: random(), browser: random(), nonce: random(), verifier: random() };
  const nowMs = clocks.realNow();
  await control.query('delete from control.sign_in_attempts where expires_at <= $1', [
    instantOf(nowMs),
  ]);
  await control.query(
    `insert into control.sign_in_attempts (state_hash, scope, nonce, verifier, browser_hash,
       purpose, session_id, return_to, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      tokenHash(made.state),
      about.scope,
      made.nonce,
      made.verifier,
      tokenHash(made.browser),
      about.purpose,
      about.session_id,
      about.return_to,
      instantOf(nowMs),
      instantOf(nowMs + lifetimes.singleSignOn * 1_000),
    ],
  );
  return made;
}

/** Takes an attempt that comes back: it is good once, also when this one is refused. @throws SignOnFailed */
export async function takeAttempt(
  { control, clocks }: Pick<Service, 'control' | 'clocks'>,
  given: { readonly scope: string; readonly state: string; readonly browser: string | null },
): Promise<Attempt> {
  const { rows } = await control.query<Attempt & { browser_hash: string; expires_at: string }>(
    'delete from control.sign_in_attempts where state_hash = $1 returning *',
    [tokenHash(given.state)],
  );
  const [row] = rows;
  const isTheirs =
    row !== undefined &&
    row.scope === given.scope &&
    given.browser !== null &&
    row.browser_hash === tokenHash(given.browser) &&
    row.expires_at > instantOf(clocks.realNow());
  if (!isTheirs) throw new SignOnFailed('unknown_attempt');
  return row;
}
