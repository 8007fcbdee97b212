import {
  assertNoMore,
  assertSame,
  type Carrier,
  type Chosen,
  one,
  type Sum,
  sameKey,
  summed,
} from './carrier.ts';
import type { Route } from './route.ts';
import type { MovedTable } from './tables.ts';

/** Between two schemas of one database, by SQL from one to the other. */
export function carryBeside({ from: old, to: made, tenantId }: Route): Carrier {
  const { client } = old;
  const [from, to] = [old.schema, made.schema];

  async function compare(table: MovedTable, chosen: Chosen): Promise<void> {
    const { name, columns } = table;
    const { rows } = await client.query<Sum>(
      `${summed} (select ${columns} from ${from}.${name} t where t.tenant_id = $1 and (${chosen})) x
        union all ${summed} (select ${columns} from ${to}.${name} b where b.tenant_id = $1 and exists
          (select from ${from}.${name} t where t.tenant_id = $1 and ${sameKey(table)} and (${chosen}))) x`,
      [tenantId],
    );
    assertSame(table, ...rows);
  }

  return {
    async copy(table, chosen, isFirst) {
      const { name, columns } = table;
      if (!isFirst)
        await client.query(
          `delete from ${to}.${name} b using ${from}.${name} t
            where t.tenant_id = $1 and b.tenant_id = $1 and ${sameKey(table)} and (${chosen})`,
          [tenantId],
        );
      const { rowCount } = await client.query(
        `insert into ${to}.${name} (${columns})
          select ${columns} from ${from}.${name} t where t.tenant_id = $1 and (${chosen})`,
        [tenantId],
      );
      if (rowCount !== 0) await compare(table, chosen);
      return rowCount ?? 0;
    },

    async dropGone(table) {
      const { name } = table;
      const count = `select (select count(*) from ${from}.${name} where tenant_id = $1)
        - (select count(*) from ${to}.${name} where tenant_id = $1) as more`;
      const more = async () =>
        Number((await one<{ more: string }>(client, count, [tenantId]))?.more);
      if ((await more()) === 0) return;
      await client.query(
        `delete from ${to}.${name} b where b.tenant_id = $1 and not exists
          (select from ${from}.${name} t where t.tenant_id = $1 and ${sameKey(table)})`,
        [tenantId],
      );
      assertNoMore(table, await more());
    },

    async takeLate({ name, columns }) {
      await client.query(
        `insert into ${to}.${name} (${columns})
          select ${columns} from ${from}.${name} t where t.tenant_id = $1 on conflict do nothing`,
        [tenantId],
      );
    },
  };
}
