import { randomBytes, randomUUID } from 'node:crypto';
import { sizes } from '@tenant-payments/contract/core/numbers.ts';
import { command } from '@tenant-payments/engine/command.ts';
import {
  candidates,
  secretToRetire,
  shownIds,
  tooManyActive,
} from '@tenant-payments/engine/rotation.ts';
import { column, orNull, type RowOf, table } from '@tenant-payments/engine/table.ts';
import { tenants } from '@tenant-payments/engine/tenant.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { furtherEndpoints, namedEndpoint } from './further_table.ts';

/** A signing secret as it is listed (rules/webhooks#20). Only its sealed text is stored. */
export interface WebhookSecret {
  readonly id: string;
  readonly created_at: Instant;
  readonly retired_at: Instant | null;
}

/** A new secret in clear text, shown only once. */
export interface NewWebhookSecret {
  readonly id: string;
  readonly secret: string;
  readonly created_at: Instant;
}

const maximumActive = sizes.webhookSecrets;
const secretBytes = 32;

const { shown: shownId, uuidOf } = shownIds('whs_');
export const secretUuidOf = uuidOf;

/** The binding of a sealed secret. */
export const secretSeal = (uuid: string): string => `webhook_secrets|${uuid}`;

export const webhookSecrets = table({
  name: 'webhook_secrets',
  key: ['id'],
  sets: ['all'],
  setOnly: { all: 't.retired_at is null' },
  columns: {
    id: column.uuid,
    sealed: column.text,
    /** The further endpoint whose secret it is; null: the first's. */
    endpoint_id: orNull(column.uuid),
    created_at: column.instant,
    retired_at: orNull(column.instant),
  },
  frozen: ['sealed', 'endpoint_id', 'created_at'],
  audited: ({ id, created_at, retired_at }) => ({ id: shownId(id), created_at, retired_at }),
});

type SecretRow = Pick<RowOf<typeof webhookSecrets>, 'id' | 'created_at' | 'retired_at'>;
const presented = ({ id, created_at, retired_at }: SecretRow): WebhookSecret => ({
  id: shownId(id),
  created_at,
  retired_at,
});
const isActive = ({ retired_at }: SecretRow) => retired_at === null;

/** A new secret, and how it is stored. */
export function newWebhookSecret(vault: Vault, tenantId: string) {
  const id = randomUUID();
  const secret = `whsec_${randomBytes(secretBytes).toString('base64url')}`;
  return { id, secret, sealed: vault.seal(tenantId, secretSeal(id), secret) };
}

/** The secrets of an endpoint; null: of the first one. */
export const secretsOf = <Row extends Pick<RowOf<typeof webhookSecrets>, 'endpoint_id'>>(
  rows: readonly Row[],
  endpointId: string | null,
): Row[] => rows.filter(({ endpoint_id }) => endpoint_id === endpointId);

/**
 * Keeps a new secret of an endpoint.
 * @param secrets the endpoint's
 * @throws ApiError invalid_state when three are active
 */
export function makeSecret(
  work: Work,
  secrets: readonly SecretRow[],
  endpoint_id: string | null,
  { id, secret, sealed }: ReturnType<typeof newWebhookSecret>,
): NewWebhookSecret {
  if (secrets.filter(isActive).length >= maximumActive) throw tooManyActive(maximumActive);
  const created_at = work.now;
  work.create(webhookSecrets, { id, sealed, endpoint_id, created_at, retired_at: null });
  return { id: shownId(id), secret, created_at };
}

/**
 * Makes a signing secret of the first endpoint, or of the one that is named. The Tenant is touched, so that of two at
 * once the second is decided on what the first has left.
 * @throws ApiError not_found: no such endpoint; invalid_state when three are active
 */
export const addWebhookSecret = (vault: Vault) =>
  command('add_webhook_secret', {
    prepare: async (_input: { readonly endpoint_id?: string }, { tenantId }) =>
      newWebhookSecret(vault, tenantId),
    load: async (read, { endpoint_id }) => {
      const [tenant, secrets, endpoints] = await Promise.all([
        read.one(tenants, {}),
        read.all(webhookSecrets),
        endpoint_id === undefined ? null : read.all(furtherEndpoints),
      ]);
      return { tenant, secrets, endpoints };
    },
    decide: (work, { tenant, secrets, endpoints }, { endpoint_id }, made) => {
      const of = endpoints && namedEndpoint(endpoints, endpoint_id ?? '').id;
      work.touch(tenant);
      return { value: makeSecret(work, secretsOf(secrets, of), of, made) };
    },
  });

/**
 * Retires a secret of whichever endpoint: one second later no process signs with it any more. Retiring it again is no
 * error.
 * @throws ApiError not_found; invalid_state for the last active one of its endpoint
 */
export const retireWebhookSecret = command('retire_webhook_secret', {
  load: async (read, { id }: { readonly id: string }) => {
    const [named, secrets] = await Promise.all([
      read.maybe(webhookSecrets, uuidOf(id)),
      read.all(webhookSecrets),
    ]);
    return { named, secrets };
  },
  decide: (work, { named, secrets }, { id }) => {
    const own = secretsOf(secrets, named?.endpoint_id ?? null);
    const row = secretToRetire(candidates(own, named), uuidOf(id), 'no event can be sent');
    if (isActive(row)) work.change(row, { retired_at: work.now });
    return { value: presented(row) };
  },
});

/** Lists the secrets of an endpoint, newest first, retired ones too. */
export async function listSecrets(
  pool: pg.Pool,
  tenantId: string,
  endpointId: string | null = null,
): Promise<WebhookSecret[]> {
  const { rows } = await pool.query<SecretRow>(
    `select id, created_at, retired_at from webhook_secrets
     where tenant_id = $1 and endpoint_id is not distinct from $2
     order by created_at desc, id desc`,
    [tenantId, endpointId],
  );
  return rows.map(presented);
}

interface Moved {
  readonly id: string;
  readonly sealed: string;
  readonly endpoint_id: string | null;
  readonly created_at: Instant;
}

/**
 * Gives another Tenant the active secrets, so that its events are signed as those of the first were, and
 * retires them there.
 */
export async function moveSecrets<DB>(
  db: Kysely<DB>,
  vault: Vault,
  { from, to }: { readonly from: string; readonly to: string },
  now: Instant,
): Promise<void> {
  await sql`delete from webhook_secrets where tenant_id = ${to}`.execute(db);
  const { rows } = await sql<Moved>`
    update webhook_secrets set retired_at = ${now}, revision = revision + 1
    where tenant_id = ${from} and retired_at is null returning id, sealed, endpoint_id, created_at`.execute(
    db,
  );
  for (const { id, sealed, endpoint_id, created_at } of rows) {
    const place = secretSeal(id);
    const fresh = vault.seal(to, place, vault.open(from, place, sealed));
    await sql`insert into webhook_secrets (tenant_id, id, sealed, endpoint_id, created_at)
      values (${to}, ${id}, ${fresh}, ${endpoint_id}, ${created_at})`.execute(db);
  }
}
