import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { PlatformInput } from '@tenant-payments/service/http/serve/serve.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import type * as contract from '../../contract/people/api_keys.ts';
import { actingScope, grantable, managedScope, revokesAll, seesAll } from './acting.ts';
import { expiryOf } from './expiry.ts';
import { createKeyRow } from './make.ts';
import { type KeyRow, keySql, keyView, revokedView } from './row.ts';
import { type ApiKeyRow, apiKeys } from './table.ts';

type ApiKey = contract.ApiKey;

export const listKeys =
  (service: Service) =>
  async (
    context: ReadContext,
    { limit = defaultLimit, cursor }: QueryOf<typeof contract.listApiKeys>,
  ): Promise<Page<ApiKey>> => {
    const { actor, tenantId } = context;
    const behind = context.pages.after(cursor);
    const { rows } = await sql<KeyRow>`
      ${keySql} where k.scope = ${managedScope(actor, tenantId)}
        and (${seesAll(actor)}::boolean or k.person_id = ${actor.personId}::uuid)
        ${behind ? sql`and k.id < ${behind.id}` : sql``}
      order by k.id desc limit ${limit + 1}`.execute(context.db);
    return context.pages.page(rows, limit, (row) => keyView(service, row));
  };

/** POST /portal/api/api-keys (rules/api-keys#3). Tells the key, without its value. */
export const createKey = command('create_api_key', {
  load: async () => null,
  decide: (work, _none, input: PlatformInput<typeof contract.createApiKey>) => {
    const { actor } = work;
    const { name, roles, expires_at, tenantId } = input;
    const made = createKeyRow(work, {
      name,
      scope: actingScope(actor, tenantId),
      roles: grantable(actor, roles),
      personId: actor.personId,
      clientId: actor.personId === null ? actor.id : null,
      madeBy: 'portal',
      expiresAt: expiryOf(work.now, expires_at, roles),
    });
    work.audit({ scope: made.scope });
    const { key: _, ...told } = made;
    return { value: made, told };
  },
});

/** Ends a key, in the chain of where it acts (rules/audit#4). Revoking twice changes nothing, and tells nothing. */
function end(work: Work, row: ApiKeyRow) {
  work.audit({ scope: row.scope, record: row.id });
  if (row.revoked_at !== null) return { value: revokedView(row) };
  const ended = work.change<typeof apiKeys>(row, { revoked_at: work.now });
  return { value: revokedView(ended), told: ended };
}

const mayRevoke = (actor: Actor, tenantId: string, row: ApiKeyRow): boolean =>
  row.scope === managedScope(actor, tenantId) &&
  (revokesAll(actor) || row.person_id === actor.personId);

/** DELETE /portal/api/api-keys/{id} @throws ApiError not_found */
export const revokeKey = command('revoke_api_key', {
  load: async (read, { id }: PlatformInput<typeof contract.revokeApiKey>) => {
    if (!isUuid(id)) throw fail('not_found');
    return read.one(apiKeys, id);
  },
  decide: (work, row, { tenantId }) => {
    if (!mayRevoke(work.actor, tenantId, row)) throw fail('not_found');
    return end(work, row);
  },
});

/** DELETE /portal/api/api-keys/current @throws ApiError forbidden: no API key calls */
export const revokeThisKey = command('revoke_this_api_key', {
  prepare: async (_input: PlatformInput<typeof contract.revokeThisApiKey>, { actor }) => {
    if (actor.kind !== 'api_key') throw fail('forbidden', { details: { reason: 'no_api_key' } });
    return actor.id;
  },
  load: (read, _input, id) => read.one(apiKeys, id),
  decide: (work, row) => end(work, row),
});
