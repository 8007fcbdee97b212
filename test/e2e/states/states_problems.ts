import type { ReplyBody } from '../../kit/http/http.ts';
import { openHostedPages } from '../../kit/pages/hosted.ts';
import { fakeToken } from '../fake_pages.ts';
import { byPin, loadToken, sessionFor } from './states_confirm.ts';
import { amend, hostedPath, leaveForNowhere, refuse, type Step, type Walk } from './walker.ts';

/** The problems that stop any flow, and the states of an application. */

const one = (name: string, reach: Step[1], sees: Step[2]): Walk => ({
  name: 'problem',
  steps: [[name, reach, sees]],
});

/** The session was opened once already, so this page comes second. */
const used: Step[1] = async ({ web, open }) => {
  const token = await loadToken(web);
  await openHostedPages(web.server).page(token);
  await open(token);
};

/**
 * The session is too old by the Tenant's clock, which moves on; other sessions of the same web end
 * with it.
 */
const tooOld: Step[1] = async ({ web, open }) => {
  const token = await sessionFor(web, 'pin_reset');
  await web.api.advance(3_601);
  await open(token);
};
const expired: Step[1] = async (walker) => {
  const { web, page, open, texts } = walker;
  await open(await loadToken(web));
  await page.getByText(texts.confirm.title.load).first().waitFor();
  await web.api.advance(601);
  await byPin('111222')(walker);
};
const ended: Step[1] = async ({ web, page, open }) => {
  await amend(page, '/open', ({ view }) =>
    Object.assign(view, { status: 'canceled', has_result: false, time: null }),
  );
  await open(await sessionFor(web, 'pin_reset'));
};
const canceled: Step[1] = async (walker) => {
  const { web, open, press, texts } = walker;
  await open(await sessionFor(web, 'contact_change'));
  await press(texts.common.close);
  await leaveForNowhere(walker);
};
const opening =
  (how: Parameters<typeof refuse>[2]): Step[1] =>
  async ({ web, page, open }) => {
    await refuse(page, '/open', how);
    await open(await loadToken(web));
  };
const failing =
  (how: Parameters<typeof refuse>[2]): Step[1] =>
  async (walker) => {
    await walker.open(await loadToken(walker.web));
    await refuse(walker.page, '/confirm/pin', how);
    await byPin('111222')(walker);
  };
/** Opens a page in a frame whose parent never calls. */
const unanswered: Step[1] = async ({ page, web }) => {
  await page.addInitScript('Object.defineProperty(globalThis, "parent", { value: {} })');
  await page.clock.install();
  await page.goto(`${web.hosted}${hostedPath(web)}`);
  await page.locator('.waiting').waitFor();
  await page.clock.fastForward(20_000);
};
/**
 * Opens a page in a window of a site that no setting names: here the page itself makes the calls.
 */
const unregistered: Step[1] = async ({ page, web }) => {
  await page.addInitScript(`Object.defineProperty(globalThis, 'opener', { value: globalThis });
    setInterval(() => postMessage({ tps: 1, type: 'connect' }, '*', [new MessageChannel().port2]), 50);`);
  await page.goto(`${web.hosted}${hostedPath(web)}`);
};
const alone: Step[1] = ({ page, web }) => page.goto(`${web.hosted}${hostedPath(web)}`);
const unsupported: Step[1] = async ({ page, open }) => {
  await page.addInitScript('delete globalThis.MessageChannel');
  await open(fakeToken);
};

/** @param isLast the longest life is near, and no sign of life helps */
const shortTime =
  (isLast: boolean): Step[1] =>
  async ({ web, page, open }) => {
    await amend(page, '/open', ({ view }) => {
      view.time = { seconds_left: 100, longest_seconds_left: isLast ? 100 : 900 };
    });
    await open(await loadToken(web));
  };

const standing =
  (facts: ReplyBody, type: 'individual' | 'business' = 'individual'): Step[1] =>
  async ({ web, page, open }) => {
    await amend(page, '/open', ({ view }) => Object.assign(view.onboarding, facts));
    await open((await web.api.customer(type)).onboarding_session.token);
  };
const late = '2999-01-01T00:00:00Z';
const early = '2020-01-01T00:00:00Z';
const standings: readonly Step[] = [
  [
    'more_requested',
    standing({ status: 'pending', is_more_requested: true }),
    (t) => t.onboarding.more,
  ],
  ['again', standing({ status: 'rejected', retry_available_at: early }), (t) => t.onboarding.retry],
  [
    'too_early',
    standing({ status: 'rejected', retry_available_at: late }),
    (t) => t.onboarding.rejectedTitle,
  ],
  [
    'final',
    standing({ status: 'rejected', retry_available_at: null }),
    (t) => t.onboarding.rejectedWhy,
  ],
  ['in_review', standing({ status: 'in_review' }), (t) => t.onboarding.alreadyTitle],
  ['approved', standing({ status: 'approved' }), (t) => t.onboarding.approvedTitle],
  ['owners_missing', standing({ status: 'pending' }, 'business'), (t) => t.business.ownersNone],
];

export const problemWalks: readonly Walk[] = [
  ...standings.map((step) => ({ name: 'onboarding', steps: [step] })),
  one('used', used, (t) => t.trouble.usedTitle),
  one(
    'unknown',
    ({ open }) => open(fakeToken),
    (t) => t.trouble.unknownTitle,
  ),
  one('alone', alone, (t) => t.trouble.aloneTitle),
  one('unanswered', unanswered, (t) => t.trouble.unansweredTitle),
  one('unregistered', unregistered, (t) => t.trouble.unregisteredTitle),
  one('unsupported', unsupported, (t) => t.trouble.unsupportedTitle),
  one('ended', ended, (t) => t.trouble.endedTitle),
  one('canceled', canceled, (t) => t.trouble.canceledTitle),
  one('offline_at_first', opening('offline'), (t) => t.trouble.offlineTitle),
  one('service_at_first', opening({ status: 503 }), (t) => t.trouble.serviceTitle),
  one('busy_at_first', opening({ status: 429, retryAfter: 7 }), (t) => t.trouble.busyTitle),
  one('offline', failing('offline'), (t) => t.trouble.offlineTitle),
  one('service', failing({ status: 500 }), (t) => t.trouble.serviceTitle),
  one('busy', failing({ status: 429, retryAfter: 7 }), (t) => t.trouble.busyTitle),
  one('lost', failing({ status: 401 }), (t) => t.trouble.lostTitle),
  one('more_time', shortTime(false), (t) => t.staying.timeTitle),
  one('last_minutes', shortTime(true), (t) => t.staying.timeLastTitle),
  one('too_old', tooOld, (t) => t.trouble.linkExpiredTitle),
  one('expired', expired, (t) => t.trouble.expiredTitle),
];
