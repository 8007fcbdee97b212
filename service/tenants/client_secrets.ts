import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Credential, NewCredential } from '@tenant-payments/contract/resources/credentials.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { candidates, secretToRetire, tooManyActive } from '@tenant-payments/engine/rotation.ts';
import { tenants } from '@tenant-payments/engine/tenant.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database.ts';
import { accessTokens, type ClientSecretRow, clientSecrets, clients, secretIds } from './table.ts';

const maximumActive = 2;
const secretBytes = 32;

const { shown: shownId, uuidOf } = secretIds;

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
  now: Instant = instantOf(Date.now()),
): Promise<{ readonly tenantId: string; readonly secretId: string | null } | null> {
  const rows = await db
    .selectFrom('clients')
    .leftJoin('client_secrets', (join) =>
      join
        .onRef('client_secrets.tenant_id', '=', 'clients.tenant_id')
        .onRef('client_secrets.client_id', '=', 'clients.client_id')
        .on('client_secrets.retired_at', 'is', null)
        .on(sql<boolean>`(expires_at is null or expires_at > ${now})`),
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

type Shown = Pick<
  ClientSecretRow,
  'id' | 'client_id' | 'created_at' | 'retired_at' | 'last_used_at'
>;

const presented = (row: Shown): Credential => ({
  id: shownId(row.id),
  client_id: row.client_id,
  created_at: row.created_at,
  retired_at: row.retired_at,
  last_used_at: row.last_used_at,
});

/** Lists the lasting secrets of the Tenant's client, newest first, retired ones too. */
export async function listClientSecrets(
  db: Kysely<Database>,
  tenantId: string,
): Promise<Credential[]> {
  const rows = await db
    .selectFrom('client_secrets')
    .innerJoin('clients', 'clients.client_id', 'client_secrets.client_id')
    .where('client_secrets.tenant_id', '=', tenantId)
    .where('clients.retired_at', 'is', null)
    .where('client_secrets.expires_at', 'is', null)
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

/** The Tenant's client; null: it has none. */
async function activeClient(read: Read) {
  const active = await read.all(clients);
  return active.toSorted((a, b) => (a.client_id < b.client_id ? -1 : 1))[0] ?? null;
}

/** The Tenant's client with its active secrets. @throws ApiError not_found */
export async function loadClient(read: Read) {
  const client = await activeClient(read);
  if (!client) throw fail('not_found');
  return { client, secrets: await read.set(clientSecrets, 'client_id', client.client_id) };
}

/** Whether a secret lasts, and is in use. */
const isActive = ({ retired_at, expires_at }: ClientSecretRow) =>
  retired_at === null && expires_at === null;

/**
 * Makes a second secret of the Tenant's client, beside the one in use. The client is touched, so that of
 * two at once the second is decided on what the first has left.
 * @throws ApiError not_found; invalid_state when two are active
 */
export const addClientSecret = command('add_client_secret', {
  prepare: async () => newClientSecret(),
  load: (read, _input: object) => loadClient(read),
  decide: (work, { client, secrets }, _, client_secret: string) => {
    if (secrets.filter(isActive).length >= maximumActive) throw tooManyActive(maximumActive);
    work.touch(client);
    const { client_id } = client;
    const { id, created_at } = work.create(clientSecrets, {
      id: work.newId(),
      client_id,
      secret_hash: tokenHash(client_secret),
      created_at: work.now,
      retired_at: null,
      last_used_at: null,
      expires_at: null,
    });
    const value: NewCredential = { id: shownId(id), client_id, client_secret, created_at };
    return { value };
  },
});

/**
 * Retires a secret: it gives no further access token. Retiring it again is no error.
 * @throws ApiError not_found; invalid_state for the last active one
 */
export const retireClientSecret = command('retire_client_secret', {
  load: async (read, { id }: { readonly id: string }) => {
    const [loaded, named] = await Promise.all([
      loadClient(read),
      read.maybe(clientSecrets, uuidOf(id)),
    ]);
    return { ...loaded, named };
  },
  decide: (work, { client, secrets, named }, { id }) => {
    const own = named?.client_id === client.client_id && named.expires_at === null ? named : null;
    const row = secretToRetire(
      candidates(secrets.filter(isActive), own),
      uuidOf(id),
      'no access token can be had',
    );
    if (isActive(row)) work.change(row, { retired_at: work.now });
    return { value: presented(row) };
  },
});

/** Reads what is needed to end all access tokens of a Tenant, and their number (rules/keys#7). */
export async function loadTokens(read: Read) {
  const [tenant, client] = await Promise.all([read.one(tenants, {}), activeClient(read)]);
  const given = client ? await read.set(accessTokens, 'client_id', client.client_id) : [];
  return { tenant, client, given };
}

/**
 * Ends all access tokens of a Tenant: who gives one holds the Tenant's row until it is there.
 * @returns how many there were
 */
export function endTokens(
  work: Work,
  { tenant, given }: Awaited<ReturnType<typeof loadTokens>>,
): number {
  const { token_epoch } = tenant;
  work.change(tenant, { token_epoch: token_epoch + 1 });
  return given.filter(({ epoch }) => epoch === token_epoch).length;
}

/** Ends all access tokens of the Tenant's client. @throws ApiError not_found */
export const revokeAccessTokens = command('revoke_access_tokens', {
  load: (read, _input: object) => loadTokens(read),
  decide: (work, loaded) => {
    if (!loaded.client) throw fail('not_found');
    const value = { revoked: endTokens(work, loaded) };
    work.audit({ after: value });
    return { value };
  },
});

/** How exactly the last use is noted, so that not every token writes. */
const touchSeconds = 60;

/** Notes that a token was got with the secret: a sign of life, by the service's own statement. */
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
