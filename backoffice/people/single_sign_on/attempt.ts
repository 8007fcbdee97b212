import { randomBytes } from 'node:crypto';
import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { removeExpired } from '../expired.ts';
import { newToken } from '../sign_in/secrets.ts';
import { type AttemptRow, signInAttempts } from './table.ts';
import { SignOnFailed } from './words.ts';

/** An attempt on its way through a provider (rules/single-sign-on#7). Nobody is signed in whom the audit could name. */
export type Attempt = Omit<AttemptRow, 'state_hash' | 'browser_hash' | 'taken_at'>;

export type About = Pick<Attempt, 'scope' | 'purpose' | 'session_id' | 'return_to'>;

export interface NewAttempt {
  readonly state: string;
  /** The value of the browser's cookie. */
  readonly browser: string;
  readonly nonce: string;
  readonly verifier: string;
}

const random = (): string => randomBytes(32).toString('base64url');

interface Adding {
  readonly about: About;
  readonly made: NewAttempt;
}

const add = command('begin_single_sign_on', {
  load: async () => null,
  decide: (work, _none, { about, made }: Adding) => {
    const { scope, purpose, session_id, return_to } = about;
    work.create(signInAttempts, {
      state_hash: tokenHash(made.state),
      scope,
      nonce: made.nonce,
      verifier: made.verifier,
      browser_hash: tokenHash(made.browser),
      purpose,
      session_id,
      return_to,
      created_at: work.now,
      expires_at: addSeconds(work.now, lifetimes.singleSignOn),
      taken_at: null,
    });
    return { value: null };
  },
});

type Parts = Pick<Service, 'control' | 'clocks' | 'platformEngine' | 'vault'>;

export async function addAttempt(parts: Parts, about: About): Promise<NewAttempt> {
  const made = {
    state: newToken(parts, 'tpa'),
    browser: random(),
    nonce: random(),
    verifier: random(),
  };
  await removeExpired(parts);
  await parts.platformEngine.submit(add, { tenantId: platformId, input: { about, made } });
  return made;
}

interface Given {
  readonly scope: string;
  readonly state: string;
  readonly browser: string | null;
}

/** Commits also where the attempt is refused: it was good once. Tells the attempt; null: it is none of theirs. */
const take = command('take_sign_in_attempt', {
  load: (read, { state }: Given) => read.maybe(signInAttempts, tokenHash(state)),
  decide: (work, row, { scope, browser }) => {
    if (row === null || row.taken_at !== null) return { value: null, told: null };
    work.change<typeof signInAttempts>(row, { taken_at: work.now });
    const isTheirs =
      row.scope === scope &&
      browser !== null &&
      row.browser_hash === tokenHash(browser) &&
      row.expires_at > work.now;
    return { value: null, told: isTheirs ? row : null };
  },
});

/** Takes an attempt that comes back: it is good once, also when this one is refused. @throws SignOnFailed */
export async function takeAttempt(
  { platformEngine }: Pick<Parts, 'platformEngine'>,
  input: Given,
): Promise<Attempt> {
  const { told } = await platformEngine.submit(take, { tenantId: platformId, input });
  if (!told) throw new SignOnFailed('unknown_attempt');
  return told as Attempt;
}
