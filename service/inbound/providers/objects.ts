import { command } from '@tenant-payments/engine/command.ts';
import { peerOf } from '../../cells/peer_of.ts';
import { Outdated, type RailObject, type RailObjects } from '../../rails/providers/provider.ts';
import { railObjectSeal, railObjects } from '../../rails/providers/table.ts';
import type { Service } from '../../service.ts';

interface Put extends Pick<RailObject, 'kind' | 'key' | 'record' | 'revision'> {
  readonly provider: string;
  readonly value_sealed: string;
}

const putRailObject = command('put_rail_object', {
  load: (read, { provider, kind, key }: Put) =>
    read.by(railObjects, 'object', { provider, kind, key }),
  decide: (work, before, { record, value_sealed, revision, ...named }) => {
    if (revision !== undefined && revision !== (before?.value_sealed ?? null))
      return { value: { isKept: false } };
    const set = { record, value_sealed, updated_at: work.now };
    if (before) work.change<typeof railObjects>(before, set);
    else work.create(railObjects, { ...named, ...set, id: work.newId(), created_at: work.now });
    return { value: { isKept: true } };
  },
});

interface Row extends Pick<RailObject, 'kind' | 'key' | 'record'> {
  readonly tenant_id: string;
  readonly value_sealed: string;
}

interface Needs {
  /** The first cell of this process. */
  readonly service: Service;
  /** Resolves when a Tenant is not being moved between cells. */
  readonly passed: (tenantId: string) => Promise<void>;
}

/** The memory of one provider, each object in the cell of its Tenant (rules/rails#13). */
export function openObjects({ service, passed }: Needs, provider: string): RailObjects {
  const placeOf = (kind: string, key: string) => railObjectSeal(`${provider} ${kind} ${key}`);
  const shown = ({ vault }: Service, { tenant_id, value_sealed, ...row }: Row): RailObject => ({
    ...row,
    tenantId: tenant_id,
    value: vault.open(tenant_id, placeOf(row.kind, row.key), value_sealed),
    // No two seals are the same.
    revision: value_sealed,
  });
  const select = 'select tenant_id, kind, key, record, value_sealed from rail_objects';

  return {
    async get(kind, key) {
      const found = await Promise.all(
        service.peers.all().map(async (cell) => {
          const { rows } = await cell.pool.query<Row>(
            `${select} where provider = $1 and kind = $2 and key = $3 limit 2`,
            [provider, kind, key],
          );
          return rows.map((row) => shown(cell, row));
        }),
      );
      const [object = null, other] = found.flat();
      if (other) throw new Error(`${provider} has kept two objects of one kind and key`);
      return object;
    },
    async list(kind, after, limit) {
      const found = await Promise.all(
        service.peers.all().map(async (cell) => {
          const { rows } = await cell.pool.query<Row>(
            `${select} where provider = $1 and kind = $2 and key collate "C" > $3 order by key collate "C" limit $4`,
            [provider, kind, after ?? '', limit],
          );
          return rows.map((row) => shown(cell, row));
        }),
      );
      return found
        .flat()
        .sort((one, other) => (one.key < other.key ? -1 : 1))
        .slice(0, limit);
    },
    async put({ kind, key, tenantId, record, value, revision }) {
      await passed(tenantId);
      const cell = await peerOf(service, tenantId);
      const value_sealed = cell.vault.seal(tenantId, placeOf(kind, key), value);
      const written = { provider, kind, key, record, value_sealed };
      const input = { ...written, ...(revision !== undefined && { revision }) };
      const { body } = await cell.engine.submit(putRailObject, { tenantId, input });
      if (!(JSON.parse(body) as { isKept: boolean }).isKept)
        throw new Outdated(`another ${kind} of ${provider} was kept meanwhile`);
    },
    async byRecord(tenantId, record) {
      const cell = await peerOf(service, tenantId);
      const { rows } = await cell.pool.query<Row>(
        `${select} where tenant_id = $1 and record = $2 and provider = $3 order by kind, key`,
        [tenantId, record, provider],
      );
      return rows.map((row) => shown(cell, row));
    },
  };
}
