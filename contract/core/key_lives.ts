import { lifetimes } from './numbers.ts';
import type { Role } from './roles.ts';

const ofADay: readonly Role[] = ['admin', 'reviewer'];

/** How many seconds a key with these roles lives at most (rules/api-keys#3). */
export const longestKey = (given: readonly Role[]): number =>
  given.some((role) => ofADay.includes(role)) ? lifetimes.staffApiKey : lifetimes.apiKey;

/** How many seconds the key of a program lives whose approver says nothing else (rules/device-sign-in#5). */
export const usualKey = (given: readonly Role[]): number =>
  Math.min(lifetimes.deviceApiKey, longestKey(given));
