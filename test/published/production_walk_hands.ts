import { encode } from 'jpeg-js';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { IdentityDocumentKind } from '../../contract/core/identity_documents.ts';
import { moveName } from '../../web/console/desk/words.ts';
import { texts } from '../../web/flows/texts/en.ts';
import { words } from '../../web/sign_in/texts.ts';
import { person } from '../kit/pages/applicant.ts';
import {
  addAuthenticator,
  type NamedSite,
  type Visit,
  visit,
} from '../kit/pages/browser/browser.ts';
import { type Hands, handsOf, sampleOf } from '../kit/pages/browser/hands.ts';
import type { Outside } from './production_walk_outside.ts';

/** The acts of the walk's people in their browsers, by the name that the guide gives it. */
export interface People {
  /** The guide, in which each button of theirs must be named. */
  readonly guide: string;
  readonly browser: Browser;
  readonly site: NamedSite;
  /** The output of the command before. */
  printed(): string;
  readonly outside: Outside;
  /** A variable of the shell. */
  variable(name: string): Promise<string>;
  /** Puts a value in place of what stands in the guide. */
  fillIn(here: string, value: string): void;
}

const pin = '847261';
const address = { line1: '7 Main Street', city: 'New York', state: 'NY', postal_code: '10001' };
const facts = { birth_date: person.birth_date, ssn: person.ssn };
const { bank, business, codes, common, confirm, onboarding, papers } = texts;

/** A photo, and a paper. */
const photo = encode({ width: 64, height: 40, data: Buffer.alloc(64 * 40 * 4, 127) }, 80).data;
const files: Readonly<Partial<Record<IdentityDocumentKind, [type: string, buffer: Buffer]>>> = {
  photo_id: ['image/jpeg', photo],
  business_document: ['application/pdf', Buffer.from('%PDF-1.4 Articles of organization')],
};

async function give(page: Page, kind: IdentityDocumentKind): Promise<void> {
  const [mimeType, buffer] = files[kind] ?? ['', Buffer.alloc(0)];
  await page.locator(`#paper_${kind}`).setInputFiles({ name: kind, mimeType, buffer });
  await page.getByText(papers.given, { exact: true }).waitFor();
}

/** Plaid's script, whose window ends at once with a public token. */
const plaidScript = (token: string) => `window.Plaid = { create: ({ onSuccess }) => ({
  destroy() {},
  open() { onSuccess('${token}', { accounts: [{ id: 'chosen' }] }); },
}) };`;

const heading = (page: Page, name: string) => page.getByRole('heading', { name });

