import { forEachOver } from '../load/callers.ts';
import type { ServiceProcess } from '../service_process.ts';
import { type People, preparePeople } from './people.ts';
import { crowdConnections, crowdTenants, population } from './population.ts';
import { prepareTenants } from './tenants.ts';

/** A few Tenants; the first one has the hot merchant's payers. */
export async function fewTenants(service: ServiceProcess): Promise<People[]> {
  const allPeople: People[] = [];
  for (const [index, tenant] of (await prepareTenants(service, population.tenants)).entries()) {
    const payers = index === 0 ? population.hotPayers : population.payersPerTenant;
    const merchants = population.merchantsPerTenant;
    allPeople.push(await preparePeople(service.port, tenant, { payers, merchants }));
  }
  return allPeople;
}

/** Makes `count` Tenants, each with the same number of customers. */
export const equalTenants =
  ({ count, payers, merchants }: { count: number; payers: number; merchants: number }) =>
  async (service: ServiceProcess): Promise<People[]> => {
    const allPeople: People[] = [];
    for (const tenant of await prepareTenants(service, count))
      allPeople.push(await preparePeople(service.port, tenant, { payers, merchants }));
    return allPeople;
  };

/** The second cell of those runs that compare two with one. */
export const secondCell = 'cell_b';

/** Two Tenants in the first cell and two in the second. */
export async function tenantsOfTwoCells(service: ServiceProcess): Promise<People[]> {
  const cellOf = (index: number) => (index < 2 ? {} : { cell: secondCell });
  const allPeople: People[] = [];
  for (const tenant of await prepareTenants(service, 4, cellOf)) {
    const { payersPerTenant, merchantsPerTenant } = population;
    const payers = allPeople.length < 2 ? 2 * payersPerTenant : payersPerTenant;
    const merchants = merchantsPerTenant;
    allPeople.push(await preparePeople(service.port, tenant, { payers, merchants }));
  }
  return allPeople;
}

/** A Tenant, and many small ones that together have as many payers and merchants as it. */
export async function manyTenants(service: ServiceProcess): Promise<People[]> {
  const [first, ...others] = await prepareTenants(service, 1 + crowdTenants);
  if (!first) throw new Error('no tenant');
  const as = { payers: crowdTenants, merchants: crowdTenants };
  const large = await preparePeople(service.port, first, as);
  const small = await forEachOver(service.port, crowdConnections, others, (_call, tenant) =>
    preparePeople(service.port, tenant, { payers: 1, merchants: 1 }),
  );
  return [large, ...small];
}
