import type { BodyOf, QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import type {
  ApiKey,
  createApiKey,
  listApiKeys,
  NewApiKey,
} from '../../contract/people/api_keys.ts';
import { queryableOf } from '../scope.ts';
import { actingScope, grantable, managedScope, revokesAll, seesAll } from './acting.ts';
import { expiryOf } from './expiry.ts';
import { makeKey } from './make.ts';
import { type KeyRow, keySql, keyView } from './row.ts';
import { tell } from './tell.ts';

type Context = Pick<ReadContext, 'actor' | 'tenantId' | 'db'>;

/** The keys of a scope that a caller finds: all, or own ones. */
const found = ({ actor, tenantId }: Pick<Context, 'actor' | 'tenantId'>, all: boolean) => sql`
  k.scope = ${managedScope(actor, tenantId)}
    and (${all}::boolean or k.person_id = ${actor.personId}::uuid)`;

export const listKeys =
  (service: Service) =>
  async (
    context: ReadContext,
    { limit = defaultLimit, cursor }: QueryOf<typeof listApiKeys>,
  ): Promise<Page<ApiKey>> => {
    const behind = context.pages.after(cursor);
    const { rows } = await sql<KeyRow>`
      ${keySql} where ${found(context, seesAll(context.actor))}
        ${behind ? sql`and k.id < ${behind.id}` : sql``}
      order by k.id desc limit ${limit + 1}`.execute(context.db);
    return context.pages.page(rows, limit, (row) => keyView(service, row));
  };

export const createKey =
  (service: Service) =>
  async (
    { actor, tenantId, db }: Context,
    { name, roles, expires_at }: BodyOf<typeof createApiKey>,
  ): Promise<NewApiKey> => {
    const made = await makeKey(queryableOf(db), service, {
      name,
      scope: actingScope(actor, tenantId),
      roles: grantable(actor, roles),
      personId: actor.personId,
      clientId: actor.personId === null ? actor.id : null,
      madeBy: 'portal',
      expiresAt: expiryOf(service, expires_at, roles),
    });
    tell(service, actor, 'api_key_made', { api_key_id: made.id, scope: made.scope, roles });
    return made;
  };

async function end(
  service: Service,
  { db, actor }: Context,
  which: ReturnType<typeof found>,
): Promise<ApiKey> {
  const { numAffectedRows } = await sql`
    update control.api_keys k set revoked_at = ${instantOf(service.clocks.realNow())}
    where ${which} and k.revoked_at is null`.execute(db);
  const { rows } = await sql<KeyRow>`${keySql} where ${which}`.execute(db);
  const [row] = rows;
  if (!row) throw fail('not_found');
  if (numAffectedRows === 1n)
    tell(service, actor, 'api_key_revoked', { api_key_id: row.id, scope: row.scope });
  return keyView(service, row);
}

/** Revoking twice changes nothing. @throws ApiError not_found */
export const revokeKey =
  (service: Service) =>
  async (context: Context, { id }: { id: string }): Promise<ApiKey> => {
    if (!isUuid(id)) throw fail('not_found');
    return end(
      service,
      context,
      sql`${found(context, revokesAll(context.actor))} and k.id = ${id}`,
    );
  };

/** @throws ApiError forbidden: no API key calls */
export const revokeThisKey =
  (service: Service) =>
  async (context: Context): Promise<ApiKey> => {
    const { kind, id } = context.actor;
    if (kind !== 'api_key') throw fail('forbidden', { details: { reason: 'no_api_key' } });
    return end(service, context, sql`k.id = ${id}`);
  };
