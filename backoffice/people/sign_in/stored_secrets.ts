import { inTransaction } from '@tenant-payments/engine/database/transaction.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import type pg from 'pg';

/**
 * How secrets are stored that sign somebody in: as a keyed hash, so that whoever writes the database and has no key
 * makes no secret of their own (rules/sign-in#20).
 */
type Hashing = Pick<Vault, 'index'>;

export type SecretKind = 'session' | 'invitation' | 'recovery_code' | 'link' | 'device_code';

const keyed = (vault: Hashing, kind: SecretKind, hash: string): string =>
  vault.index('', `${kind} ${hash}`);

/** A secret as it is stored and found. */
export const storedSecret = (
  { vault }: { readonly vault: Hashing },
  kind: SecretKind,
  secret: string,
): string => keyed(vault, kind, tokenHash(secret));

/** A recovery code, however it was typed. */
export const storedCode = (parts: { readonly vault: Hashing }, code: string): string =>
  storedSecret(parts, 'recovery_code', code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));

/** The stored secrets that still sign somebody in. */
const places: readonly { kind: SecretKind; table: string; column: string; open: string }[] = [
  {
    kind: 'session',
    table: 'sessions',
    column: 'token_hash',
    open: 'ended_at is null and expires_at > now()',
  },
  {
    kind: 'invitation',
    table: 'invitations',
    column: 'token_hash',
    open: 'accepted_at is null and revoked_at is null',
  },
  {
    kind: 'recovery_code',
    table: 'recovery_codes',
    column: 'code_hash',
    open: 'used_at is null and ended_at is null',
  },
  {
    kind: 'link',
    table: 'sign_in_links',
    column: 'token_hash',
    open: 'used_at is null and ended_at is null',
  },
  { kind: 'device_code', table: 'device_sign_ins', column: 'device_code_hash', open: 'true' },
];

async function rehash(client: pg.ClientBase, vault: Hashing): Promise<void> {
  for (const { kind, table, column, open } of places) {
    const { rows } = await client.query<{ hash: string }>(
      `select ${column} as hash from control.${table} where ${open}`,
    );
    const before = rows.map(({ hash }) => hash);
    await client.query(
      `update control.${table} t set ${column} = n.after
       from unnest($1::text[], $2::text[]) as n(before, after) where t.${column} = n.before`,
      [before, before.map((hash) => keyed(vault, kind, hash))],
    );
  }
}

/**
 * Puts the hashes of a release before under the index key, once for a database: what was given out stays good.
 * Later a plain hash opens nothing, whoever writes it, since the service's role takes the mark away from nobody.
 */
export async function keySecrets(control: pg.Pool, vault: Hashing): Promise<void> {
  const { rowCount } = await control.query('select from control.keyed_secrets');
  if (rowCount !== 0) return;
  await inTransaction(control, async (client) => {
    // One of the processes that start together hashes, and the others wait for it.
    const { rowCount } = await client.query(
      'insert into control.keyed_secrets (one, at) values (true, now()) on conflict do nothing',
    );
    if (rowCount !== 0) await rehash(client, vault);
  });
}
