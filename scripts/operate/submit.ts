import type { platform } from '../../backoffice/people/scope.ts';
import type { Command } from '../../engine/command.ts';
import { ApiError } from '../../engine/fail.ts';
import { appendAudit, tellAudit } from '../../engine/write/append_audit.ts';
import { commandLine } from './actor.ts';
import type { Deployment } from './deployment.ts';
import { type Act, tell } from './recorded.ts';

/** What is told of a command besides what its own row of the audit says. */
interface Told extends Pick<Act, 'act' | 'event' | 'facts' | 'names' | 'record'> {
  /** The Tenant that the command is of. */
  readonly tenantId: string;
  /** Where the act stands in the audit; absent: in the Tenant's chain. */
  readonly scope?: typeof platform;
}

/**
 * Runs a command for whoever is at the command line. It writes its row of the audit itself; a refusal is
 * a row too.
 * @returns what the command answers
 */
export async function submitted<Reply extends object, Input, Loaded, Prepared>(
  deployment: Pick<Deployment, 'log' | 'database' | 'engine'>,
  { tenantId, scope, act, record, event, facts, names = [] }: Told,
  command: Command<Input, Loaded, Prepared>,
  input: NoInfer<Input>,
): Promise<Reply> {
  const { log } = deployment;
  const actor = commandLine();
  const engine = await deployment.engine();
  const { body } = await engine
    .submit(command, { tenantId, actor, input })
    .catch(async (error: unknown) => {
      if (error instanceof ApiError) {
        const { db } = await deployment.database();
        const refusal = { scope: scope ?? tenantId, actor, act, record: record ?? null };
        tellAudit(log, await appendAudit(db, [{ ...refusal, outcome: error.code }]));
      }
      throw error;
    });
  const done: Reply = JSON.parse(body);
  const named = Object.fromEntries(Object.entries(done).filter(([name]) => names.includes(name)));
  tell(deployment, event, { tenant_id: tenantId, ...facts, ...named });
  return done;
}
