import { sandboxSignInLink } from '../../../service/people/sign_in/sandbox_link.ts';
import { page, web } from '../../kit/pages/browser/web.ts';
import type { TestTenant } from '../../kit/server.ts';

/** What every test of the portal's pages does first. */

export const heading = (name: string) => page.getByRole('heading', { level: 1, name });

/** Signs in as the sandbox's own person, and comes to the home page. */
export async function signIn({ tenantId }: Pick<TestTenant, 'tenantId'> = web.server.tenant) {
  await page.goto(await sandboxSignInLink(web.server.service, tenantId));
  await heading('Home').waitFor();
}

/** Opens a page of the portal by its address. */
export async function open(path: string, title: string): Promise<void> {
  await page.goto(`${web.hosted}/portal${path}`);
  await heading(title).waitFor();
}
