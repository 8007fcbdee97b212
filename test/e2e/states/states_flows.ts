import { openHostedPages, pin } from '../../kit/pages/hosted.ts';
import { changedBefore, publishNotice } from '../new_terms.ts';
import { checkCode, codeStep, newPin, next } from './states_onboarding.ts';
import { amend, filled, pressed, type Step, tokenFor, type Walk } from './walker.ts';

/** The flows that confirm no record, and Sandbox Bank. */

/** A session of a flow for a new customer. */
const openFlow =
  (flow: string, type: 'individual' | 'business' = 'individual'): Step[1] =>
  async ({ web, open }) => {
    const { customerId } = await web.api.funded(type, 200_00);
    await openHostedPages(web.server).givePins();
    await open(await tokenFor(web, flow, customerId));
  };

const setPin = filled(newPin, (t) => t.pinReset.set);
const pinReset: readonly Step[] = [
  ['send_code', openFlow('pin_reset'), (t) => t.codes.title.mobile],
  codeStep,
  ['identity', checkCode('000000'), (t) => t.pinReset.identityTitle],
  ['identity_errors', next, (t) => t.pinReset.badLast4],
  ['new_pin', filled({ birthDate: '1987-03-14', last4: '0000' }), (t) => t.pinReset.pinTitle],
  ['no_match', setPin, (t) => t.refusals.no_match ?? ''],
  [
    'new_pin_again',
    async (walker) => {
      await filled({ last4: '9846' })(walker);
      // The earlier fault is no longer shown.
      await walker.page
        .getByText(walker.texts.refusals.no_match ?? '')
        .waitFor({ state: 'hidden' });
    },
    (t) => t.pinReset.pinTitle,
  ],
  ['done', setPin, (t) => t.pinReset.doneTitle],
];
const pinResetBusiness: readonly Step[] = [
  ['send_code', openFlow('pin_reset', 'business'), (t) => t.codes.title.mobile],
  codeStep,
  ['identity', checkCode('000000'), (t) => t.pinReset.ofBusiness.ssn4],
  ['identity_errors', next, (t) => t.business.badEin],
  [
    'new_pin',
    filled({ birthDate: '1987-03-14', last4: '9846', ein: '123456789' }),
    (t) => t.pinReset.pinTitle,
  ],
  ['done', setPin, (t) => t.pinReset.doneTitle],
];
const pinResetClosed: readonly Step[] = [
  [
    'closed',
    async (walker) => {
      await amend(walker.page, '/open', ({ view }) => {
        view.customer.is_pin_reset_closed = true;
      });
      await openFlow('pin_reset')(walker);
    },
    (t) => t.pinReset.closedTitle,
  ],
];

const byPin = (given: string) => filled({ pin: given }, (t) => t.contact.change);
const contactEmail: readonly Step[] = [
  ['choose_email', openFlow('contact_change'), (t) => t.contact.newEmail],
  ['email_errors', next, (t) => t.forms.badEmail],
  ['send_code', filled({ email: 'new@example.com' }), (t) => t.codes.title.email],
  codeStep,
  ['pin', checkCode('000000'), (t) => t.contact.pinTitle],
  ['pin_wrong', byPin('111222'), (t) => t.confirm.pinWrong(t.common.attempts[4] ?? '')],
  ['done', byPin(pin), (t) => t.contact.doneTitle],
];
const contactMobile: readonly Step[] = [
  ['choose', openFlow('contact_change'), (t) => t.contact.newEmail],
  ['choose_mobile', ({ choose }) => choose('what', 'mobile'), (t) => t.contact.newMobile],
  [
    'send_code',
    (walker) => filled({ mobile: `212557${String(Date.now()).slice(-4)}` })(walker),
    (t) => t.codes.title.mobile,
  ],
  codeStep,
  ['pin', checkCode('000000'), (t) => t.contact.pinTitle],
  [
    'locked',
    async (walker) => {
      for (let wrong = 1; wrong <= 5; wrong += 1) {
        const said = walker.page.waitForResponse('**/hosted/api/contact');
        await byPin('111222')(walker);
        await said;
      }
    },
    (t) => t.confirm.lockedTitle,
  ],
  ['reset', pressed((t) => t.confirm.resetPin), (t) => t.codes.title.mobile],
  codeStep,
  ['identity', checkCode('000000'), (t) => t.pinReset.identityTitle],
  ['new_pin', filled({ birthDate: '1987-03-14', last4: '9846' }), (t) => t.pinReset.pinTitle],
  ['choose_again', filled(newPin, (t) => t.pinReset.set), (t) => t.contact.title],
];

/** A document is published, so that its customers have something to accept. */
const openTerms: Step[1] = async ({ web, open }) => {
  const { customerId } = await web.api.funded('individual', 200_00);
  await publishNotice(web);
  await open(await tokenFor(web, 'terms_acceptance', customerId));
};
const terms: readonly Step[] = [
  ['new', openTerms, (t) => t.terms.title],
  ['decline', pressed((t) => t.terms.decline), (t) => t.terms.declineTitle],
  ['back', pressed((t) => t.terms.declineNo), (t) => t.terms.title],
  [
    'changed',
    changedBefore(pressed((t) => t.terms.accept)),
    (t) => t.refusals.documents_changed ?? '',
  ],
  ['accepted', pressed((t) => t.terms.accept), (t) => t.terms.acceptedTitle],
];
const termsDeclined: readonly Step[] = [
  ['in_force', openFlow('terms_acceptance'), (t) => t.terms.inForceTitle],
  ['new', openTerms, (t) => t.terms.title],
  ['decline', pressed((t) => t.terms.decline), (t) => t.terms.declineTitle],
  ['declined', pressed((t) => t.terms.declineYes), (t) => t.terms.declinedTitle],
];

/** The widget for two accounts at one bank. */
const openBank: Step[1] = async ({ web, open }) => {
  const { customerId } = await web.api.funded('individual', 200_00);
  const path = `/v1/customers/${customerId}/link-tokens`;
  await open((await web.api.post(path, { platform: 'ios' })).link_token, '/bank');
};
const chooseItem =
  (index: number): Step[1] =>
  ({ page, press }) =>
    press(page.locator('button.bank').nth(index));
const bank: readonly Step[] = [
  ['banks', openBank, (t) => t.bank.title],
  ['accounts', chooseItem(6), (t) => t.bank.accountTitle],
  ['share', chooseItem(1), (t) => t.bank.shareTitle],
  ['shared', pressed((t) => t.bank.yes), (t) => t.bank.doneTitle],
];

export const flowWalks: readonly Walk[] = [
  { name: 'pin_reset', steps: pinReset },
  { name: 'pin_reset_business', steps: pinResetBusiness },
  { name: 'pin_reset_closed', steps: pinResetClosed },
  { name: 'contact_change_email', steps: contactEmail },
  { name: 'contact_change_mobile', steps: contactMobile },
  { name: 'bank', steps: bank },
  { name: 'terms', steps: terms },
  { name: 'terms_declined', steps: termsDeclined },
];
