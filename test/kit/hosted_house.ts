import { afterAll, beforeAll } from 'vitest';
import { type HostedPages, openHostedPages } from './hosted.ts';
import { type House, openHouse } from './people.ts';
import { openWire, type Wire } from './wire.ts';

/** The house of one test file, its Tenant's server and its hosted pages. */

export let house: House;
export let wire: Wire;
export let pages: HostedPages;

/** Opens them for all tests of the file. */
export function setHouse(options?: Parameters<typeof openHouse>[0]): void {
  beforeAll(async () => {
    house = await openHouse(options);
    wire = openWire(house.test);
    pages = openHostedPages(house);
  });
  afterAll(() => house.test.stop());
}
