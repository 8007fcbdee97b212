import { sizes } from '@tenant-payments/contract/core/numbers.ts';
import type { EventType } from '@tenant-payments/contract/lifecycles.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { tenants } from '@tenant-payments/engine/tenant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { WebhookContext } from './context.ts';
import {
  type EndpointRow,
  furtherEndpoints,
  namedEndpoint,
  type ShownColumns,
  shownEndpoint,
} from './further_table.ts';
import { makeSecret, newWebhookSecret, secretsOf, webhookSecrets } from './secrets.ts';
import { obeyUrl } from './url.ts';

/** The settings of an endpoint. */
interface Given {
  readonly name: string;
  readonly url: string;
  /** Absent: yes. */
  readonly enabled?: boolean;
  /** Absent or null: all. */
  readonly types?: readonly EventType[] | null;
}

const loadAll = async (read: Read) => {
  const [tenant, endpoints] = await Promise.all([
    read.one(tenants, {}),
    read.all(furtherEndpoints),
  ]);
  return { tenant, endpoints };
};
type Loaded = Awaited<ReturnType<typeof loadAll>>;

/** Sets `delivers_to` of the Tenant's row, which batches prove: an event has a delivery to each enabled endpoint. */
function deliverTo(work: Work, { tenant }: Loaded, endpoints: readonly EndpointRow[]): void {
  const enabled = endpoints
    .filter((row) => row.enabled)
    .map((row) => ({ endpoint_id: row.id, types: row.types }));
  work.change(tenant, { delivers_to: enabled.length === 0 ? null : enabled });
}

/** The first endpoint counts, whether it is set or not. */
const maximum = sizes.webhookEndpoints - 1;

/**
 * Adds an endpoint with its first secret, which only this reply shows.
 * @throws ApiError parameter_invalid for its address; invalid_state when there is no room for one more
 */
export const addFurtherEndpoint = ({ vault }: Pick<WebhookContext, 'vault'>) =>
  command('add_further_endpoint', {
    prepare: async (_input: Given, { tenantId }) => newWebhookSecret(vault, tenantId),
    load: (read) => loadAll(read),
    decide: (work, loaded, { name, url, enabled = true, types = null }, made) => {
      obeyUrl(work, url);
      if (loaded.endpoints.length >= maximum)
        throw fail('invalid_state', {
          details: { reason: 'too_many_endpoints', maximum: sizes.webhookEndpoints },
          message: `a Tenant has at most ${sizes.webhookEndpoints} endpoints, the first one included; delete one first`,
        });
      const times = { created_at: work.now, updated_at: work.now, deleted_at: null };
      const values = { id: work.newId(), name, url, enabled, types, ...times };
      const row = work.create(furtherEndpoints, values);
      deliverTo(work, loaded, [...loaded.endpoints, row]);
      const { secret } = makeSecret(work, [], row.id, made);
      return { value: { ...shownEndpoint(row), secret } };
    },
  });

/**
 * Changes what is given of an endpoint.
 * @throws ApiError not_found; parameter_invalid for its address
 */
export const changeFurtherEndpoint = command('change_further_endpoint', {
  load: (read, _input: { readonly id: string } & Partial<Given>) => loadAll(read),
  decide: (work, loaded, { id, ...given }) => {
    const row = namedEndpoint(loaded.endpoints, id);
    if (given.url !== undefined) obeyUrl(work, given.url);
    const after = work.change(row, { ...given, updated_at: work.now });
    deliverTo(
      work,
      loaded,
      loaded.endpoints.map((one) => (one === row ? after : one)),
    );
    return { value: shownEndpoint(after) };
  },
});

/**
 * Deletes an endpoint and retires its secrets: nothing more is sent to it.
 * @throws ApiError not_found
 */
export const deleteFurtherEndpoint = command('delete_further_endpoint', {
  load: async (read, _input: { readonly id: string }) => {
    const [loaded, secrets] = await Promise.all([loadAll(read), read.all(webhookSecrets)]);
    return { ...loaded, secrets };
  },
  decide: (work, { secrets, ...loaded }, { id }) => {
    const row = namedEndpoint(loaded.endpoints, id);
    const times = { updated_at: work.now, deleted_at: work.now };
    const after = work.change(row, { enabled: false, ...times });
    for (const secret of secretsOf(secrets, row.id)) work.change(secret, { retired_at: work.now });
    deliverTo(
      work,
      loaded,
      loaded.endpoints.filter((one) => one !== row),
    );
    return { value: shownEndpoint(after) };
  },
});

/** The further endpoints, the oldest first. */
export async function readFurtherEndpoints(
  db: Kysely<Database>,
  tenantId: string,
): Promise<readonly ShownColumns[]> {
  const { rows } = await sql<ShownColumns>`
    select id, name, url, enabled, types, created_at, updated_at from further_endpoints
    where tenant_id = ${tenantId} and deleted_at is null order by created_at, id`.execute(db);
  return rows;
}
