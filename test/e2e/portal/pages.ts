import { openInside } from '../../kit/pages/browser/application.ts';
import { giveSession, page, visitor, web } from '../../kit/pages/browser/web.ts';
import { samplePerson } from '../../kit/people.ts';
import type { TestTenant } from '../../kit/server.ts';

/** The first steps of every test of the portal's pages. */

export const heading = (name: string) => page.getByRole('heading', { level: 1, name });

/** Signs in as the sandbox's own person; the test opens a page. */
export async function signIn({ tenantId }: Pick<TestTenant, 'tenantId'> = web.server.tenant) {
  await giveSession(visitor.context, await samplePerson(web.server, tenantId));
}

/** Opens a page of the portal by its address. */
export async function open(path: string, title: string): Promise<void> {
  await openInside(page, `${web.hosted}/portal${path}`);
  await heading(title).waitFor();
}

/** Opens the page of a record, or the part of it with what developers use. */
export async function openRecord(id: string, part: '' | '?part=developer' = ''): Promise<void> {
  await openInside(page, `${web.hosted}/portal/record/${id}${part}`);
  await page.getByTitle(id, { exact: true }).first().waitFor();
}
