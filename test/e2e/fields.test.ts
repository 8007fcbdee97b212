import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { leavesOf } from '../../web/flows/texts/leaves.ts';
import { textsIn } from '../../web/flows/texts/texts_in.ts';
import { type Locale, locales } from '../../web/ui/texts/locale.ts';
import { patient } from '../kit/pages/browser/hands.ts';
import { browser, useWeb, web } from '../kit/pages/browser/web.ts';
import { until } from '../kit/wait.ts';
import { walkAll, walks } from './states/states.ts';
import { hostedPath, optionsOf, type Walk, type Walker } from './states/walker.ts';

/**
 * The fields that browsers, password managers and one-time codes fill in; everything can be pasted.
 */
useWeb();

/**
 * The fields by name: type, keyboard, and the kind of value that fills the field in (WCAG 1.3.5).
 */
type Fields = Readonly<Record<string, string>>;

const digits = 'text numeric off';
const address = (fills: (token: string) => string): Fields => ({
  line1: `text - ${fills('address-line1')}`,
  line2: `text - ${fills('address-line2')}`,
  city: `text - ${fills('address-level2')}`,
  state: `select-one - ${fills('address-level1')}`,
  postal_code: `text numeric ${fills('postal-code')}`,
});
const date = (name: string, fills: (token: string) => string): Fields =>
  Object.fromEntries(
    ['month', 'day', 'year'].map((part) => [
      `${name}-${part}`,
      `text numeric ${fills(`bday-${part}`)}`,
    ]),
  );
const about = (fills: (token: string) => string): Fields => ({
  first_name: `text - ${fills('given-name')}`,
  last_name: `text - ${fills('family-name')}`,
  ...date('birth_date', fills),
  ssn: digits,
});
const own = (token: string) => token;
/** Another person's data: the browser must neither fill it in nor keep it. */
const others = () => 'off';
const code = 'text numeric one-time-code';
const email = 'email email email';
const mobile = 'tel tel tel';
const newPin = 'password numeric new-password';
const knownPin = 'password numeric current-password';

/**
 * The fields by walk, as far as no other walk has them, up to the named step; those of owners stand
 * by themselves.
 */
const wanted: Readonly<Record<string, readonly [until: string, Fields]>> = {
  onboarding_individual: [
    'pin',
    { ...about(own), ...address(own), mobile, code, pin: newPin, repeated: newPin },
  ],
  onboarding_business: [
    'owner_invite',
    {
      legal_name: 'text - organization',
      trading_name: 'text - off',
      industry: 'select-one - off',
      ein: digits,
      ...address(own),
    },
  ],
  pin_reset: [
    'new_pin',
    { code, ...date('birthDate', own), last4: digits, pin: newPin, repeated: newPin },
  ],
  contact_change_email: ['pin', { email, code, pin: knownPin }],
  contact_change_mobile: ['choose_mobile', { email, mobile }],
  confirm_load: ['pin', { pin: knownPin }],
};
const ofOwners: Fields = {
  name: 'text - off',
  percent: digits,
  email: 'email email off',
  ...about(others),
  ...address(others),
};

const fieldsProbe = `[...document.querySelectorAll('input, select')]
  .filter(({ type }) => !/radio|checkbox/.test(type))
  .map(({ name, type, inputMode, autocomplete, labels }) => [
    name,
    [type, inputMode || '-', autocomplete].join(' ') + (labels.length > 0 ? '' : ', no label'),
  ])`;

/** A date of the API as it is shown. */
const american = (value: string) => value.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$2/$3/$1');

/** The values as people write them down. */
const written: Readonly<Record<string, (value: string) => string>> = {
  ssn: (value) => value.replace(/^(...)(..)/, '$1-$2-'),
  ein: (value) => value.replace(/^(..)/, '$1-'),
  birth_date: american,
  code: (value) => value.replace(/^(...)/, '$1 '),
};

/** Pastes every value but choices: a date into its first part. */
function byClipboard(walker: Walker, refused: string[]): Walker {
  const { page } = walker;
  async function paste(name: string, value: string): Promise<void> {
    const source = await page.context().newPage();
    await source.setContent('<textarea></textarea>');
    await source.locator('textarea').fill(written[name]?.(value) ?? value);
    for (const key of ['Control+A', 'Control+C']) await source.keyboard.press(key);
    await source.close();
    const inputs = page.locator(`input#field-${name}, #field-${name} input`);
    await inputs.first().fill('');
    await page.keyboard.press('Control+V');
    const shown = async () =>
      (await Promise.all((await inputs.all()).map((input) => input.inputValue()))).join('/');
    // The clipboard belongs to another process: what is pasted comes a little later.
    const isTaken = async () =>
      [value, american(value), written[name]?.(value)].includes(await shown());
    await until(isTaken, { withinMs: 5_000 }).catch(() => refused.push(name));
  }
  return patient({
    ...walker,
    async fill(values) {
      for (const [name, value] of Object.entries(values))
        if (/state|industry/.test(name)) await walker.fill({ [name]: value });
        else await paste(name, value);
    },
  });
}

