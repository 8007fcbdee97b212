import type { Actor } from '@tenant-payments/engine/actor.ts';
import {
  actorFacts,
  type SecurityEventName,
  type SecurityFacts,
  securityEvent,
} from '@tenant-payments/service/operations/security_events.ts';
import type { Service } from '@tenant-payments/service/service.ts';

/** Writes a security event of an actor's own act. */
export function logActorEvent(
  { log }: Pick<Service, 'log'>,
  actor: Actor,
  event: SecurityEventName,
  facts: Omit<SecurityFacts, 'actor'>,
): void {
  securityEvent(log, event, {
    client_address: actor.address ?? undefined,
    request_id: actor.requestId ?? undefined,
    ...actorFacts(actor),
    ...facts,
  });
}
