import { auditedWrite, idIn } from '../../backoffice/audit/write.ts';
import { platform } from '../../backoffice/people/scope.ts';
import { ApiError } from '../../engine/fail.ts';
import { appendAudit, tellAudit } from '../../engine/write/append_audit.ts';
import {
  type SecurityEventName,
  type SecurityFacts,
  securityEvent,
} from '../../service/operations/security_events.ts';
import { commandLine } from './actor.ts';
import type { Deployment, OpenDatabase } from './deployment.ts';

type Facts = Omit<SecurityFacts, 'actor'>;
type Database = OpenDatabase['db'];

/** What somebody does at the command line, in ids of ours alone. */
export interface Act {
  readonly act: string;
  /** The Tenant in whose chain it stands; absent: the platform's. */
  readonly tenantId?: string;
  readonly event: SecurityEventName;
  readonly facts?: Facts;
  /** Which fields of what is done the line of the log names too: ids. */
  readonly names?: readonly string[];
}

/** Says who did what, as a line of the log (rules/operations#47). */
export function tell(
  { log }: Pick<Deployment, 'log'>,
  event: SecurityEventName,
  facts: Facts = {},
): void {
  const by = { actor: 'operator', command_line_user: commandLine().id } as const;
  securityEvent(log, event, { ...facts, ...by });
}

/**
 * Does what changes a deployment, with its row of the audit in one transaction (rules/audit#1); a
 * refusal is a row too. What the command line changes goes through here where it is no command yet: `submit.ts` runs
 * those.
 * @param work gets the transaction
 */
export async function recorded<T extends object>(
  deployment: Pick<Deployment, 'log' | 'database'>,
  { event, act }: Pick<Act, 'act' | 'event'>,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  const { log } = deployment;
  const { db } = await deployment.database();
  const by = { scope: platform, actor: commandLine(), act };
  const write = { ...by, record: idIn };
  const done = await auditedWrite({ db, log }, write, work).catch(async (error: unknown) => {
    if (error instanceof ApiError)
      tellAudit(log, await appendAudit(db, [{ ...by, record: null, outcome: error.code }]));
    throw error;
  });
  tell(deployment, event);
  return done;
}