const upTo = ({ name, steps }: Walk, until: string): Walk => ({
  name,
  steps: steps.slice(0, 1 + steps.findIndex(([state]) => state === until)),
});

test('each field says what fills it in, has a label, and takes what is pasted', async () => {
  const found: Record<string, Record<string, string>> = {};
  const refused: string[] = [];
  const look = async (state: string, { page }: { page: Page }) => {
    const group = state.includes('.owner_') ? 'owners' : (state.split('.')[0] ?? '');
    const fields = await page.evaluate<[string, string][]>(fieldsProbe);
    found[group] = { ...found[group], ...Object.fromEntries(fields) };
  };
  const chosen = walks.flatMap((walk) => {
    const [until] = wanted[walk.name] ?? [];
    return until ? [upTo(walk, until)] : [];
  });
  const asWalker = (walker: Walker) => byClipboard(walker, refused);
  await walkAll({ browser, web, locale: 'en', asWalker }, look, chosen);
  const expected = Object.entries(wanted).map(([name, [, fields]]) => [name, fields]);
  expect(found).toEqual({ ...Object.fromEntries(expected), owners: ofOwners });
  expect(refused).toEqual([]);
});

/** The texts of headings, of buttons and of field labels, by the end of their keys. */
const places = {
  heading: /title(\.\w+)?$/i,
  button: new RegExp(
    `^(${[
      'common.(back|next|done|retry|copy|backTo)',
      'staying.(moreTime|understood|leave|stay)',
      'confirm.(act.*|passkey|usePin|usePasskey|keepPasskey|decline|declineYes|cancel.*|cancelYes|goBack|print|passkeyAdd|resetPin)',
      'codes.(send|other|check|again)',
      'onboarding.(submit|start)',
      'business.(addPresent|invite|sendInvitation|addPerson|saveAndSend)',
      'owner.submit|pinReset.set|contact.change|bank.yes|passkeys.(add|removeYes|removeNo)',
      'terms.(accept|decline|declineYes|declineNo)',
    ].join('|')})$`,
  ),
  label: new RegExp(
    `^(${[
      'forms.(firstName|lastName|birthDate|ssn|line1|line2|city|state|postalCode|mobile|email|code)',
      'forms.(newPin|repeatPin)|documents.accept|confirm.pin|contact.(newEmail|newMobile)',
      'business.(legalName|tradingName|industry|ein|ownerName|role|percent|roles.*)',
      'pinReset.(birthDate|ssn4|ofBusiness.(birthDate|ssn4))',
    ].join('|')})$`,
  ),
};
const most = { heading: 2, button: 2, label: 2 };

/** A name or a sum that a page puts into a text; neither is the shortest. */
const filling = (key: string) => (key.includes('.act.') ? '$12,500.00' : 'Panadería Azúcar');

/** Writes each text where such a text stands, and reads how many lines it takes and whether it fits. */
const roomProbe = `(texts) => {
  const step = document.querySelector('.step');
  const make = (parent, tag, name) => Object.assign(parent.appendChild(document.createElement(tag)), { className: name });
  const within = { heading: () => make(step, 'h1', ''), label: () => make(make(step, 'div', 'field'), 'label', ''),
    button: () => make(make(make(step, 'div', 'actions'), 'button', 'button is-primary'), 'span', 'label') };
  return texts.map(([key, place, words]) => {
    const element = within[place]();
    element.textContent = words;
    const range = document.createRange();
    range.selectNodeContents(element);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    const box = element.closest('button') ?? step;
    const fits = range.getBoundingClientRect().right <= box.getBoundingClientRect().right + 1;
    element.remove();
    return [key, place, fits ? lines : 99];
  });
}`;

test.each(locales)(
  'every heading, button and label in %s has room at 320 px',
  async (locale: Locale) => {
    const texts = textsIn[locale];
    const placed = leavesOf(texts).flatMap(([key, leaf]) =>
      Object.entries(places)
        .filter(([, keys]) => keys.test(key))
        .map(
          ([place]) => [key, place, typeof leaf === 'string' ? leaf : leaf(filling(key))] as const,
        ),
    );
    for (const place of Object.keys(places))
      expect(placed.filter(([, at]) => at === place).length).toBeGreaterThan(10);
    const viewport = { width: 320, height: 640 };
    const page = await browser.newPage({ ...optionsOf(locale), viewport });
    await page.goto(`${web.hosted}${hostedPath(web)}`);
    await page.locator('.step').waitFor();
    const measured = await page.evaluate<[string, keyof typeof most, number][]>(
      `(${roomProbe})(${JSON.stringify(placed)})`,
    );
    await page.close();
    expect(measured.filter(([, place, lines]) => lines > most[place])).toEqual([]);
  },
);
