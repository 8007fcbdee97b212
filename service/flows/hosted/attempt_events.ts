import { ApiError } from '@tenant-payments/engine/fail.ts';
import type { SecurityEventName } from '../../operations/security_events.ts';
import type { PageCaller } from './caller.ts';
import type { PinResult } from './pin/pin.ts';

/** Writes what became of a PIN, and hands the answer for the page on. */
export function reportVerdict({ tell }: PageCaller, { locks, ...result }: PinResult) {
  if (result.verdict === 'right') tell('pin_accepted');
  if (result.verdict === 'wrong') tell('pin_refused');
  if (locks) tell('pin_locked');
  return result;
}

/** Writes whether a passkey's answer was taken. */
export async function reportPasskey(caller: PageCaller, attempt: Promise<string>): Promise<void> {
  const { is_behind } = JSON.parse(await reportRefusal(caller, 'passkey_refused', attempt));
  if (is_behind) caller.tell('passkey_counter_behind');
  caller.tell('passkey_accepted');
}

/** Writes an event where what the customer gave was refused as wrong. */
export async function reportRefusal<T>(
  { tell }: PageCaller,
  event: SecurityEventName,
  attempt: Promise<T>,
): Promise<T> {
  return attempt.catch((error: unknown) => {
    const isWrong =
      error instanceof ApiError &&
      (error.param === 'credential' || error.details?.reason === 'no_match');
    if (isWrong) tell(event);
    throw error;
  });
}
