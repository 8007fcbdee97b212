import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Credential, NewCredential } from '@tenant-payments/contract/resources/credentials.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { joinTransaction } from '@tenant-payments/engine/join_transaction.ts';
import { secretToRetire, shownIds, tooManyActive } from '@tenant-payments/engine/rotation.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database.ts';

const maximumActive = 2;
const secretBytes = 32;

const { shown: shownId, uuidOf } = shownIds('cred_');

/** 256 random bits, so the hash needs no salt (rules/security#1). */
export const newClientSecret = (): string => `cs_${randomBytes(secretBytes).toString('base64url')}`;

/** Compared for an unknown client, so that refusing one takes the same time. */
const hashOfNone = tokenHash('none');

/**
 * The client, and which of its active secrets was given; null for a client that is not known.
 * Each secret is compared in constant time, a retired client's too.
 */
export async function findClient(
  db: Kysely<Database>,
  clientId: string,
  secret: string,
): Promise<{ readonly tenantId: string; readonly secretId: string | null } | null> {
  const rows = await db
    .selectFrom('clients')
    .leftJoin('client_secrets', (join) =>
      join
        .onRef('client_secrets.tenant_id', '=', 'clients.tenant_id')
        .onRef('client_secrets.client_id', '=', 'clients.client_id')
        .on('client_secrets.retired_at', 'is', null),
    )
    .where('clients.client_id', '=', clientId)
    .select(['clients.tenant_id', 'clients.retired_at', 'client_secrets.id', 'secret_hash'])
    .execute();
  const given = Buffer.from(tokenHash(secret));
  const isGiven = (hash: string | null = hashOfNone) =>
    timingSafeEqual(Buffer.from(hash ?? hashOfNone), given);
  const [client] = rows;
  if (!client) return isGiven() ? null : null;
  const matching = rows.filter(({ secret_hash }) => isGiven(secret_hash));
  const secretId = client.retired_at === null ? (matching[0]?.id ?? null) : null;
  return { tenantId: client.tenant_id, secretId };
}

interface SecretRow {
  id: string;
  client_id: string;
  created_at: Instant;
  retired_at: Instant | null;
  last_used_at: Instant | null;
}

const presented = (row: SecretRow): Credential => ({ ...row, id: shownId(row.id) });

/** Lists the secrets of the Tenant's client, newest first, retired ones too. */
export async function listClientSecrets(
  db: Kysely<Database>,
  tenantId: string,
): Promise<Credential[]> {
  const rows = await db
    .selectFrom('client_secrets')
    .innerJoin('clients', 'clients.client_id', 'client_secrets.client_id')
    .where('client_secrets.tenant_id', '=', tenantId)
    .where('clients.retired_at', 'is', null)
    .orderBy('client_secrets.created_at', 'desc')
    .orderBy('client_secrets.id', 'desc')
    .select([
      'client_secrets.id',
      'client_secrets.client_id',
      'client_secrets.created_at',
      'client_secrets.retired_at',
      'client_secrets.last_used_at',
    ])
    .execute();
  return rows.map(presented);
}

/** The Tenant's client, locked: of two calls at once the second sees what the first has left. */
async function lockClient(db: Kysely<Database>, tenantId: string): Promise<string> {
  const { rows } = await sql<{ client_id: string }>`
    select client_id from clients where tenant_id = ${tenantId} and retired_at is null
    order by client_id limit 1 for no key update`.execute(db);
  const [client] = rows;
  if (!client) throw fail('not_found');
  return client.client_id;
}

/**
 * Makes a second secret of the Tenant's client, beside the one in use.
 * @throws ApiError invalid_state when two are active
 */
export async function addClientSecret(
  db: Kysely<Database>,
  tenantId: string,
  now: Instant,
): Promise<NewCredential> {
  const [uuid, client_secret] = [randomUUID(), newClientSecret()];
  const client_id = await joinTransaction(db, async (tx) => {
    const client_id = await lockClient(tx, tenantId);
    const { numAffectedRows } = await sql`
      insert into client_secrets (tenant_id, id, client_id, secret_hash, created_at)
      select ${tenantId}, ${uuid}, ${client_id}, ${tokenHash(client_secret)}, ${now}
      where (select count(*) from client_secrets where tenant_id = ${tenantId}
        and client_id = ${client_id} and retired_at is null) < ${maximumActive}`.execute(tx);
    if (numAffectedRows !== 1n) throw tooManyActive(maximumActive);
    return client_id;
  });
  return { id: shownId(uuid), client_id, client_secret, created_at: now };
}

/**
 * Retires a secret: it gives no further access token. Retiring it again is no error.
 * @throws ApiError not_found; invalid_state for the last active one
 */
export async function retireClientSecret(
  db: Kysely<Database>,
  tenantId: string,
  id: string,
  now: Instant,
): Promise<Credential> {
  const uuid = uuidOf(id);
  return joinTransaction(db, async (tx) => {
    const client_id = await lockClient(tx, tenantId);
    const { rows } = await sql<SecretRow>`
      select id, client_id, created_at, retired_at, last_used_at from client_secrets
      where tenant_id = ${tenantId} and client_id = ${client_id}
        and (id = ${uuid} or retired_at is null)`.execute(tx);
    const row = secretToRetire(rows, uuid, 'no access token can be had');
    if (row.retired_at !== null) return presented(row);
    await sql`update client_secrets set retired_at = ${now}
      where tenant_id = ${tenantId} and id = ${uuid}`.execute(tx);
    return presented({ ...row, retired_at: now });
  });
}

/** Ends all access tokens of the Tenant's client (rules/keys#7). @returns how many there were */
export async function revokeAccessTokens(db: Kysely<Database>, tenantId: string): Promise<number> {
  return joinTransaction(db, async (tx) => {
    const client_id = await lockClient(tx, tenantId);
    const { numDeletedRows } = await tx
      .deleteFrom('access_tokens')
      .where('tenant_id', '=', tenantId)
      .where('client_id', '=', client_id)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}

/** How exactly the last use is noted, so that not every token writes. */
const touchSeconds = 60;

/** Notes that a token was got with the secret. */
export async function touchClientSecret(
  db: Kysely<Database>,
  tenantId: string,
  uuid: string,
  now: Instant,
): Promise<void> {
  await sql`update client_secrets set last_used_at = ${now}
    where tenant_id = ${tenantId} and id = ${uuid} and (last_used_at is null
      or last_used_at < ${now}::timestamptz - make_interval(secs => ${touchSeconds}))`.execute(db);
}
