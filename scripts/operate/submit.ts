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
 * Runs a command of a Tenant for whoever is at the command line. The engine writes its row of the audit; a
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
  const where = scope ? { scope, record: tenantId } : { scope: tenantId, record: null };
  const done = { act, ...where };
  const { body } = await engine
    .submit(command, { tenantId, actor, act: done, input })
    .catch(async (error: unknown) => {
      if (error instanceof ApiError)
        tellAudit(log, await appendAudit(db, [{ ...done, actor, outcome: error.code }]));
      throw error;
    });
  const reply: Reply = JSON.parse(body);
  const named = Object.fromEntries(Object.entries(reply).filter(([name]) => names.includes(name)));
  tell(deployment, event, { tenant_id: tenantId, ...facts, ...named });
  return reply;
}
