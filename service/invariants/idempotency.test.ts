import { expect, test } from 'vitest';
import { openSampleLedger } from '../../test/kit/ledger/sample_ledger.ts';
import { shownByBody } from './idempotency.ts';

const server = await openSampleLedger();

test('the proof reads each stored reply that shows a record', async () => {
  const read = async (text: string) =>
    (await server.owner.query<{ id: string }>(text, [server.tenant.tenantId])).rows;
  const shown = await read(
    `select record_json(body) ->> 'id' as id from idempotency
      where tenant_id = $1 and record_json(body) ->> 'id' is not null order by id`,
  );
  expect(shown.length).toBeGreaterThan(0);
  expect(
    await read(`select shown as id from (${shownByBody}) r where tenant_id = $1 order by shown`),
  ).toEqual(shown);
});
