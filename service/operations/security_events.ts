import type { Logger } from 'pino';
import { openLineLimit } from './line_limit.ts';

/** Every security event and what has happened (rules/operations#41). */
export const securityEvents = {
  token_refused: 'a token was asked for with an unknown client or a wrong secret',
  rate_limited: 'an address, a client or a page met its rate limit',
  operator_refused: "a tenant was to be made without the operator's key",
  tenant_made: 'a tenant was made',
  client_secret_made: 'a client got a further secret',
  client_secret_retired: 'a secret of a client was retired',
  credentials_replaced: 'a start found its file lost: new credentials, the old ones are retired',
  tokens_revoked: 'all access tokens of a tenant were revoked',
  webhook_secret_made: 'a webhook secret was made, and shown once',
  webhook_secret_retired: 'a webhook secret was retired',
  webhook_endpoint_changed: 'events go to another address, or to none',
  settings_changed: 'settings of a tenant were changed',
  review_moved: 'a reviewer moved a record',
  pin_refused: 'a wrong PIN',
  pin_locked: 'a PIN was locked after wrong ones',
  pin_reset: 'a customer set a new PIN',
  pin_reset_closed: 'the PIN reset of a customer closed after wrong answers',
  pin_reset_allowed: 'a reviewer opened a closed PIN reset again',
  code_refused: 'a wrong message code',
  identity_refused: 'the answers for a new PIN are not those of the customer',
  passkey_added: 'a customer added a passkey',
  passkey_removed: 'a customer removed a passkey',
  passkeys_removed: 'a reviewer removed all passkeys of a customer',
  passkey_refused: "a passkey's answer was refused",
  contact_changed: 'a customer changed an address or a number',
} as const;

export type SecurityEventName = keyof typeof securityEvents;

/** Names, ids and addresses of ours alone: what a caller may choose freely could be a secret. */
export interface SecurityFacts {
  readonly actor: 'anybody' | 'client' | 'tenant' | 'customer' | 'operator';
  readonly [fact: string]: string | readonly string[] | undefined;
}

/** Each kind is written ten times a second at most, so that an attacker cannot fill the disk. */
const limits = new WeakMap<Logger, Map<SecurityEventName, () => number | null>>();

function limitOf(log: Logger, event: SecurityEventName): () => number | null {
  const known = limits.get(log) ?? new Map();
  limits.set(log, known);
  const limit = known.get(event) ?? openLineLimit();
  known.set(event, limit);
  return limit;
}

const isRefusal = (event: SecurityEventName) => /_(?:refused|limited|locked|closed)$/.test(event);

/** Writes a security event as a line of the log: a refusal as a warning, a change as information. */
export function securityEvent(log: Logger, event: SecurityEventName, facts: SecurityFacts): void {
  const left_out = limitOf(log, event)();
  if (left_out === null) return;
  const line = { security: event, ...facts, ...(left_out > 0 ? { left_out } : {}) };
  log[isRefusal(event) ? 'warn' : 'info'](line, securityEvents[event]);
}
