import type { ActorKind } from '@tenant-payments/contract/core/actors.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import type { Logger } from 'pino';
import { openLineLimit } from './line_limit.ts';

/** Every security event and what has happened (rules/operations#41). */
export const securityEvents = {
  token_given: 'a client got an access token',
  token_refused: 'a token was asked for with an unknown client or a wrong secret',
  access_refused: 'a token, a bearer or a cookie was not good, or its roles were not enough',
  input_invalid: 'a hosted page or the portal was sent what its operation does not take',
  rate_limited: 'an address, client, page or caller of the portal met its rate limit',
  operator_refused: "a tenant was to be made without the operator's key",
  tenant_made: 'a tenant was made',
  sandbox_reset: 'a sandbox was begun anew',
  tenant_moved: 'a tenant was moved to another cell',
  tenant_suspended: 'a tenant was suspended: its tokens ended, and it gets none',
  tenant_resumed: 'a suspended tenant may get tokens again',
  client_secret_made: 'a client got a further secret',
  client_secret_retired: 'a secret of a client was retired',
  credentials_replaced: 'a start found its file lost: new credentials, the old ones are retired',
  tokens_revoked: 'all access tokens of a tenant were revoked',
  webhook_secret_made: 'a webhook secret was made, and shown once',
  webhook_secret_retired: 'a webhook secret was retired',
  webhook_endpoint_changed: 'events go to another address, or to none',
  settings_changed: 'settings of a tenant were changed',
  qr_key_revoked: 'a key of QR codes was revoked: its codes are refused',
  reseal_begun: 'workers seal anew what older keys have sealed',
  restore_begun: 'the database was said to be restored: what leaves the service is held',
  restore_ended: 'a restore was ended: what was held is released',
  restore_order_settled: 'an order that nobody repeats after a restore was settled by people',
  migrations_applied: 'migrations were applied by the command line',
  review_moved: 'a reviewer moved a record',
  approval_requested: 'a second person was asked to approve an act',
  approval_signed: 'a passkey of the approver signed the hash of a request',
  approval_given: 'a second person approved an act, or was the first of two who must',
  approval_denied: 'an act that waited for a second person was refused',
  pin_accepted: 'a right PIN',
  pin_refused: 'a wrong PIN',
  pin_locked: 'a PIN was locked after wrong ones',
  pin_reset: 'a customer set a new PIN',
  pin_reset_closed: 'the PIN reset of a customer closed after wrong answers',
  pin_reset_allowed: 'a reviewer opened a closed PIN reset again',
  code_accepted: 'a right message code',
  code_refused: 'a wrong message code',
  identity_refused: 'the answers for a new PIN are not those of the customer',
  passkey_added: 'a customer added a passkey',
  passkey_removed: 'a customer removed a passkey',
  passkeys_removed: 'a reviewer removed all passkeys of a customer',
  passkey_accepted: 'a passkey confirmed a record, or proved its customer',
  passkey_refused: "a passkey's answer was refused",
  passkey_counter_behind: 'a passkey of several devices was taken though its counter was behind',
  contact_changed: 'a customer changed an address or a number',
  api_key_made: 'an API key was made',
  api_key_revoked: 'an API key was revoked',
  device_sign_in_approved: 'a person let a program fetch an API key',
  device_sign_in_denied: 'a person refused a program an API key',
  signed_in: 'a person signed in to the portal',
  sign_in_refused: 'a sign-in, a step-up or an invitation was refused',
  stepped_up: 'a person proved a passkey again',
  session_moved: 'a session appeared in another network and browser: it must prove itself',
  recovery_code_used: 'a person signed in with a recovery code; all other sessions ended',
  recovery_codes_replaced: 'a person got new recovery codes',
  portal_passkey_added: 'a person added a passkey',
  portal_passkey_named: 'a person named a passkey anew',
  portal_passkey_removed: 'a person removed a passkey',
  signed_out: 'a person signed out',
  acting_elsewhere: 'a session of a person acts in another tenant, or in the platform',
  sessions_ended: 'sessions of a person were ended',
  person_invited: 'somebody was invited to a tenant or to the platform',
  person_disabled: 'a person was disabled: every session ended, and no sign-in opens another',
  person_enabled: 'a disabled person may sign in again',
  person_reset: 'a link was made by which a person replaces passkeys and recovery codes',
  invitation_revoked: 'an invitation was revoked',
  invitation_accepted: 'an invitation was accepted',
  single_sign_on_set: 'an identity provider of a tenant or of the platform was set or changed',
  single_sign_on_removed: 'an identity provider was removed; the sessions that it opened ended',
  identity_linked: "a provider's account was matched with a person for the first time",
  support_consent_given: 'an owner let staff see the tenant as a reader',
  support_consent_ended: 'an owner ended that; whoever was in is out',
  support_entered: 'one of the staff sees a tenant as a reader, by consent',
  support_left: 'one of the staff left the tenant again',
  roles_changed: 'roles of a member or of the staff were changed, and the sessions ended',
} as const;

export type SecurityEventName = keyof typeof securityEvents;

/** Names, ids and addresses of ours alone: what a caller may choose freely could be a secret. */
export interface SecurityFacts {
  readonly actor: 'anybody' | 'customer' | 'operator' | ActorKind;
  readonly [fact: string]: string | readonly string[] | undefined;
}

/** How a line names who acted, where somebody is known: the kind, and ids of ours. */
export function actorFacts(actor: Actor | undefined): SecurityFacts {
  if (!actor) return { actor: 'anybody' };
  const { kind, id, personId } = actor;
  if (kind === 'operator_key') return { actor: 'operator' };
  return { actor: kind, [`${kind}_id`]: id, ...(personId !== null && { person_id: personId }) };
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
