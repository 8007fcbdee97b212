import { publicId } from '@tenant-payments/contract/core/ids.ts';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { serviceActor } from '../../engine/actor.ts';
import { instantOf } from '../../engine/time/instant.ts';
import type { Database } from '../../service/database.ts';
import type { ReadContext } from '../../service/read_context.ts';
import { getBalance } from '../../service/resources/accounts/read.ts';
import { listTransactions } from '../../service/resources/accounts/transactions.ts';

/** A statement as the service sends it. */
export interface Select {
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface AccountRow {
  readonly tenant_id: string;
  readonly id: string;
}

/** The reads over HTTP, beside the operation of the service whose select is used. */
export const reads = {
  balance: { path: '/balance', read: getBalance },
  list: { path: '/transactions', read: listTransactions },
} as const;
export type ReadName = keyof typeof reads;

/** The select of an operation for an account, taken from the operation itself. */
export async function selectOf(name: ReadName, { tenant_id, id }: AccountRow): Promise<Select> {
  const sent: Select[] = [];
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void sent.push({ text: query.sql, values: query.parameters }),
  });
  const context: ReadContext = {
    tenantId: tenant_id,
    actor: serviceActor,
    db,
    pages: { after: () => null, page: () => ({}) as never },
    now: async () => instantOf(Date.now()),
  };
  // The driver finds nothing, which the operation refuses.
  await reads[name].read(context, { id: publicId('account', id) }).catch(() => {});
  const [select] = sent;
  if (!select) throw new Error(`${name} sent no select`);
  return select;
}
