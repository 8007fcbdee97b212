import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
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

/** What the people of production-walk.md do in their browsers, by the name that the guide gives it. */
export interface People {
  /** The guide, in which each button of theirs must be named. */
  readonly guide: string;
  readonly browser: Browser;
  readonly site: NamedSite;
  /** What the command before printed. */
  printed(): string;
  /** The messages that the rails module was given. */
  messages(): Promise<readonly { readonly data: { readonly code?: string } }[]>;
}

const pin = '847261';
const address = { line1: '7 Main Street', city: 'New York', state: 'NY', postal_code: '10001' };
const facts = { birth_date: person.birth_date, ssn: person.ssn };
const { business, codes, common, confirm, onboarding } = texts;

export function openPeople({ guide, browser, site, printed, messages }: People) {
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
    await signedIn(visitor);
  }

  async function opened(name: string): Promise<Hands> {
    const { page } = await visitOf(name);
    await page.goto(link());
    return handsOf(page);
  }

  /** From the code to the end. */
  async function apply(hands: Hands, opensSample: boolean): Promise<void> {
    const { page, press, fill, choose } = hands;
    await press(codes.send);
    await page.locator('#field-code').waitFor();
    await fill({ code: (await messages()).at(-1)?.data.code ?? '' });
    await press(codes.check);
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
    await apply(ana, true);
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
    await apply(cafe, false);
  }

  async function anaPays(): Promise<void> {
    const ana = await opened('ana');
    await ana.fill({ pin });
    await ana.press(ana.page.getByRole('button', { name: /\$12\.50/ }));
    const { processing } = confirm.done.payment;
    await ana.page.getByRole('heading', { name: processing }).waitFor();
  }

  async function operatorDecides(): Promise<void> {
    const visitor = await visitOf('operator');
    await visitor.context.clearCookies();
    await visitor.page.goto(`https://${site.host}/portal/sign-in`);
    await press(visitor, words.signIn.button);
    await signedIn(visitor);
    const { page } = visitor;
    await page.goto(`https://${site.host}/console`);
    await page.getByRole('link', { name: /purchase dispute/i }).click();
    await decide(visitor, moveName('investigate'), 'Asked the shop');
    await decide(visitor, moveName('resolve_denied'), 'The shop shows that it came');
  }

  /** Chooses a move of a case, and makes it. */
  async function decide(visitor: Visit, move: string, note: string): Promise<void> {
    const { page } = visitor;
    await press(visitor, move);
    const dialog = page.getByRole('dialog', { name: move });
    await dialog.getByLabel('Note').fill(note);
    const doIt = dialog.getByRole('button', { name: 'Do it', exact: true });
    expect(guide).toContain('**Do it**');
    await expect.poll(() => doIt.isEnabled()).toBe(true);
    await doIt.click();
    await page.getByRole('status').getByText(`Done: ${move}`).waitFor();
  }

  const acts: Readonly<Record<string, () => Promise<void>>> = {
    'operator joins': () => join('operator'),
    'owner joins': () => join('owner'),
    'ana applies': anaApplies,
    'cafe applies': cafeApplies,
    'ana pays': anaPays,
    'operator decides': operatorDecides,
  };
  return {
    acts,
    /** @throws when one of the pages had a fault */
    async end(): Promise<void> {
      for (const visitor of visits.values()) await visitor.end();
    },
  };
}
