import { type AuditedWrite, auditedWrite, idIn } from '../../backoffice/audit/write.ts';
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
export interface Act extends Pick<AuditedWrite<object>, 'act' | 'before' | 'isPersonal'> {
  /** The Tenant in whose chain it stands; absent: the platform's. */
  readonly tenantId?: string;
  /** What it was done to, where what is done has no id. */
  readonly record?: string;
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
  { event, facts, names = [], tenantId, record, act, ...more }: Act,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  const { log } = deployment;
  const { db } = await deployment.database();
  const by = { scope: tenantId ?? platform, actor: commandLine(), act };
  const write: AuditedWrite<T> = {
    ...by,
    ...more,
    record: (done) => record ?? idIn(done),
    ...(tenantId === undefined ? {} : { lock: tenantId }),
  };
  const done = await auditedWrite({ db, log }, write, work).catch(async (error: unknown) => {
    if (error instanceof ApiError)
      tellAudit(
        log,
        await appendAudit(db, [{ ...by, record: record ?? null, outcome: error.code }]),
      );
    throw error;
  });
  const named = Object.fromEntries(Object.entries(done).filter(([name]) => names.includes(name)));
  tell(deployment, event, { ...(tenantId && { tenant_id: tenantId }), ...facts, ...named });
  return done;
}
