import { expect, test } from 'vitest';
import { openInside } from '../../kit/pages/browser/application.ts';
import { page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import { pagesOf, proveFits, settled } from '../list_widths.ts';
import { newTenant, signInAsStaff } from './pages.ts';

/** The console's lists as such: how they take the place that they have. */

useWeb();
useOneWindow();

test('no list of the console is wider than its frame, and none cuts a time, at any width', async () => {
  const { api } = await newTenant('The Long Name of a Market Company of the Pacific Northwest');
  const ana = await api.funded('individual', 1_234_56);
  const shop = await api.banked('business');
  const payment = await api.confirmed(api.pay(ana, shop, 987_65));
  await api.dispute(ana, { payment_id: payment.id });
  const held = await api.applied('individual', { email: `${'long'.repeat(12)}@example.com` });
  await api.simulate('customer.in_review', held.id);
  await signInAsStaff();
  await openInside(page, `${web.hosted}/console`);
  await page.getByRole('navigation').getByRole('link').first().waitFor();
  const pages = await pagesOf(page);
  expect(pages.length).toBeGreaterThan(12);
  for (const [path, name] of pages) {
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await settled(page);
    await proveFits(page, name);
  }
});
