import type { Page } from 'playwright-core';
import { addAuthenticator, type VirtualAuthenticator } from '../kit/pages/browser/browser.ts';
import { openHostedPages, pin } from '../kit/pages/hosted.ts';
import type { Person } from '../kit/person.ts';
import { byPin } from './states_confirm.ts';
import { refuse, type Step, type Walk } from './walker.ts';

/** A passkey that is made after a PIN, and then confirms; each also as it fails. */

/** The customer at a page, and their phone: an authenticator belongs to one page. */
const users = new WeakMap<Page, { readonly who: Person; readonly phone: VirtualAuthenticator }>();

const userOf = (page: Page) => {
  const user = users.get(page);
  if (!user) throw new Error('this page has no phone');
  return user;
};

const openWithPhone: Step[1] = async ({ web, page, open }) => {
  const who = await web.api.funded('individual', 200_00);
  await openHostedPages(web.server).givePins();
  const phone = await addAuthenticator(await page.context().newCDPSession(page));
  users.set(page, { who, phone });
  await open((await web.newLoad(who)).token);
};
const openAgain: Step[1] = async ({ web, page, open }) =>
  open((await web.newLoad(userOf(page).who)).token);

/** @param isUser false: the phone does not recognise its user */
const use =
  (what: 'passkeyAdd' | 'passkey', isUser: boolean): Step[1] =>
  async ({ page, press, texts }) => {
    await userOf(page).phone.recognise(isUser);
    await press(texts.confirm[what]);
  };

const steps: readonly Step[] = [
  ['pin', openWithPhone, (t) => t.confirm.title.load],
  ['offered', byPin(pin), (t) => t.confirm.passkeyOffer],
  ['not_added', use('passkeyAdd', false), (t) => t.confirm.passkeyNotAdded],
  ['added', use('passkeyAdd', true), (t) => t.confirm.passkeyAdded],
  ['ask', openAgain, (t) => t.confirm.passkey],
  ['not_used', use('passkey', false), (t) => t.confirm.passkeyFailed],
  [
    'refused',
    async (walker) => {
      await refuse(walker.page, '/confirm/passkey', { status: 400, code: 'parameter_invalid' });
      await use('passkey', true)(walker);
    },
    (t) => t.confirm.passkeyRefused,
  ],
  [
    'confirmed',
    async (walker) => {
      await walker.page.unrouteAll();
      await use('passkey', true)(walker);
    },
    (t) => t.confirm.done.load.processing,
  ],
];

export const passkeyWalks: readonly Walk[] = [{ name: 'passkey', steps }];
