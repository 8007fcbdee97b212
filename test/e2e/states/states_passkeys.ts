import type { Page } from 'playwright-core';
import type { Texts } from '../../../web/flows/texts/en.ts';
import { addAuthenticator, type VirtualAuthenticator } from '../../kit/pages/browser/browser.ts';
import { openHostedPages, pin } from '../../kit/pages/hosted.ts';
import type { Person } from '../../kit/person.ts';
import { byPin } from './states_confirm.ts';
import { checkCode, codeStep, newPin } from './states_onboarding.ts';
import {
  amend,
  filled,
  pressed,
  refuse,
  type Step,
  tokenFor,
  type Walk,
  type Walker,
} from './walker.ts';

/** A passkey that is made after a PIN, and then confirms; each also as it fails. */

/** The customer at a page, and their phone: an authenticator belongs to one page. */
const users = new WeakMap<Page, { readonly who: Person; readonly phone: VirtualAuthenticator }>();

const userOf = (page: Page) => {
  const user = users.get(page);
  if (!user) throw new Error('this page has no phone');
  return user;
};

async function givePhone({ web, page }: Walker): Promise<Person> {
  const who = await web.api.funded('individual', 200_00);
  await openHostedPages(web.server).givePins();
  const phone = await addAuthenticator(await page.context().newCDPSession(page));
  users.set(page, { who, phone });
  return who;
}

const openWithPhone: Step[1] = async (walker) =>
  walker.open((await walker.web.newLoad(await givePhone(walker))).token);
const openAgain: Step[1] = async ({ web, page, open }) =>
  open((await web.newLoad(userOf(page).who)).token);

/** @param isUser false: the phone does not recognise its user */
const use =
  (button: (texts: Texts) => string, isUser: boolean): Step[1] =>
  async ({ page, press, texts }) => {
    await userOf(page).phone.recognise(isUser);
    await press(button(texts));
  };
const passkeyAdd = (t: Texts) => t.confirm.passkeyAdd;
const passkey = (t: Texts) => t.confirm.passkey;

const steps: readonly Step[] = [
  ['pin', openWithPhone, (t) => t.confirm.title.load],
  ['offered', byPin(pin), (t) => t.confirm.passkeyOffer],
  ['not_added', use(passkeyAdd, false), (t) => t.confirm.passkeyNotAdded],
  ['added', use(passkeyAdd, true), (t) => t.confirm.passkeyAdded],
  ['ask', openAgain, (t) => t.confirm.passkey],
  ['not_used', use(passkey, false), (t) => t.confirm.passkeyFailed],
  [
    'refused',
    async (walker) => {
      await refuse(walker.page, '/confirm/passkey', { status: 400, code: 'parameter_invalid' });
      await use(passkey, true)(walker);
    },
    (t) => t.confirm.passkeyRefused,
  ],
  [
    'confirmed',
    async (walker) => {
      await walker.page.unrouteAll();
      await use(passkey, true)(walker);
    },
    (t) => t.confirm.done.load.processing,
  ],
];

/** contact_change, in which passkeys are looked after. */
const openContact: Step[1] = async ({ web, page, open }) =>
  open(await tokenFor(web, 'contact_change', userOf(page).who.customerId));
const openContactWithPhone: Step[1] = async (walker) => {
  await givePhone(walker);
  await openContact(walker);
};
const chosen: Step[1] = async (walker) => {
  await walker.choose('what', 'passkeys');
  await pressed((t) => t.common.next)(walker);
};
const byPinTo = (given: string) => filled({ pin: given }, (t) => t.common.next);
const add = (isUser: boolean): Step[1] => use((t) => t.passkeys.add, isUser);
const removal: Step[1] = ({ page, press }) => press(page.locator('.person .link'));

const care: readonly Step[] = [
  ['choose', openContactWithPhone, (t) => t.contact.passkeyCount(0)],
  ['prove', chosen, (t) => t.passkeys.prove],
  ['pin_wrong', byPinTo('111222'), (t) => t.confirm.pinWrong(t.common.attempts[4] ?? '')],
  ['none', byPinTo(pin), (t) => t.passkeys.none],
  ['not_added', add(false), (t) => t.passkeys.notAdded],
  ['added', add(true), (t) => t.passkeys.wasAdded],
  ['question', removal, (t) => t.passkeys.removeTitle],
  ['kept', pressed((t) => t.passkeys.removeNo), (t) => t.passkeys.neverUsed],
  ['done', pressed((t) => t.common.done), (t) => t.passkeys.doneTitle],
];
/** A customer at the page, who has just added a passkey. */
const withKey: readonly Step[] = [
  ['choose', openContactWithPhone, (t) => t.contact.title],
  ['prove', chosen, (t) => t.passkeys.prove],
  ['none', byPinTo(pin), (t) => t.passkeys.none],
  ['added', add(true), (t) => t.passkeys.wasAdded],
];
/** The customer proves by passkey alone; another passkey is then added by PIN. */
const careByPasskey: readonly Step[] = [
  ...withKey,
  ['choose_again', openContact, (t) => t.contact.passkeyCount(1)],
  ['prove_again', chosen, (t) => t.confirm.usePasskey],
  ['not_used', use((t) => t.confirm.usePasskey, false), (t) => t.confirm.passkeyFailed],
  ['list', use((t) => t.confirm.usePasskey, true), (t) => t.passkeys.text],
  ['pin_to_add', pressed((t) => t.passkeys.add), (t) => t.passkeys.proveToAdd],
  ['may_add', byPinTo(pin), (t) => t.passkeys.text],
  ['question', removal, (t) => t.passkeys.removeText],
  ['removed', pressed((t) => t.passkeys.removeYes), (t) => t.passkeys.wasRemoved],
];
const locked: readonly Step[] = [
  [
    'locked',
    async (walker) => {
      await amend(walker.page, '/open', ({ view }) => {
        view.customer.is_pin_locked = true;
        view.customer.has_passkey = true;
      });
      await openContactWithPhone(walker);
    },
    (t) => t.confirm.lockedTitle,
  ],
  ['prove', pressed((t) => t.passkeys.title), (t) => t.passkeys.proveLocked],
];

/** A PIN reset, in which a passkey is used so that it stays. */
const kept: readonly Step[] = [
  ...withKey,
  [
    'send_code',
    async ({ web, page, open }) =>
      open(await tokenFor(web, 'pin_reset', userOf(page).who.customerId)),
    (t) => t.codes.title.mobile,
  ],
  codeStep,
  ['identity', checkCode('000000'), (t) => t.pinReset.identityTitle],
  ['new_pin', filled({ birthDate: '1987-03-14', last4: '9846' }), (t) => t.pinReset.passkeysGo],
  ['kept', use((t) => t.confirm.keepPasskey, true), (t) => t.pinReset.passkeyKept],
  ['done', filled(newPin, (t) => t.pinReset.set), (t) => t.pinReset.doneTitle],
];

export const passkeyWalks: readonly Walk[] = [
  { name: 'passkey', steps },
  { name: 'passkeys', steps: care },
  { name: 'passkeys_by_passkey', steps: careByPasskey },
  { name: 'passkeys_locked', steps: locked },
  { name: 'passkey_kept', steps: kept },
];
