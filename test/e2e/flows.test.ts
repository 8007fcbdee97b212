import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ReplyBody } from '../kit/http/http.ts';
import { person as applicant, code } from '../kit/pages/applicant.ts';
import { buttonOf } from '../kit/pages/browser/hands.ts';
import { ended, endings, pay } from '../kit/pages/browser/tenant_site.ts';
import { page, useVisitors, useWeb, visitor, web } from '../kit/pages/browser/web.ts';
import { openHostedPages, pin } from '../kit/pages/hosted.ts';
import { tabTo } from './keyboard.ts';
import { walks } from './states/states.ts';
import { newWalker, tokenFor, type Walker, walk } from './states/walker.ts';

/** Each flow from the Tenant's button, through the states of the table, to the Tenant's server. */
useWeb();
useVisitors();
beforeEach(() => page.goto(web.site.origin));

const nothing = async () => {};

async function popup(token: string): Promise<Page> {
  const [window] = await Promise.all([
    page.waitForEvent('popup'),
    pay(page, { mode: 'popup', token }),
  ]);
  return window;
}

/** Walks through a flow in the window that the SDK opens. */
async function walkThrough(name: string): Promise<Walker> {
  const steps = walks.find((each) => each.name === name)?.steps ?? [];
  const [first, ...rest] = steps;
  if (!first) throw new Error(`no walk ${name}`);
  let window: Page | null = null;
  const opener = newWalker(page, web, 'en');
  await first[1]({
    ...opener,
    open: async (token) => {
      window = await popup(token);
    },
  });
  const walker = newWalker(window ?? page, web, 'en');
  await walk(walker, { name, steps: [[first[0], nothing, first[2]], ...rest] }, nothing);
  return walker;
}

/** Ends the flow. @returns the reply to the Tenant's server when it exchanged the result */
async function exchanged(walker: Walker): Promise<ReplyBody> {
  await walker.press('Done');
  const all = endings(await ended(page));
  expect(all).toMatchObject([{ kind: 'success', facts: [expect.stringMatching(/^rt_/), {}] }]);
  return web.site.exchanged(all[0]?.facts[0]);
}

describe.each([
  ['pin_reset', 'pin_reset', {}],
  ['contact_change_email', 'contact_change', { email: 'new@example.com' }],
  ['onboarding_individual', 'onboarding', { verification: { status: 'pending' } }],
  ['onboarding_business', 'onboarding', { verification: { status: 'pending' } }],
  ['terms', 'terms_acceptance', {}],
] as const)('%s', (name, flow, becomes) => {
  test('done from token to exchange, also after mistakes', async () => {
    const result = await exchanged(await walkThrough(name));
    expect(result).toMatchObject({ flow, status: 'completed' });
    expect(await web.api.get(`/v1/customers/${result.customer_id}`)).toMatchObject(becomes);
  });
});

test('contact_change by mobile: the number is the one that was proven', async () => {
  const { customerId } = await web.api.funded('individual', 200_00);
  await openHostedPages(web.server).givePins();
  const { token } = await web.api.post('/v1/sessions', {
    flow: 'contact_change',
    customer_id: customerId,
  });
  const walker = newWalker(await popup(token), web, 'en');
  await walker.choose('what', 'mobile');
  await walker.fill({ mobile: '(212) 555-9871' });
  await walker.press('Continue');
  await walker.press('Send code');
  await walker.fill({ code });
  await walker.press('Verify code');
  await walker.fill({ pin });
  await walker.press('Save change');
  expect(await exchanged(walker)).toMatchObject({ flow: 'contact_change', status: 'completed' });
  const customer = await web.api.get(`/v1/customers/${customerId}`);
  expect(JSON.stringify(customer)).toContain('9871');
});

test('terms may be declined: the Tenant learns the answer, and nothing is changed', async () => {
  const steps = walks.find(({ name }) => name === 'terms_declined')?.steps.slice(1) ?? [];
  const [first, ...rest] = steps;
  let window = page;
  await first?.[1]({
    ...newWalker(page, web, 'en'),
    open: async (token) => {
      window = await popup(token);
    },
  });
  const walker = newWalker(window, web, 'en');
  await walk(walker, { name: 'terms_declined', steps: rest }, nothing);
  expect(await exchanged(walker)).toMatchObject({ flow: 'terms_acceptance', status: 'completed' });
});

