import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { inTransaction } from '@tenant-payments/engine/database/transaction.ts';
import { idMaker } from '@tenant-payments/engine/new_id.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import { consoleSite } from '@tenant-payments/service/config/sites.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { lockPeople, platform } from '../scope.ts';
import { newToken } from './secrets.ts';
import { storedSecret } from './stored_secrets.ts';

/** Who owns every Tenant of a sandbox, and is admin of its staff (rules/sign-in#16). */
const samplePerson = { email: 'sam@example.com', name: 'Sam Porter' };
const lifetimeMs = 7 * 24 * 3_600_000;

const newId = idMaker();

/** A person of a sandbox by this e-mail address, made where there is none. @returns the id */
export async function samplePersonId(
  connection: Queryable,
  { email, name }: { readonly email: string; readonly name: string },
  nowMs: number,
): Promise<string> {
  const { rows } = await connection.query<{ id: string }>(
    `insert into control.people (id, email, name, passkey_handle, created_at)
     values ($1, $2, $3, $4, $5) on conflict (email) do update set email = excluded.email
     returning id`,
    [
      newId(nowMs),
      email,
      name,
      Buffer.from(tokenHash(newToken('tpl')), 'hex').toString('base64url'),
      instantOf(nowMs),
    ],
  );
  if (!rows[0]) throw new Error('an upsert returns its row');
  return rows[0].id;
}

/**
 * A link that signs in once as the sample person of a sandbox, acting in a Tenant. The earlier link of
 * that Tenant stops working.
 */
export async function sandboxSignInLink(
  { control, clocks, config, vault }: Pick<Service, 'control' | 'clocks' | 'config' | 'vault'>,
  tenantId: string,
): Promise<string> {
  const nowMs = clocks.realNow();
  const token = newToken('tpl');
  await inTransaction(control, async (connection) => {
    await lockPeople(connection);
    const id = await samplePersonId(connection, samplePerson, nowMs);
    await connection.query(
      `insert into control.roles (scope, person_id, role, granted_at)
       values ($1, $2, 'owner', $4), ($3, $2, 'admin', $4) on conflict do nothing`,
      [tenantId, id, platform, instantOf(nowMs)],
    );
    await connection.query(
      `update control.sign_in_links set ended_at = $2
       where scope = $1 and used_at is null and ended_at is null`,
      [tenantId, instantOf(nowMs)],
    );
    await connection.query(
      `insert into control.sign_in_links (token_hash, person_id, scope, expires_at)
       values ($1, $2, $3, $4)`,
      [storedSecret({ vault }, 'link', token), id, tenantId, instantOf(nowMs + lifetimeMs)],
    );
  });
  return `${consoleSite(config)}/portal/sign-in#link=${token}`;
}
