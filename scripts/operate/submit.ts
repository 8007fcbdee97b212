import type { platform } from '../../backoffice/people/scope.ts';
import type { Command } from '../../engine/command.ts';
import { ApiError } from '../../engine/fail.ts';
import { appendAudit, tellAudit } from '../../engine/write/append_audit.ts';
import { commandLine } from './actor.ts';
import type { Deployment } from './deployment.ts';
import { type Act, tell } from './recorded.ts';
import { findTenant } from './tenant.ts';

/** What is told of a command besides what its own row of the audit says. */
interface Told extends Pick<Act, 'act' | 'event' | 'facts' | 'names'> {
  /** Where the act stands in the audit; absent: in the Tenant's chain. */
  readonly scope?: typeof platform;
}

/**
 * Runs a command of a Tenant for whoever is at the command line. It writes its row of the audit itself; a
 * refusal is a row too.
 * @returns what the command answers
 * @throws ApiError not_found, reason `unknown_tenant`; what the command throws
 */
export async function submitted<Reply extends object, Input = object>(
  deployment: Pick<Deployment, 'log' | 'parts' | 'engine'>,
  tenantId: string,
  { scope, act, event, facts, names = [] }: Told,
  command: Command<Input>,
  input: Input,
): Promise<Reply> {
  const { log } = deployment;
  const { db } = await deployment.parts();
  await findTenant({ db }, tenantId);
  const engine = await deployment.engine();
  const actor = commandLine();
  const { body } = await engine
    .submit(command, { tenantId, actor, input })
    .catch(async (error: unknown) => {
      if (error instanceof ApiError) {
        const where = scope ? { scope, record: tenantId } : { scope: tenantId, record: null };
        tellAudit(log, await appendAudit(db, [{ ...where, actor, act, outcome: error.code }]));
      }
      throw error;
    });
  const done: Reply = JSON.parse(body);
  const named = Object.fromEntries(Object.entries(done).filter(([name]) => names.includes(name)));
  tell(deployment, event, { tenant_id: tenantId, ...facts, ...named });
  return done;
}