test("a page judges days by the tenant's clock, whatever the browser's says", async () => {
  const { id, onboarding_session } = await web.api.customer('individual');
  const walker = newWalker(page, web, 'en');
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const { first_name, last_name, ssn } = applicant;
  const born = async (birth_date: string) => {
    await walker.fill({ first_name, last_name, birth_date, ssn });
    await walker.press('Continue');
  };
  await page.clock.setFixedTime('2040-01-01T00:00:00Z');
  await walker.open(onboarding_session.token);
  await born('2008-01-21');
  await page.getByText(walker.texts.forms.tooYoung).first().waitFor();
  await page.clock.setFixedTime('2010-01-01T00:00:00Z');
  await born('2008-01-20');
  await heading('Your home address');

  for (const event of ['pending', 'in_review', 'pending'])
    await web.api.simulate(`customer.${event}`, id);
  const early = await tokenFor(web, 'onboarding', id);
  await web.api.simulate('customer.rejected', id);
  await page.clock.setFixedTime('2040-01-01T00:00:00Z');
  await walker.open(early);
  await heading('Your application was not approved');
  await web.server.engine.moveClock(24 * 3600);
  await page.clock.setFixedTime('2010-01-01T00:00:00Z');
  await walker.open(await tokenFor(web, 'onboarding', id));
  await heading('Please enter your information again');
});

test('the bank of two accounts: the one that was chosen is linked', async () => {
  const { customerId } = await web.api.approved('individual');
  const path = `/v1/customers/${customerId}`;
  const { link_token } = await web.api.post(`${path}/link-tokens`, { platform: 'ios' });
  const walker = newWalker(page, web, 'en');
  await walker.open(link_token, '/bank');
  await page.locator('button.bank').nth(6).click();
  await page.getByRole('button', { name: 'Savings ending in 7777' }).click();
  await walker.press('Share account');
  const shared = page.locator('code.token');
  await shared.nth(1).waitFor();
  const [public_token, aggregator_account_id] = await shared.allTextContents();
  const body = { public_token, aggregator_account_id };
  const linked = await web.api.post(`${path}/linked-accounts`, body);
  expect(linked).toMatchObject({ account_type: 'savings', account_mask: '7777' });
});

test('an owner follows the link that was sent, once', async () => {
  await exchanged(await walkThrough('onboarding_business'));
  const mail = web.server.sent.findLast(({ template }) => template === 'owner_link');
  const link = mail?.data.link ?? '';
  const steps = walks.find(({ name }) => name === 'owner')?.steps.slice(1) ?? [];
  const walker = newWalker(page, web, 'en');
  await page.goto(link);
  await page.getByRole('heading', { name: 'Verify your identity for' }).waitFor();
  await walk(walker, { name: 'owner', steps }, nothing);
  const again = await visitor.context.newPage();
  await again.goto(link);
  await again.getByRole('heading', { name: 'This link no longer works' }).waitFor();
});

describe('by keyboard alone', () => {
  async function opened(): Promise<Page> {
    const { token } = await web.newLoad(await web.api.funded('individual', 200_00));
    await openHostedPages(web.server).givePins();
    const window = await popup(token);
    await window.getByRole('heading', { name: 'Add money' }).waitFor();
    return window;
  }
  /** Presses it; the window may be closed by that before the press is over. */
  async function press(window: Page, name: string): Promise<void> {
    await tabTo(window, buttonOf(window, name));
    await window.keyboard.press('Enter').catch((error: unknown) => {
      if (!window.isClosed()) throw error;
    });
  }
  const result = async (window: Page) =>
    exchanged({
      ...newWalker(window, web, 'en'),
      press: (name) => press(window, String(name)),
    });

  test('a load is confirmed by PIN', async () => {
    const window = await opened();
    await tabTo(window, window.locator('#field-pin'));
    await window.keyboard.type(pin);
    await tabTo(window, buttonOf(window, 'Add $25.00'));
    await window.keyboard.press('Space');
    await window.getByRole('heading', { name: 'One more step at your bank' }).waitFor();
    expect(await result(window)).toMatchObject({ status: 'completed' });
  });

  test('a load is declined, after a question that can be left', async () => {
    const window = await opened();
    const steps = [
      ['Cancel transfer', 'Cancel this transfer?'],
      ['Go back', 'Add money'],
      ['Cancel transfer', 'Cancel this transfer?'],
      ['Yes, cancel', 'Transfer canceled'],
    ] as const;
    for (const [button, heading] of steps) {
      await press(window, button);
      await window.getByRole('heading', { name: heading }).waitFor();
    }
    expect(await result(window)).toMatchObject({ status: 'canceled', target_status: 'failed' });
  });
});
