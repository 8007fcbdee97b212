import {
  type SecurityEventName,
  type SecurityFacts,
  securityEvent,
} from '@tenant-payments/service/operations/security_events.ts';
import { commandLine } from './actor.ts';
import type { Deployment } from './deployment.ts';

/** Says who did what, as a line of the log (rules/operations#47). */
export function logOperatorEvent(
  { log }: Pick<Deployment, 'log'>,
  event: SecurityEventName,
  facts: Omit<SecurityFacts, 'actor'> = {},
): void {
  const by = { actor: 'operator', command_line_user: commandLine().id } as const;
  securityEvent(log, event, { ...facts, ...by });
}
