import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { heldLong } from '../../kit/approvals.ts';
import { useWeb, web } from '../../kit/pages/browser/web.ts';
import { enrol, portalPerson } from '../../kit/people.ts';
import { openProvider } from '../../kit/sign_on/provider.ts';
import { shootAtDesk } from '../portal/desk.ts';
import { proveReadable } from '../readable.ts';
import { colleague, heading, open } from './pages.ts';

/** The acts of two admins on the platform in the operations console (rules/approvals#21). */

useWeb({ config: { approvals: true } });

let maria: Awaited<ReturnType<typeof colleague>>;
let otto: typeof maria;
beforeEach(async () => {
  [maria, otto] = [await colleague('admin'), await colleague('admin')];
  await heldLong(web.server, maria.person, otto.person);
  await web.server.owner.query(
    `update control.people set name = case id when $1 then 'Maria Sosa' else 'Otto Ruiz' end
     where id in ($1, $2)`,
    [maria.person.id, otto.person.id],
  );
});
afterEach(async () => {
  await maria.end();
  await otto.end();
});

const button = (name: string | RegExp, where: Page) => where.getByRole('button', { name });
const dialog = (where: Page) => where.getByRole('dialog');
const request = (words: string | RegExp, where: Page) =>
  where.getByRole('listitem').filter({ hasText: words });
const rolesOf = async (id: string): Promise<string[]> => {
  const { rows } = await web.server.owner.query<{ role: string }>(
    `select role from control.roles where person_id = $1 and scope = 'platform' order by role`,
    [id],
  );
  return rows.map(({ role }) => role);
};

/** Asks for what was refused, and sees that it waits. */
async function ask(where: Page, reason: string, picture: string): Promise<void> {
  await where.getByText('This needs a second admin').waitFor();
  await proveReadable(where, picture);
  await where.getByLabel('Reason for the second admin').fill(reason);
  await button('Ask a second admin', where).click();
  await where.getByText('It waits for a second admin').waitFor();
}

/** The button that approves it. */
const approving = (words: string) => `Approve: ${words.slice(0, 1).toLowerCase()}${words.slice(1)}`;

/** The other admin approves a request by keyboard, and signs it with the passkey. */
async function approve(where: Page, words: string): Promise<void> {
  await open('/requests', 'Requests', where);
  const way = button(approving(words), where);
  await way.focus();
  await way.press('Enter');
  await dialog(where).getByRole('heading', { name: words }).waitFor();
  await button('Approve with your passkey', where).press('Enter');
  await where.getByRole('status').getByText(`Approved: ${words}`).waitFor();
}

