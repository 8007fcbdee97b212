import { sandboxSignInLink } from '../../../service/people/sign_in/sandbox_link.ts';
import { page, web } from '../../kit/pages/browser/web.ts';

/** What every test of the console's pages does first. */

export const heading = (name: string) => page.getByRole('heading', { level: 1, name });

/** Opens a page of the console by its address. */
export async function open(path: string, title: string): Promise<void> {
  await page.goto(`${web.hosted}/console${path}`);
  await heading(title).waitFor();
}

/** Signs in as the sandbox's own person, and acts as staff of the platform. */
export async function signInAsStaff(): Promise<void> {
  await page.goto(await sandboxSignInLink(web.server.service, web.server.tenant.tenantId));
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await open('', 'Operations console');
  await page.getByRole('button', { name: 'Platform' }).click();
  await heading('Review desk').waitFor();
}
