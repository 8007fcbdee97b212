import { test } from 'vitest';
import { page, useOneWindow, useWeb, visitor } from '../../kit/pages/browser/web.ts';
import { proveReadable } from '../readable.ts';
import { open, signInAsStaff } from './pages.ts';

/** Pages of the operations console while the service cannot be reached. */

useWeb();
useOneWindow();

/** Each page's address and heading, and what it reads. */
const reads = [
  ['/desk', 'Review desk', 'desk?*'],
  ['/disputes', 'Disputes', 'dispute-board*'],
  ['/money/unmatched', 'Unmatched money', 'unmatched-money*'],
  ['/money/messages', 'Messages of providers', 'rail-messages*'],
  ['/operations', 'Operations', 'operations*'],
  ['/alarms', 'Alarms', 'alarms?*'],
  ['/ledger-proofs', 'Ledger proofs', 'ledger-proofs*'],
  ['/audit', 'Audit', 'audit?*'],
] as const;

/** A refusal that the page does not try again by itself. */
const tooMany = {
  status: 429,
  headers: { 'retry-after': '7' },
  json: { error: { code: 'rate_limited', request_id: 'req_5CVDcTZ1' } },
};

test('each page says why it cannot be read, and tries again', async () => {
  await signInAsStaff();
  for (const [path, title, what] of reads) {
    const read = `**/portal/api/${what}`;
    await page.route(read, (route) => (path === '/desk' ? route.abort() : route.fulfill(tooMany)));
    await open(path, title);
    const fault = page.getByText(path === '/desk' ? 'No connection' : 'Too many requests');
    await fault.waitFor();
    if (path === '/desk') await proveReadable(page, 'desk_failed');
    await page.unroute(read);
    await page.getByRole('button', { name: 'Try again' }).click();
    await fault.waitFor({ state: 'detached' });
  }
  visitor.forgive(/ERR_FAILED/);
});