export function openPeople(given: People) {
  const { guide, browser, site, printed, outside, variable, fillIn } = given;
  const visits = new Map<string, Visit>();
  /** Each person has a browser of their own. */
  async function visitOf(name: string): Promise<Visit> {
    const found = visits.get(name) ?? (await visit(browser, {}, site));
    visits.set(name, found);
    return found;
  }
  const link = (): string => /https:\S+#\S+/.exec(printed())?.[0] ?? '';

  async function press({ page }: Visit, name: string): Promise<void> {
    expect(guide).toContain(`**${name}**`);
    await page.getByRole('button', { name, exact: true }).click();
  }
  const signedIn = ({ page }: Visit) =>
    page.getByRole('heading', { name: words.account.title }).waitFor();

  async function join(name: string): Promise<void> {
    const visitor = await visitOf(name);
    const { context, page } = visitor;
    await addAuthenticator(await context.newCDPSession(page));
    await page.goto(link());
    expect(guide).toContain(`**${words.invitation.name}**`);
    await page.getByLabel(words.invitation.name).fill(name);
    await press(visitor, words.invitation.make);
    await press(visitor, words.codes.kept);
    // To where the work is.
    await page.waitForURL(/\/(console|portal)\/?$/);
    await heading(page, 'Home').waitFor();
  }

  async function opened(name: string): Promise<Hands> {
    const { page } = await visitOf(name);
    await page.goto(link());
    return handsOf(page);
  }

  /** From the code to the end. */
  async function apply(
    hands: Hands,
    document: IdentityDocumentKind,
    opensSample: boolean,
  ): Promise<void> {
    const { page, press, fill, choose } = hands;
    await press(codes.send);
    await page.locator('#field-code').waitFor();
    await fill({ code: await outside.code() });
    await press(codes.check);
    await give(page, document);
    await press(common.next);
    if (opensSample) await press(sampleOf(page));
    await choose('accepts');
    await press(common.next);
    await fill({ pin, repeated: pin });
    await press(common.next);
    await press(onboarding.submit);
    await page.getByRole('heading', { name: onboarding.doneTitle }).waitFor();
  }

  async function filled(hands: Hands, values: Readonly<Record<string, string>>): Promise<void> {
    await hands.fill(values);
    await hands.press(common.next);
  }

  async function anaApplies(): Promise<void> {
    const ana = await opened('ana');
    await filled(ana, { first_name: 'Ana', last_name: 'Reyes', ...facts });
    await filled(ana, address);
    await apply(ana, 'photo_id', true);
  }

  async function cafeApplies(): Promise<void> {
    const cafe = await opened('cafe');
    const industry = 'accommodation_food_services';
    await filled(cafe, { trading_name: 'Corner Shop', industry, ein: '937461825' });
    await filled(cafe, address);
    await cafe.press(business.addPresent);
    await cafe.choose('role', 'owner_and_control_person');
    await filled(cafe, { name: 'Bo Reyes', percent: '100' });
    await filled(cafe, facts);
    await cafe.fill(address);
    await cafe.press(business.addPerson);
    await cafe.press(common.next);
    await apply(cafe, 'business_document', false);
  }

  /** Ana confirms with her PIN what was asked for. */
  async function confirms(act: string, done: string): Promise<void> {
    const ana = await opened('ana');
    await ana.fill({ pin });
    await ana.press(act);
    await heading(ana.page, done).waitFor();
  }

  async function anaLinks(): Promise<void> {
    const { page, forgive } = await visitOf('ana');
    const opening = link();
    const token = outside.share(opening.split('#')[1] ?? '');
    await page.route('https://cdn.plaid.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: plaidScript(token) }),
    );
    await page.goto(opening);
    await heading(page, bank.doneTitle).waitFor();
    fillIn('PUBLIC_TOKEN', (await page.locator('code.token').first().textContent()) ?? '');
    forgive(/^request to https:\/\/cdn\.plaid\.com\//);
  }

  async function anaLoads(): Promise<void> {
    await outside.tellOfItem();
    await confirms(confirm.act.load('$50.00'), confirm.done.load.processing);
  }

  /** All that the service has written in the end; and a page for the Tenant says that her phone got its codes. */
  async function anaReads(): Promise<void> {
    const written = () =>
      outside.mails
        .map(({ subject = '', to }) => `${[to].flat()[0]?.text}: ${subject.split(' / ')[0]}`)
        .sort();
    await expect
      .poll(written, { timeout: 30_000 })
      .toEqual([
        'ana@example.com: Notice of denial',
        'ana@example.com: We are sending your money',
        'ana@example.com: Your account is being closed',
        'ana@example.com: Your statement is ready',
        'owner@shop.example: Your roles have changed',
        'you@example.com: Your roles have changed',
      ]);
    const { page } = await visitOf('owner');
    await page.goto(`https://${site.host}/portal/record/${await variable('ANA')}`);
    await page.getByText('delivered', { exact: true }).waitFor();
  }

  async function signIn(visitor: Visit): Promise<void> {
    // No page that is open notices that its session is gone.
    await visitor.page.goto('about:blank');
    await visitor.context.clearCookies();
    await visitor.page.goto(`https://${site.host}/portal/sign-in`);
    await press(visitor, words.signIn.button);
    await signedIn(visitor);
  }

  /** Opens a case of the desk, which may not be there yet. */
  async function openCase({ page }: Visit, name: string): Promise<void> {
    const found = page.getByRole('link', { name, exact: true });
    const isThere = async () => {
      await page.goto(`https://${site.host}/console/desk`);
      await heading(page, 'Review desk').waitFor();
      return found.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      );
    };
    await expect.poll(isThere, { timeout: 30_000 }).toBe(true);
    await found.click();
  }

  async function operatorApproves(): Promise<void> {
    const visitor = await visitOf('operator');
    await signIn(visitor);
    for (const name of ['ana@example.com', 'Bo Reyes', 'Corner Shop LLC']) {
      await openCase(visitor, name);
      await decide(visitor, moveName('approve'), 'Passport, articles and number agree');
    }
  }

  async function operatorDecides(): Promise<void> {
    const visitor = await visitOf('operator');
    await signIn(visitor);
    await openCase(visitor, 'Error');
    await decide(visitor, moveName('investigate'), 'Asked the shop');
    await decide(visitor, moveName('resolve_denied'), 'The shop shows it', 'The receipt has it.');
  }

  /** Chooses a move of a case, and makes it. */
  async function decide(visitor: Visit, move: string, note: string, found?: string): Promise<void> {
    const { page } = visitor;
    expect(guide).toContain(`**${move}**`);
    // If the amount is known, the button says it too.
    await page.getByRole('button', { name: new RegExp(`^${move}`) }).click();
    const dialog = page.getByRole('dialog', { name: move });
    await dialog.getByLabel('Note').fill(note);
    if (found) await dialog.getByLabel('What was found').fill(found);
    const doIt = dialog.locator('button[type=submit]');
    await expect.poll(() => doIt.isEnabled()).toBe(true);
    await doIt.click();
    await page.getByRole('status').getByText(`Done: ${move}`).waitFor();
  }

  const acts: Readonly<Record<string, () => Promise<void>>> = {
    'operator joins': () => join('operator'),
    'owner joins': () => join('owner'),
    'ana applies': anaApplies,
    'cafe applies': cafeApplies,
    'operator approves': operatorApproves,
    'ana links': anaLinks,
    'ana loads': anaLoads,
    'ana pays': () => confirms(confirm.act.payment('$12.50'), confirm.done.payment.completed),
    'ana withdraws': () =>
      confirms(confirm.act.withdrawal('$20.00'), confirm.done.withdrawal.processing),
    'operator decides': operatorDecides,
    'ana reads her mail': anaReads,
  };
  return {
    acts,
    /** The facts that they have told of themselves, which no log may say. */
    secrets: [person.ssn, person.birth_date, address.line1, 'ana@example.com', 'Reyes'],
    /** @throws when one of the pages had a fault */
    async end(): Promise<void> {
      for (const visitor of visits.values()) await visitor.end();
    },
  };
}
