import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { endSessions } from '../sessions/sessions.ts';
import { clientSecretSeal, isSame, providerOf, type Stored } from './providers.ts';

/**
 * The same as `replace.ts` inside a transaction past the engine: an approval of the platform has one of its own, until
 * it is a command.
 */

type Parts = Pick<Service, 'vault' | 'clocks'>;

async function forgetInside(tx: Queryable, parts: Parts, scope: string): Promise<void> {
  const values = [scope, instantOf(parts.clocks.realNow())];
  await tx.query(
    'update control.linked_identities set ended_at = $2 where scope = $1 and ended_at is null',
    values,
  );
  await tx.query(
    'update control.sign_in_attempts set taken_at = $2 where scope = $1 and taken_at is null',
    values,
  );
  const which = { scope, openedBy: 'single_sign_on' } as const;
  await endSessions(tx, parts, which, 'single_sign_on_changed');
}

/** @throws ApiError invalid_state */
export async function replaceProviderInside(
  tx: Queryable,
  parts: Parts,
  { scope, client, required, trustEmail }: Stored,
): Promise<void> {
  const named = { issuer: client.issuer, client_id: client.clientId };
  const before = await providerOf(tx, scope);
  if (!isSame(before, named)) await forgetInside(tx, parts, scope);
  const { rowCount } = await tx.query('select from control.identities where scope = $1 limit 1', [
    scope,
  ]);
  if (required && rowCount === 0)
    throw fail('invalid_state', { param: 'required', details: { reason: 'never_used' } });
  const now = instantOf(parts.clocks.realNow());
  const sealed = parts.vault.seal(scope, clientSecretSeal(named), client.clientSecret);
  const at = before?.created_at ?? now;
  const values = [scope, client.issuer, client.clientId, sealed, required, trustEmail, at, now];
  // A table of another server takes no `on conflict do update`.
  const changed = await tx.query(
    `update control.sign_on_providers set issuer = $2, client_id = $3, client_secret_sealed = $4,
       required = $5, trust_email = $6, created_at = $7, updated_at = $8, removed_at = null
     where scope = $1`,
    values,
  );
  if (changed.rowCount === 0)
    await tx.query(
      `insert into control.sign_on_providers (scope, issuer, client_id, client_secret_sealed, required,
         trust_email, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      values,
    );
}

export async function takeProviderInside(
  tx: Queryable,
  parts: Parts,
  scope: string,
): Promise<void> {
  await tx.query(
    `update control.sign_on_providers set removed_at = $2, client_secret_sealed = ''
     where scope = $1 and removed_at is null`,
    [scope, instantOf(parts.clocks.realNow())],
  );
  await forgetInside(tx, parts, scope);
}
