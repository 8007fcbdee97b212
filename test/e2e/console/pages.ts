import type { Locator, Page } from 'playwright-core';
import type { StaffRole } from '../../../contract/core/roles.ts';
import type { Api } from '../../kit/api.ts';
import { openInside } from '../../kit/pages/browser/application.ts';
import { holdPasskey, type Visit, visit } from '../../kit/pages/browser/browser.ts';
import { browser, giveSession, page, visitor, web } from '../../kit/pages/browser/web.ts';
import { type PortalPerson, portalPerson, samplePerson } from '../../kit/people.ts';

/** The first steps of every test of the console's pages. */

export const heading = (name: string, where: Page = page) =>
  where.getByRole('heading', { level: 1, name });

/** Signs in as the sandbox's own person, and acts as staff of the platform; the test opens a page. */
export async function signInAsStaff(): Promise<void> {
  const { tenantId } = web.server.tenant;
  await giveSession(visitor.context, await samplePerson(web.server, tenantId, 'platform'));
}

/** Opens a page of the console by its address. */
export async function open(path: string, title: string, where: Page = page): Promise<void> {
  await openInside(where, `${web.hosted}/console${path}`);
  await heading(title, where).waitFor();
}

/** Another person of the staff in a browser window of their own, who is signed in. */
export async function colleague(role: StaffRole): Promise<Visit & { person: PortalPerson }> {
  const person = await portalPerson(web.server, 'platform', [role]);
  const visitor = await visit(browser);
  await giveSession(visitor.context, person);
  const session = await visitor.context.newCDPSession(visitor.page);
  await holdPasskey(session, person.passkey, new URL(web.hosted).hostname);
  return { ...visitor, person };
}

/** A Tenant of its own, without anything that recurs. */
export async function newTenant(name: string): Promise<{ tenantId: string; api: Api }> {
  const options = { name, calendar: false, settings: { confirmation_grace_seconds: 0 } };
  const tenant = await web.server.anotherTenant(options);
  return { tenantId: tenant.tenantId, api: web.server.apiOf(tenant) };
}

/** Approves what was asked for, as somebody else. */
export async function approve(tenantId: string, title: string): Promise<void> {
  const second = await colleague('reviewer');
  const { page: other } = second;
  await open(`/desk?tenant_id=${tenantId}&resource=approvals`, 'Review desk', other);
  await other.getByRole('link', { name: title }).click();
  await other.getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = other.getByRole('dialog', { name: 'Approve' });
  await dialog.locator('button[type=submit]').click();
  await other.getByRole('status').getByText('Approved', { exact: true }).waitFor();
  await second.end();
}

/** Chooses a Tenant by its name where a page asks for one. */
export async function chooseTenant(name: string, where: Page | Locator = page): Promise<void> {
  const field = where.getByLabel('Tenant');
  await field.fill(name);
  await where.locator('[data-chosen=true]').waitFor();
}
