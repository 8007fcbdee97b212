import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { openings } from '../../contract/people/session.ts';

/** Sessions of people (rules/sign-in#7). All times are real. */

export const idleSeconds = (environment: Service['environment']): number =>
  environment === 'sandbox' ? lifetimes.personSessionIdleSandbox : lifetimes.personSessionIdle;

/** The origin of a request, as its person sees it in the list. */
export interface Origin {
  readonly address: string;
  readonly browser: string;
}

export type OpenedBy = (typeof openings)[number];

/** A session with the token of its cookie. */
export interface OpenedSession {
  readonly id: string;
  readonly token: string;
  /** The scope where it acts; null: its person holds no role. */
  readonly scope: string | null;
}
