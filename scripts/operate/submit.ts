import { platform } from '../../backoffice/people/scope.ts';
import type { Act as NamedAct } from '../../engine/batch/acts.ts';
import type { Engine } from '../../engine/batch/engine.ts';
import type { Command } from '../../engine/command.ts';
import { ApiError } from '../../engine/fail.ts';
import { platformId } from '../../engine/platform.ts';
import { appendAudit, tellAudit } from '../../engine/write/append_audit.ts';
import type { SecurityEventName, SecurityFacts } from '../../service/operations/security_events.ts';
import { commandLine } from './actor.ts';
import type { Deployment } from './deployment.ts';
import { logOperatorEvent } from './operator_event.ts';
import { findTenant } from './tenant.ts';

/** An act at the command line, as the audit and the log name it. */
interface Named {
  readonly act: string;
  readonly event: SecurityEventName;
}

/** The log's line of a command besides its own row of the audit, in ids of ours alone. */
interface Told extends Named {
  readonly facts?: Omit<SecurityFacts, 'actor'>;
  /** The fields of the answer, ids, that the log line names too. */
  readonly names?: readonly string[];
  /** The chain of the audit where the act stands; absent: in the Tenant's chain. */
  readonly scope?: typeof platform;
}

interface Submitted<Input> {
  readonly engine: Engine;
  readonly tenantId: string;
  readonly act: NamedAct;
  readonly command: Command<Input>;
  readonly input: Input;
}

/** The engine writes its row of the audit; a refusal is a row too. */
async function submit<Reply extends object, Input>(
  { log, parts }: Pick<Deployment, 'log' | 'parts'>,
  { engine, ...submission }: Submitted<Input>,
): Promise<Reply> {
  const { db } = await parts();
  const { act, command, ...of } = { ...submission, actor: commandLine() };
  const { body } = await engine.submit(command, { ...of, act }).catch(async (error: unknown) => {
    if (error instanceof ApiError)
      tellAudit(log, await appendAudit(db, [{ ...act, actor: of.actor, outcome: error.code }]));
    throw error;
  });
  return JSON.parse(body);
}

const named = (reply: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(reply).filter(([name]) => names.includes(name)));

/**
 * Runs a command of a Tenant for whoever is at the command line.
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
  const { db } = await deployment.parts();
  await findTenant({ db }, tenantId);
  const engine = await deployment.engine();
  const where = scope ? { scope, record: tenantId } : { scope: tenantId, record: null };
  const submission = { engine, tenantId, act: { act, ...where }, command, input };
  const reply = await submit<Reply, Input>(deployment, submission);
  logOperatorEvent(deployment, event, { tenant_id: tenantId, ...facts, ...named(reply, names) });
  return reply;
}

interface ToldOfPlatform extends Named {
  /** The Tenant in whose chain it stands; absent: the platform's. */
  readonly tenantId?: string;
}

/**
 * Runs a command of the platform for whoever is at the command line.
 * @param told in the chain of the platform, or of the Tenant that it names
 * @throws ApiError not_found, reason `unknown_tenant`; what the command throws
 */
export async function submittedToPlatform<Reply extends object, Input = object>(
  deployment: Pick<Deployment, 'log' | 'parts' | 'platformEngine'>,
  { tenantId, act, event }: ToldOfPlatform,
  command: Command<Input>,
  input: Input,
): Promise<Reply> {
  const { db } = await deployment.parts();
  if (tenantId !== undefined) await findTenant({ db }, tenantId);
  const engine = await deployment.platformEngine();
  const where = { scope: tenantId ?? platform, record: null };
  const submission = { engine, tenantId: platformId, act: { act, ...where }, command, input };
  const reply = await submit<Reply, Input>(deployment, submission);
  logOperatorEvent(deployment, event, { ...(tenantId && { tenant_id: tenantId }) });
  return reply;
}
