import { mayCall, seesPersonalData } from '@tenant-payments/contract/core/roles.ts';
import {
  type Access,
  type AccessNotes,
  readerOf,
} from '@tenant-payments/service/http/files/access.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';

/** Whoever is shown people of several Tenants at once leaves a row with each of them (rules/audit#20). */
export async function noteTenants(
  note: AccessNotes,
  { actor }: Pick<ReadContext, 'actor'>,
  what: Pick<Access, 'kind' | 'record'>,
  tenants: Iterable<string>,
): Promise<void> {
  const reader = readerOf(actor);
  if (reader === null || !mayCall(seesPersonalData, actor.roles)) return;
  const { address, requestId } = actor;
  const apiKeyId = actor.kind === 'api_key' ? actor.id : null;
  const row = { ...reader, ...what, address, requestId, apiKeyId };
  await Promise.all([...new Set(tenants)].map((tenantId) => note({ ...row, tenantId })));
}