test('an admin asks a second one to invite a reviewer, who gets the link that is shown once', async () => {
  const email = 'ana_b@example.com';
  const words = `Give the role reviewer to ${email}`;
  await open('/desk', 'Review desk', maria.page);
  await maria.page.getByRole('link', { name: 'Staff' }).click();
  await heading('Staff', maria.page).waitFor();
  await maria.page.getByLabel('Email address').fill(email);
  await maria.page.getByRole('checkbox', { name: 'Support' }).uncheck();
  await maria.page.getByRole('checkbox', { name: 'Reviewer' }).check();
  await button('Invite', maria.page).click();
  await ask(maria.page, 'The desk needs one more', 'console_staff_second');
  await maria.page.getByRole('link', { name: 'See the requests' }).click();
  const own = request(words, maria.page);
  await own.getByText('Asked by you').waitFor();
  expect(await button('Approve', maria.page).count()).toBe(0);
  await button(`Take back: ${words}`, maria.page).waitFor();

  await open('/requests', 'Requests', otto.page);
  await request(words, otto.page)
    .getByText(`Asked by Maria Sosa (${maria.person.email})`)
    .waitFor();
  await request(words, otto.page).getByText('The desk needs one more').waitFor();
  await proveReadable(otto.page, 'console_requests');
  await shootAtDesk(otto.page, 'console_requests');
  await button(approving(words), otto.page).click();
  await dialog(otto.page).getByText('Your passkey signs exactly this.').waitFor();
  await proveReadable(otto.page, 'console_request_approve');
  await button('Cancel', otto.page).click();
  await dialog(otto.page).waitFor({ state: 'detached' });
  await approve(otto.page, words);
  await button('Copy', otto.page).waitFor();
  const link = await otto.page.getByText(/#invitation=/).textContent();
  await proveReadable(otto.page, 'console_request_approved');
  await shootAtDesk(otto.page, 'console_request_approved');
  await otto.page.reload();
  await otto.page.getByText('Nothing waits').waitFor();
  expect(await otto.page.content()).not.toContain('#invitation=');
  const { reply } = await enrol(web.server, link ?? '', 'Ana Bell');
  expect(await rolesOf(reply.body.session.person.id)).toEqual(['reviewer']);
  await otto.page.getByLabel('State').selectOption('approved');
  await request(words, otto.page).getByText('Approved by you').waitFor();
  await open('/staff', 'Staff', otto.page);
  await otto.page.getByRole('cell', { name: `Ana Bell ${email}` }).waitFor();
  await proveReadable(otto.page, 'console_staff');
  await shootAtDesk(otto.page, 'console_staff');
});

test('roles that approve are given, and an admin removed, once a second admin has approved', async () => {
  const kim = await portalPerson(web.server, 'platform', ['support']);
  const lee = await portalPerson(web.server, 'platform', ['admin']);
  await heldLong(web.server, lee, kim);
  await web.server.owner.query(
    `update control.people set name = case id when $1 then 'Kim Hart' else 'Lee Ito' end
     where id in ($1, $2)`,
    [kim.id, lee.id],
  );
  const { page: first } = maria;
  await open('/staff', 'Staff', first);
  expect(await button(`Remove ${maria.person.email}`, first).count()).toBe(0);
  await button(`Change the roles of ${kim.email}`, first).click();
  await dialog(first).getByRole('checkbox', { name: 'support' }).uncheck();
  await dialog(first).getByRole('checkbox', { name: 'reviewer' }).check();
  await button('Save roles', first).click();
  await ask(first, 'Passed the training', 'console_staff_roles_second');
  await button('Close', first).click();
  await button(`Remove ${lee.email}`, first).click();
  await dialog(first).getByText('Lee Ito').waitFor();
  await dialog(first).getByRole('button', { name: 'Remove' }).click();
  await ask(first, 'Left the company', 'console_staff_remove_second');

  await approve(otto.page, 'Give the role reviewer to Kim Hart, in place of support');
  await approve(otto.page, 'Remove admin Lee Ito');
  expect([await rolesOf(kim.id), await rolesOf(lee.id)]).toEqual([['reviewer'], []]);
  // Who has left is named all the same.
  await open('/requests?status=approved', 'Requests', otto.page);
  await request('Remove admin Lee Ito', otto.page).waitFor();
});

test('the identity provider of the platform is set and removed by two admins', async () => {
  const provider = await openProvider();
  const { page: first } = maria;
  await open('/single-sign-on', 'Single sign-on', first);
  await first.getByLabel('Issuer').fill(provider.issuer);
  await first.getByLabel('Client id').fill('ours');
  await first.getByLabel('Client secret').fill(provider.secret);
  await button('Save the provider', first).click();
  await ask(first, 'One sign-in for all', 'console_sign_on_second');
  await approve(otto.page, `Set the identity provider to ${provider.issuer}`);
  await open('/single-sign-on', 'Single sign-on', otto.page);
  await otto.page.getByRole('cell', { name: provider.issuer }).waitFor();
  expect(await otto.page.content()).not.toContain(provider.secret);
  await proveReadable(otto.page, 'console_sign_on');
  await shootAtDesk(otto.page, 'console_sign_on');

  await button('Remove the provider', otto.page).click();
  await dialog(otto.page).getByRole('button', { name: 'Remove' }).click();
  await ask(otto.page, 'Another one comes', 'console_sign_on_remove_second');
  await approve(first, `Remove the identity provider ${provider.issuer}`);
  await open('/single-sign-on', 'Single sign-on', first);
  await first.getByRole('cell', { name: 'Not set up', exact: true }).waitFor();
});

test('one admin invites support alone, and a reviewer sees no request of the platform', async () => {
  await open('/staff', 'Staff', maria.page);
  await maria.page.getByLabel('Email address').fill('jo@example.com');
  await button('Invite', maria.page).click();
  await maria.page.getByText(/#invitation=/).waitFor();
  const reviewer = await colleague('reviewer');
  await open('/requests', 'Requests', reviewer.page);
  await reviewer.page.getByText('No tenant has a request waiting').waitFor();
  const ofPlatform = reviewer.page.getByRole('region', { name: 'Requests of the platform' });
  expect(await ofPlatform.count()).toBe(0);
  await reviewer.end();
});
