import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import { shootAtDesk } from '../portal/desk.ts';
import { open as openPortal, signIn } from '../portal/pages.ts';
import { proveReadable } from '../readable.ts';
import { colleague, heading, open } from './pages.ts';

/** An owner lets support sign in, and both see it from their side. */

useWeb();
useOneWindow();

const button = (name: string | RegExp, where: Page = page) => where.getByRole('button', { name });

/** The owner's page Team with an open consent. */
async function consent(name: string) {
  const tenant = await web.server.anotherTenant({ name });
  await signIn(tenant);
  await openPortal('/team', 'Team');
  await page.getByText('Nobody was let in during the last 90 days.').waitFor();
  await page.getByLabel('What for').fill('A payment of order 1042 cannot be found');
  await page.getByLabel('Hours').fill('2');
  await button('Let support sign in').click();
  await button(/^End the consent/).waitFor();
  return tenant;
}

test('by consent support sees the tenant as a reader, which both see, and leaves again', async () => {
  const { tenantId } = await consent('Harbor Coffee');
  const support = await colleague('support');
  const { page: theirs } = support;
  await open(`/tenants/${tenantId}`, 'Harbor Coffee', theirs);
  await theirs.getByText('A payment of order 1042 cannot be found').waitFor();
  await proveReadable(theirs, 'console_as_reader');
  await button('Sign in as a reader', theirs).click();
  const banner = theirs.getByRole('region', { name: 'Your visit' });
  await banner.getByText('You are in Harbor Coffee as a reader').waitFor();
  await proveReadable(theirs, 'portal_visit');
  await shootAtDesk(theirs, 'portal_visit');
  await theirs.setViewportSize({ width: 1280, height: 900 });
  expect(await theirs.getByRole('link', { name: 'Team' }).count()).toBe(0);
  await theirs.getByRole('link', { name: 'Customers' }).click();
  await heading('Customers', theirs).waitFor();
  await banner.waitFor();
  await page.reload();
  await page.getByText(/is in until/).waitFor();
  await proveReadable(page, 'portal_support_in');
  await shootAtDesk(page, 'portal_support_in');
  await theirs.goto(`${web.hosted}/console`);
  await heading('You are in a tenant', theirs).waitFor();
  await proveReadable(theirs, 'console_while_visiting');
  await button('Leave', theirs).click();
  await heading('Harbor Coffee', theirs).waitFor();
  await page.reload();
  await heading('Team').waitFor();
  await button(/^End the consent/).waitFor();
  expect(await page.getByText(/is in until/).count()).toBe(0);
  await support.end();
});

test('an owner ends the consent while support is in, and the next click says so', async () => {
  const { tenantId } = await consent('Quiet Books');
  const support = await colleague('reviewer');
  const { page: theirs } = support;
  support.forgive(/403/);
  await open(`/tenants/${tenantId}`, 'Quiet Books', theirs);
  await button('Sign in as a reader', theirs).click();
  await heading('Home', theirs).waitFor();
  await button(/^End the consent/).click();
  await page.getByText('ended', { exact: true }).waitFor();
  await theirs.getByRole('link', { name: 'Payments', exact: true }).click();
  await heading('Your visit is over', theirs).waitFor();
  await proveReadable(theirs, 'portal_visit_over');
  await button('Leave', theirs).click();
  await heading('Quiet Books', theirs).waitFor();
  await theirs.getByText('No owner has consented now').waitFor();
  expect(await button('Sign in as a reader', theirs).count()).toBe(0);
  await support.end();
});
