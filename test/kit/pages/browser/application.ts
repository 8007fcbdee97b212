import type { Page } from 'playwright-core';

/**
 * A script that goes to an address inside the application that is shown, as a link of its own does. Its clock
 * goes on, so that what it has read is too old to be shown without being read anew.
 * It says no where another application is shown, or this address already.
 */
const goInside = `(address) => {
  const applicationOf = (path) => path.split('/')[1];
  const to = new URL(address);
  const isShown = document.querySelector('#app nav') !== null && to.origin === location.origin
    && applicationOf(to.pathname) === applicationOf(location.pathname);
  if (!isShown || to.href === location.href) return false;
  const now = Date.now;
  Date.now = () => now() + 10_000;
  history.pushState(null, '', to);
  return true;
}`;

/** Opens a page of the portal or the console; it is loaded only where its application is not shown: that costs most. */
export async function openInside(page: Page, address: string): Promise<void> {
  const isThere = await page.evaluate<boolean>(`(${goInside})(${JSON.stringify(address)})`);
  if (!isThere) await page.goto(address);
}
