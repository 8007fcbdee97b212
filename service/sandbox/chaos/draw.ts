import { createHash } from 'node:crypto';
import type { Chaos } from '@tenant-payments/contract/sandbox/chaos.ts';
import type { DeliveryFault } from '../../webhooks/dispatch/delivery_fault.ts';

type Kind = Exclude<keyof Chaos, 'seed' | 'ends_at'>;
/** Whether a fault strikes, or how long an event is held back. */
type Question = Kind | 'delay';

/** How long an event is held back: long enough for the next version, short enough for a test. */
const shortestDelayMs = 2_000;
const longestDelayMs = 5_000;

/**
 * A number from 0 to below 1 that depends only on the arguments (rules/sandbox#29).
 * @param ordinal which call or event it is since the setting was put, from 1 on
 */
export function draw(seed: number, question: Question, ordinal: number): number {
  const digest = createHash('sha256').update(`${seed} ${question} ${ordinal}`).digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

/** Whether a fault strikes there: never at a rate of 0, always at 1. */
export const strikes = (setting: Chaos, kind: Kind, ordinal: number): boolean =>
  draw(setting.seed, kind, ordinal) < setting[kind];

/**
 * The fault of an event's delivery. Only odd versions are held back: the even one that follows overtakes them, whereas
 * events that are all late would keep their order.
 */
export function faultOf(setting: Chaos, ordinal: number, version: number): DeliveryFault {
  const late = version % 2 === 1 && strikes(setting, 'out_of_order', ordinal);
  const share = draw(setting.seed, 'delay', ordinal);
  return {
    delayMs: late ? Math.round(shortestDelayMs + share * (longestDelayMs - shortestDelayMs)) : 0,
    failFirstAttempt: strikes(setting, 'fail_first_attempt', ordinal),
    duplicate: strikes(setting, 'duplicate', ordinal),
  };
}
