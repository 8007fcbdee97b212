import { randomUUID } from 'node:crypto';
import { openHostedPages, pin } from '../kit/hosted.ts';
import { ownerChanges } from './states_owners.ts';
import { refuse, type Step, type Texts, tokenFor, type Walk } from './walker.ts';

/** The flows that confirm no record, an owner's page and Sandbox Bank. */

const someone = { birth_date: '1987-03-14', ssn: '521739846' };
const about = { first_name: 'Ana', last_name: 'Reyes', ...someone };
const address = { line1: '7 Main Street', city: 'New York', state: 'NY', postal_code: '10001' };
const newPin = { pin: '847261', repeated: '847261' };

const pressed =
  (button: (texts: Texts) => string): Step[1] =>
  ({ press, texts }) =>
    press(button(texts));
const next = pressed((t) => t.common.next);
const enter =
  (values: Record<string, string>): Step[1] =>
  async (walker) => {
    await walker.fill(values);
    await next(walker);
  };
const sendCode = pressed((t) => t.codes.send);
const checkCode =
  (code: string): Step[1] =>
  async ({ fill, press, texts }) => {
    await fill({ code });
    await press(texts.codes.check);
  };
const nextRefused: Step[1] = async ({ page, press, texts }) => {
  await refuse(page, '/onboarding', { status: 503 });
  await press(texts.onboarding.submit);
};
const submit: Step[1] = async ({ page, press, texts }) => {
  await page.unrouteAll();
  await press(texts.onboarding.submit);
};

const openNewcomer =
  (type: 'individual' | 'business'): Step[1] =>
  async ({ web, open }) =>
    open((await web.api.customer(type)).onboarding_session.token);

const toTheEnd: readonly Step[] = [
  ['code', sendCode, (t) => t.codes.enterTitle],
  ['code_wrong', checkCode('111111'), (t) => t.forms.wrongCode(t.common.attempts[4] ?? '')],
  ['documents', checkCode('000000'), (t) => t.documents.title],
  ['documents_not_accepted', next, (t) => t.documents.mustAccept],
  [
    'pin',
    async (walker) => {
      await walker.choose('accepts');
      await next(walker);
    },
    (t) => t.onboarding.pinTitle,
  ],
  ['pin_is_a_run', enter({ pin: '123456', repeated: '123456' }), (t) => t.forms.pinRun],
  ['review', enter(newPin), (t) => t.onboarding.reviewTitle],
  ['review_service_error', nextRefused, (t) => t.trouble.serviceTitle],
  ['done', submit, (t) => t.onboarding.doneTitle],
];

const individual: readonly Step[] = [
  ['about', openNewcomer('individual'), (t) => t.onboarding.aboutTitle],
  ['about_errors', next, (t) => t.forms.badSsn],
  ['address', enter(about), (t) => t.onboarding.addressTitle],
  ['address_errors', next, (t) => t.forms.badPostalCode],
  ['send_code', enter(address), (t) => t.codes.title.mobile],
  ['other_number', pressed((t) => t.codes.other), (t) => t.codes.otherTitle],
  ['send_code_again', pressed((t) => t.common.back), (t) => t.codes.title.mobile],
  ...toTheEnd,
];

const owners: readonly Step[] = [
  ['owners_none', enter(address), (t) => t.business.ownersTitle],
  ['owners_missing', next, (t) => t.business.ownersMissing],
  ['owner_here', pressed((t) => t.business.addPresent), (t) => t.business.presentTitle],
  [
    'owner_details',
    async (walker) => {
      await walker.choose('role', 'owner_and_control_person');
      await enter({ name: 'Bo Reyes', percent: '60' })(walker);
    },
    (t) => t.business.theirDetails,
  ],
  ['owner_address', enter(someone), (t) => t.business.theirAddress],
  [
    'owners_one',
    async ({ fill, press, texts }) => {
      await fill(address);
      await press(texts.business.addPerson);
    },
    (t) => t.business.statuses.pending,
  ],
  ['owner_invite', pressed((t) => t.business.invite), (t) => t.business.inviteTitle],
  [
    'owners_two',
    async ({ fill, choose, press, texts }) => {
      await choose('role', 'owner');
      await fill({ name: 'Cy Reyes', percent: '40', email: 'cy@example.com' });
      await press(texts.business.sendInvitation);
    },
    (t) => t.business.statuses.invited,
  ],
  [
    'owner_sent_again',
    pressed((t) => t.business.againTo('Cy Reyes')),
    (t) => t.business.sentAgain('Cy Reyes'),
  ],
  ...ownerChanges,
];

const business: readonly Step[] = [
  ['facts', openNewcomer('business'), (t) => t.business.factsTitle],
  ['facts_errors', next, (t) => t.business.badEin],
  [
    'address',
    enter({ legal_name: 'Corner Cafe LLC', trading_name: 'Corner Cafe', ein: '937461825' }),
    (t) => t.business.addressTitle,
  ],
  ...owners,
  ['send_code', next, (t) => t.codes.title.mobile],
  ...toTheEnd,
];

