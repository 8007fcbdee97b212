import { expect, test } from 'vitest';
import { openApi } from '../../kit/api.ts';
import { openCells } from '../../kit/cells.ts';
import { until } from '../../kit/wait.ts';
import { names, testOneAddress } from './address_tests.ts';

/** One process that serves two cells of one database at one address. */
const address = await openCells(names);
testOneAddress(address);

const { cells, baseUrl, apiOf, shutOut } = address;
const [first, second] = cells;
const [here, there] = [apiOf(first.tenant), apiOf(second.tenant)];

test('while the first cell is away the Tenants of the other are served, also one that nobody has asked for before', async () => {
  const { token } = await second.anotherTenant({ name: 'New there' });
  const ask = (api: typeof here) => api.call('GET', '/v1/customers?external_ref=none');
  await shutOut('cell_a', async () => {
    expect((await ask(openApi(baseUrl, token))).status).toBe(200);
    expect((await ask(there)).status).toBe(200);
    expect((await ask(here)).status).toBe(503);
  });
  await until(async () => (await ask(here)).status === 200, { withinMs: 10_000 });
});
