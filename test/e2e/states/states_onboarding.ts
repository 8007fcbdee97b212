import { randomUUID } from 'node:crypto';
import { sampleOf } from '../../kit/pages/browser/hands.ts';
import { changedBefore } from '../new_terms.ts';
import { filled, pressed, refuse, type Step, type Walk } from './walker.ts';

/** Onboarding of both kinds, and the page of an owner. */

export const newPin = { pin: '847261', repeated: '847261' };
export const next = pressed((t) => t.common.next);
export const codeStep: Step = ['code', pressed((t) => t.codes.send), (t) => t.codes.enterTitle];
export const checkCode = (code: string) => filled({ code }, (t) => t.codes.check);

const someone = { birth_date: '1987-03-14', ssn: '521739846' };
export const about = { first_name: 'Ana', last_name: 'Reyes', ...someone };
export const address = {
  line1: '7 Main Street',
  city: 'New York',
  state: 'NY',
  postal_code: '10001',
};

const nextRefused: Step[1] = async ({ page, press, texts }) => {
  await refuse(page, '/onboarding', { status: 503 });
  await press(texts.onboarding.submit);
};
const submit: Step[1] = async ({ page, press, texts }) => {
  await page.unrouteAll();
  await press(texts.onboarding.submit);
};

const acceptDocuments: Step[1] = async (walker) => {
  await walker.choose('accepts');
  await next(walker);
};

const openNewcomer =
  (type: 'individual' | 'business'): Step[1] =>
  async ({ web, open }) =>
    open((await web.api.customer(type)).onboarding_session.token);

const toDocuments: readonly Step[] = [
  codeStep,
  ['code_wrong', checkCode('111111'), (t) => t.forms.wrongCode(t.common.attempts[4] ?? '')],
  ['documents', checkCode('000000'), (t) => t.documents.title],
];

/**
 * The steps of an individual, who must open a sample once: texts that have changed do not ask for
 * it again.
 */
const openSample: readonly Step[] = [
  ['documents_sample_not_opened', next, (t) => t.documents.mustOpen],
  [
    'documents_sample_opened',
    ({ page, press }) => press(sampleOf(page)),
    (t) => t.documents.sample,
  ],
];

const toTheEnd: readonly Step[] = [
  ['documents_not_accepted', next, (t) => t.documents.mustAccept],
  ['pin', acceptDocuments, (t) => t.onboarding.pinTitle],
  ['pin_is_a_run', filled({ pin: '123456', repeated: '123456' }), (t) => t.forms.pinRun],
  ['review', filled(newPin), (t) => t.onboarding.reviewTitle],
  ['documents_changed', changedBefore(submit), (t) => t.refusals.documents_changed ?? ''],
  ['review_again', acceptDocuments, (t) => t.onboarding.reviewTitle],
  ['review_service_error', nextRefused, (t) => t.trouble.serviceTitle],
  ['done', submit, (t) => t.onboarding.doneTitle],
];

const individual: readonly Step[] = [
  ['about', openNewcomer('individual'), (t) => t.onboarding.aboutTitle],
  ['about_errors', next, (t) => t.forms.badSsn],
  ['address', filled(about), (t) => t.onboarding.addressTitle],
  ['address_errors', next, (t) => t.forms.badPostalCode],
  ['send_code', filled(address), (t) => t.codes.title.mobile],
  ['other_number', pressed((t) => t.codes.other), (t) => t.codes.otherTitle],
  ['send_code_again', pressed((t) => t.common.back), (t) => t.codes.title.mobile],
  ...toDocuments,
  ...openSample,
  ...toTheEnd,
];

/** An invited owner, Cy Reyes, is corrected. */
const ownerChanges: readonly Step[] = [
  [
    'owner_change',
    ({ press, texts }) => press(texts.onboarding.changeWhat('Cy Reyes')),
    (t) => t.business.changeTitle,
  ],
  [
    'owner_change_errors',
    async ({ page, choose, press, texts }) => {
      await choose('role', 'control_person');
      await press(texts.business.saveAndSend);
      // The group is at fault, not one of its choices: these may not be invalid by ARIA.
      const group = page.getByRole('radiogroup', { name: texts.business.role });
      await group.and(page.locator('[aria-invalid="true"]')).waitFor();
    },
    (t) => t.business.ownersTwo,
  ],
  [
    'owner_changed',
    async (walker) => {
      await walker.choose('role', 'owner');
      await filled({ name: 'Cyril Reyes', percent: '30' }, (t) => t.business.saveAndSend)(walker);
    },
    (t) => t.business.percentOf(30),
  ],
];

const owners: readonly Step[] = [
  ['owners_none', filled(address), (t) => t.business.ownersTitle],
  ['owners_missing', next, (t) => t.business.ownersMissing],
  ['owner_here', pressed((t) => t.business.addPresent), (t) => t.business.presentTitle],
  [
    'owner_details',
    async (walker) => {
      await walker.choose('role', 'owner_and_control_person');
      await filled({ name: 'Bo Reyes', percent: '60' })(walker);
    },
    (t) => t.business.theirDetails,
  ],
  ['owner_address', filled(someone), (t) => t.business.theirAddress],
  ['owners_one', filled(address, (t) => t.business.addPerson), (t) => t.business.statuses.pending],
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
    filled({
      legal_name: 'Corner Cafe LLC',
      trading_name: 'Corner Cafe',
      industry: 'accommodation_food_services',
      ein: '937461825',
    }),
    (t) => t.business.addressTitle,
  ],
  ...owners,
  ['send_code', next, (t) => t.codes.title.mobile],
  ...toDocuments,
  ...toTheEnd,
];

/** The link goes out by mail, so the test answers in place of the service. */
export const ownerView = {
  object: 'hosted_owner_view',
  environment: 'sandbox',
  branding: { name: 'Test Tenant', logo_url: null, primary_color: '#1f5eff' },
  business_name: 'Corner Cafe LLC',
  owner_name: 'Cy Reyes',
  role: 'owner',
  ownership_percent: 40,
  status: 'invited',
  identity_documents: null,
  now: '2026-01-20T15:00:00Z',
  expires_at: '2026-01-27T15:00:00Z',
};
export const deadLink = () => `ol_${randomUUID().replaceAll('-', '')}`;
const ownerDead: readonly Step[] = [
  ['dead', ({ open }) => open(deadLink(), '/owner'), (t) => t.owner.linkTitle],
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
  ['address', filled(about), (t) => t.onboarding.addressTitle],
  ['done', filled(address, (t) => t.owner.submit), (t) => t.owner.doneTitle],
];

export const onboardingWalks: readonly Walk[] = [
  { name: 'onboarding_individual', steps: individual },
  { name: 'onboarding_business', steps: business },
  { name: 'owner', steps: owner },
  { name: 'owner_dead', steps: ownerDead },
];
