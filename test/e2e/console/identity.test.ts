import { encode } from 'jpeg-js';
import { expect, test } from 'vitest';
import { manualIdentity } from '../../kit/manual_identity.ts';
import { application, code, person } from '../../kit/pages/applicant.ts';
import { page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import { openHostedPages } from '../../kit/pages/hosted.ts';
import { proveReadable } from '../readable.ts';
import { approve, heading, newTenant, open, signInAsStaff } from './pages.ts';

/** Identity checks by hand, in the operations console (rules/identity). */

useWeb({ config: { approvals: true, ...manualIdentity } });
useOneWindow();

const button = (name: string | RegExp) => page.getByRole('button', { name });
const dialog = (name: string) => page.getByRole('dialog', { name });
const region = (name: string) => page.getByRole('region', { name, exact: true });
const row = (text: string) => region('Identity').getByRole('row').filter({ hasText: text });

const side = { width: 240, height: 160 };
const jpeg = encode({ ...side, data: Buffer.alloc(side.width * side.height * 4, 0x7f) }, 90).data;
const pdf = Buffer.from('%PDF-1.4 an ID');

type Made = Awaited<ReturnType<typeof newTenant>>;

/** Somebody who has applied with a document. @returns the customer's id */
async function applied({ api, tenantId }: Made, email: string, file: Uint8Array = jpeg) {
  const customer = await api.customer('individual', { email });
  const hosted = await openHostedPages(web.server).page(customer.onboarding_session.token);
  await hosted.ask('/code', {});
  await hosted.ask('/code/check', { code });
  const given = { kind: 'photo_id', file: Buffer.from(file).toString('base64') };
  await hosted.ask('/identity-documents', given);
  const { status, body } = await hosted.ask('/onboarding', { ...application, pin: '847261' });
  expect([status, body.error]).toEqual([200, undefined]);
  await web.server.runJobs(tenantId);
  return String(customer.id);
}

test('a case shows who else has the tax number, and opens answers and documents for its reviewer alone', async () => {
  const made = await newTenant('By Hand');
  const { tenantId } = made;
  await applied(made, 'first@example.com', pdf);
  const id = await applied(made, 'second@example.com');
  await signInAsStaff();
  await open(`/case/${tenantId}/customers/${id}`, 'second@example.com');
  await page.getByText('The same tax number was given before').waitFor();
  const same = row('Ana Reyes').filter({ has: page.getByRole('link') });
  await same.waitFor();
  expect(await page.getByText(person.address.line1).count()).toBe(0);
  await proveReadable(page, 'case_identity');
  await button('Show the answers').click();
  await page.getByText('521-73-9846').waitFor();
  await page.getByText(person.address.line1).waitFor();
  await proveReadable(page, 'case_identity_answers');
  await button('Hide the answers').click();
  expect(await page.getByText('521-73-9846').count()).toBe(0);
  await button(/^Show Photo ID/).click();
  const picture = dialog('Photo ID').getByAltText('Photo ID, as it was given');
  await expect
    .poll(() =>
      picture.evaluate((shown) => (shown as unknown as { naturalWidth: number }).naturalWidth),
    )
    .toBe(side.width);
  await proveReadable(page, 'case_identity_document');
  await dialog('Photo ID').getByRole('button', { name: 'Close' }).click();
  await same.getByRole('link').click();
  await heading('first@example.com').waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    button(/^Download Photo ID/).click(),
  ]);
  expect(file.suggestedFilename()).toBe('photo_id.pdf');
});

test('a reviewer asks for a document by name, and sees what is missing until it is given', async () => {
  const made = await newTenant('Asks More');
  const { tenantId, api } = made;
  const id = await applied(made, 'more@example.com');
  await signInAsStaff();
  await open(`/case/${tenantId}/customers/${id}`, 'more@example.com');
  await button('Ask for more').click();
  const form = dialog('Ask for more');
  await form.getByLabel('Proof of address').check();
  expect(await form.getByLabel('Proof of the business').count()).toBe(0);
  await form.getByLabel('Note').fill('The address differs');
  await proveReadable(page, 'case_ask_for_more');
  const doIt = form.locator('button[type=submit]');
  await expect.poll(() => doIt.isEnabled()).toBe(true);
  await doIt.click();
  await page.getByRole('status').getByText('Done: Ask for more').waitFor();
  await page.getByRole('alert').filter({ hasText: 'Documents are missing' }).waitFor();
  const asked = await api.get(`/portal/api/identity/customers/${id}`);
  expect(asked).toMatchObject({ asked: ['proof_of_address'], missing: ['proof_of_address'] });
});

test('what is kept of a decided case is opened by two people with a reason', async () => {
  const made = await newTenant('Two Open');
  const { tenantId, api } = made;
  const id = await applied(made, 'decided@example.com');
  await api.post(`/portal/api/review/customers/${id}/approve`, {});
  await signInAsStaff();
  const path = `/case/${tenantId}/customers/${id}`;
  await open(path, 'decided@example.com');
  expect(await button(/^Show Photo ID/).isDisabled()).toBe(true);
  expect(await button('Show the answers').count()).toBe(0);
  await button('Ask to open it').click();
  const form = dialog('Open identity data');
  await form.getByText('A second person must approve this').waitFor();
  await form.getByLabel('Note').fill('The bank asks who this is');
  await form.getByRole('button', { name: 'Ask for approval' }).click();
  await page.getByRole('status').getByText('Approval is asked for').waitFor();
  await proveReadable(page, 'case_identity_decided');
  await approve(tenantId, "Open a customer's identity data");
  await open(path, 'decided@example.com');
  await region('Identity').getByText('Open to you until').waitFor();
  await button('Show the answers').click();
  await page.getByText('521-73-9846').waitFor();
  await row('Photo ID').getByText('JPEG image').waitFor();
});