/** A session of a flow of its own, for somebody new. */
const openFlow =
  (flow: string, type: 'individual' | 'business' = 'individual'): Step[1] =>
  async ({ web, open }) => {
    const { customerId } = await web.api.funded(type, 200_00);
    await openHostedPages(web.server).givePins();
    await open(await tokenFor(web, flow, customerId));
  };

const setPin: Step[1] = async ({ fill, press, texts }) => {
  await fill(newPin);
  await press(texts.pinReset.set);
};
const codeSteps: readonly Step[] = [['code', sendCode, (t) => t.codes.enterTitle]];
const pinReset: readonly Step[] = [
  ['send_code', openFlow('pin_reset'), (t) => t.codes.title.mobile],
  ...codeSteps,
  ['identity', checkCode('000000'), (t) => t.pinReset.identityTitle],
  ['identity_errors', next, (t) => t.pinReset.badLast4],
  ['new_pin', enter({ birthDate: '1987-03-14', last4: '0000' }), (t) => t.pinReset.pinTitle],
  ['no_match', setPin, (t) => t.refusals.no_match ?? ''],
  [
    'new_pin_again',
    async (walker) => {
      await enter({ last4: '9846' })(walker);
      // What was wrong before is told no more.
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
  ...codeSteps,
  ['identity', checkCode('000000'), (t) => t.pinReset.ein4],
];

const byPin =
  (given: string): Step[1] =>
  async ({ fill, press, texts }) => {
    await fill({ pin: given });
    await press(texts.contact.change);
  };
const contactEmail: readonly Step[] = [
  ['choose_email', openFlow('contact_change'), (t) => t.contact.newEmail],
  ['email_errors', next, (t) => t.forms.badEmail],
  ['send_code', enter({ email: 'new@example.com' }), (t) => t.codes.title.email],
  ...codeSteps,
  ['pin', checkCode('000000'), (t) => t.contact.pinTitle],
  ['pin_wrong', byPin('111222'), (t) => t.confirm.pinWrong(t.common.attempts[4] ?? '')],
  ['done', byPin(pin), (t) => t.contact.doneTitle],
];
const contactMobile: readonly Step[] = [
  ['choose', openFlow('contact_change'), (t) => t.contact.newEmail],
  ['choose_mobile', ({ choose }) => choose('what', 'mobile'), (t) => t.contact.newMobile],
  [
    'send_code',
    (walker) => enter({ mobile: `212557${String(Date.now()).slice(-4)}` })(walker),
    (t) => t.codes.title.mobile,
  ],
  ...codeSteps,
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
];

/** A document is published, so that its customers have something to accept. */
const openTerms: Step[1] = async ({ web, open }) => {
  const { customerId } = await web.api.funded('individual', 200_00);
  await web.api.post('/portal/api/review/documents/privacy_notice/publish');
  await open(await tokenFor(web, 'terms_acceptance', customerId));
};
const terms: readonly Step[] = [
  ['new', openTerms, (t) => t.terms.title],
  ['decline', pressed((t) => t.terms.decline), (t) => t.terms.declineTitle],
  ['back', pressed((t) => t.terms.declineNo), (t) => t.terms.title],
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

/** The link itself goes out by mail: what its token opens is told to the page in its place. */
const ownerView = {
  object: 'hosted_owner_view',
  environment: 'sandbox',
  branding: { name: 'Test Tenant', logo_url: null, primary_color: '#1f5eff' },
  business_name: 'Corner Cafe LLC',
  owner_name: 'Cy Reyes',
  role: 'owner',
  ownership_percent: 40,
  status: 'invited',
  now: '2026-01-20T15:00:00Z',
  expires_at: '2026-01-27T15:00:00Z',
};
const deadLink = () => `ol_${randomUUID().replaceAll('-', '')}`;
const ownerDead: Step = [
  'dead',
  ({ open }) => open(deadLink(), '/owner'),
  (t) => t.owner.linkTitle,
];
const owner: readonly Step[] = [
  [
    'welcome',
    async ({ page, open }) => {
      await page.route('**/hosted/api/owner/open', (route) => route.fulfill({ json: ownerView }));
      await page.route('**/hosted/api/owner', (route) =>
        route.fulfill({ json: { ...ownerView, status: 'pending' } }),
      );
      await open(deadLink(), '/owner');
    },
    (t) => t.owner.welcomeTitle('Corner Cafe LLC'),
  ],
  ['about', pressed((t) => t.onboarding.start), (t) => t.onboarding.aboutTitle],
  ['address', enter(about), (t) => t.onboarding.addressTitle],
  [
    'done',
    async ({ fill, press, texts }) => {
      await fill(address);
      await press(texts.owner.submit);
    },
    (t) => t.owner.doneTitle,
  ],
];

export const flowWalks: readonly Walk[] = [
  { name: 'onboarding_individual', steps: individual },
  { name: 'onboarding_business', steps: business },
  { name: 'pin_reset', steps: pinReset },
  { name: 'pin_reset_business', steps: pinResetBusiness },
  { name: 'contact_change_email', steps: contactEmail },
  { name: 'contact_change_mobile', steps: contactMobile },
  { name: 'bank', steps: bank },
  { name: 'owner', steps: owner },
  { name: 'owner_dead', steps: [ownerDead] },
  { name: 'terms', steps: terms },
  { name: 'terms_declined', steps: termsDeclined },
];
