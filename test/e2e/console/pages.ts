import type { Page } from 'playwright-core';
import type { StaffRole } from '../../../contract/portal/roles.ts';
import { sandboxSignInLink } from '../../../service/people/sign_in/sandbox_link.ts';
import type { Api } from '../../kit/api.ts';
import { type Visit, visit } from '../../kit/pages/browser/browser.ts';
import { browser, page, web } from '../../kit/pages/browser/web.ts';
import { portalPerson } from '../../kit/people.ts';

/** What every test of the console's pages does first. */

export const heading = (name: string, where: Page = page) =>
  where.getByRole('heading', { level: 1, name });

/** Signs in as the sandbox's own person, and acts as staff of the platform. */
export async function signInAsStaff(): Promise<void> {
  await page.goto(await sandboxSignInLink(web.server.service, web.server.tenant.tenantId));
  await heading('Home').waitFor();
  await open('', 'Operations console');
  await page.getByRole('button', { name: 'Platform', exact: true }).click();
  await heading('Review desk').waitFor();
}

/** Opens a page of the console by its address. */
export async function open(path: string, title: string, where: Page = page): Promise<void> {
  await where.goto(`${web.hosted}/console${path}`);
  await heading(title, where).waitFor();
}

/** Another person of the staff in a browser window of their own, who is signed in. */
export async function colleague(role: StaffRole): Promise<Visit> {
  const person = await portalPerson(web.server, 'platform', [role]);
  const [name = '', value = ''] = (person.cookie() ?? '').split('=');
  const visitor = await visit(browser);
  await visitor.context.addCookies([{ name, value, url: web.hosted }]);
  return visitor;
}

/** A Tenant of its own, without anything that recurs. */
export async function newTenant(name: string): Promise<{ tenantId: string; api: Api }> {
  const options = { name, calendar: false, settings: { confirmation_grace_seconds: 0 } };
  const tenant = await web.server.anotherTenant(options);
  return { tenantId: tenant.tenantId, api: web.server.apiOf(tenant) };
}
