import { eventTypes, lifecycles } from '@tenant-payments/contract/lifecycles.ts';
import {
  pockets,
  recipes,
  tenantAccounts,
  transactionTypes,
} from '@tenant-payments/contract/recipes.ts';
import { transactionSources } from '@tenant-payments/contract/resources/accounts.ts';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/kit/database/database.ts';
import { openClient } from './pool.ts';

const words = {
  counterpart_kind: ['account', 'linked_account'],
  entry_pocket: [...pockets, ...tenantAccounts],
  entry_source: transactionSources,
  entry_step: Object.keys(recipes),
  event_resource: Object.keys(lifecycles),
  event_type: eventTypes,
  transaction_type: transactionTypes,
};

test('the database has an enum of each closed list, with the words of the contract and no others', async () => {
  const sorted = Object.entries(words).map(([name, list]) => ({ name, words: [...list].sort() }));
  const database = await testDatabase();
  const client = await openClient(database.url);
  try {
    const { rows } = await client.query(
      `select typname as name, array_agg(enumlabel::text order by enumlabel::text collate "C") as words
       from pg_type join pg_enum on enumtypid = pg_type.oid where pg_type_is_visible(pg_type.oid)
       group by typname order by typname`,
    );
    expect(rows).toEqual(sorted);
  } finally {
    await client.end();
    await database.drop();
  }
});
