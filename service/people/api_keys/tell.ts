import type { Actor } from '../../core/actor.ts';
import {
  type SecurityEventName,
  type SecurityFacts,
  securityEvent,
} from '../../operations/security_events.ts';
import type { Service } from '../../service.ts';

/** Writes a security event of an actor's own act. */
export function tell(
  { log }: Pick<Service, 'log'>,
  { personId, address, requestId }: Actor,
  event: SecurityEventName,
  facts: Omit<SecurityFacts, 'actor'>,
): void {
  securityEvent(log, event, {
    client_address: address ?? undefined,
    request_id: requestId ?? undefined,
    actor: personId === null ? 'tenant' : 'person',
    person_id: personId ?? undefined,
    ...facts,
  });
}
