import { endpoints } from '../../catalog.ts';
import { maximumCents } from '../../core/money.ts';
import { amounts, lifetimes, rates, sizes } from '../../core/numbers.ts';
import { defaultLimit, pageQuery } from '../../core/page.ts';
import { limitTexts } from '../../core/setting_facts.ts';
import { defaultSettings, Settings } from '../../core/settings.ts';
import { reconciliationColumns } from '../../resources/reports.ts';
import { deliveryOffsetsSeconds, deliveryTimeoutSeconds } from '../../resources/webhook_events.ts';
import { code, page, table } from './markdown.ts';

/** The page of numbers: every limit, rate, size, lifetime and column, out of what the service uses. */

const grouped = (value: number) => value.toLocaleString('en-US');
const dollars = (cents: number | null) =>
  cents === null
    ? 'none'
    : `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;

const units: readonly (readonly [number, string])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];

/** 86400 as `86,400 s (1 day)`. */
function duration(seconds: number): string {
  const unit = units.find(([length]) => seconds % length === 0);
  if (!unit) return `${grouped(seconds)} s`;
  const count = seconds / unit[0];
  return `${grouped(seconds)} s (${count} ${unit[1]}${count === 1 ? '' : 's'})`;
}

const defaults = defaultSettings('');

const limitRows = Object.entries(defaults.limits).map(([key, { individual, business }]) => [
  code(key),
  dollars(individual),
  dollars(business),
  limitTexts[key as keyof typeof limitTexts],
]);

/** The settings that are one number: the page says each of them. */
type NumericSetting = {
  [K in keyof Settings]-?: Settings[K] extends number ? K : never;
}[keyof Settings];

const numericSettings: Readonly<Record<NumericSetting, string>> = {
  rate_limit_per_minute: 'requests in a window of 60 s, in the sandbox and in production',
  confirmation_grace_seconds: 'seconds in which another session may replace one that ended',
  payment_request_expires_in:
    'seconds that a dynamic payment request lives unless it says otherwise',
  withdrawal_hold_hours: 'hours without withdrawals to a bank account that was linked anew',
  holder_match_verified:
    'of 100: names of holder and customer that agree so far verify a bank account',
  holder_match_review:
    'of 100: names that agree so far, and less than that, wait for a reviewer; below, `owner_mismatch`',
  refund_window_days: 'days after `completed_at` in which a payment can be refunded',
};

/** TypeBox keeps the bounds of a schema out of its type. */
const rangeOf = (schema: object) => schema as { minimum: number; maximum: number };

const settingRows = Object.entries(numericSettings).map(([name, what]) => {
  const key = name as NumericSetting;
  const { minimum, maximum } = rangeOf(Settings.properties[key]);
  return [code(key), `${defaults[key]}`, `${minimum} to ${maximum}`, what];
});

const rateRows: readonly (readonly [string, number])[] = [
  ['requests of a Tenant, unless its settings say otherwise', defaults.rate_limit_per_minute],
  ['access tokens given to one client', rates.tokens],
  ['wrong secrets from one address, or for one client', rates.wrongSecrets],
  ['requests of one hosted session', rates.hostedSession],
  ['requests from one address with an unknown token or link', rates.hostedAddress],
  ['requests of one API key in the portal', rates.apiKey],
  ['requests of one person in the portal', rates.person],
  ['requests from one address to sign in to the portal', rates.signInAddress],
  ['codes that programs get at one address to sign in', rates.deviceSignIn],
  ['messages of a provider that are not verified, from one address', rates.unverifiedMessages],
];

interface TextField {
  readonly maxLength?: number;
  /** The field itself, where it may be null. */
  readonly anyOf?: readonly TextField[];
}

/** The longest text that a field of a body takes. */
function lengthOf(id: 'createCustomer' | 'createPayment' | 'createDispute', name: string): string {
  const field = (endpoints[id].body.properties as Readonly<Record<string, TextField>>)[name];
  const texts = [field, ...(field?.anyOf ?? [])];
  return grouped(Math.max(...texts.map((text) => text?.maxLength ?? 0)));
}

const answerSizes = [sizes.webhookAnswerHeaders, sizes.webhookAnswerKept, sizes.webhookAnswer];

const sizeRows: readonly (readonly [string, string])[] = [
  ['body of a request', `${grouped(sizes.requestBody)} bytes`],
  ['`external_ref`', `${lengthOf('createCustomer', 'external_ref')} characters`],
  ["a payment's `description`", `${lengthOf('createPayment', 'description')} characters`],
  ["a dispute's `description`", `${lengthOf('createDispute', 'description')} characters`],
  [
    'page of a list',
    `1 to ${rangeOf(pageQuery.limit).maximum} records, without \`limit\` ${defaultLimit}`,
  ],
  ['amount of a payment, a refund or a payment request', `at least ${dollars(amounts.minimum)}`],
  ['amount of a load or a withdrawal', `at least ${dollars(amounts.minimumTransfer)}`],
  [
    'one transfer of the bank network (`network_maximum`)',
    `at most ${dollars(amounts.networkMaximum)}`,
  ],
  [
    'withdrawals of all customers of a Tenant on a day (`payout_daily_maximum`)',
    'no limit, unless its settings say otherwise',
  ],
  ['any amount in a request', `at most ${dollars(maximumCents)}`],
  ['webhook endpoints of a Tenant', `${sizes.webhookEndpoints}`],
  ['active webhook secrets of an endpoint', `1 to ${sizes.webhookSecrets}`],
  ['addresses of a webhook endpoint that are tried', `${sizes.webhookAddresses}`],
  [
    'answer to a webhook: its headers, kept body, all of it',
    `${answerSizes.map(grouped).join(', ')} bytes`,
  ],
];

const real = 'real time';
const own = "the Tenant's";
const lifetimeRows: readonly (readonly [string, number, string])[] = [
  ['access token', lifetimes.accessToken, real],
  ['session, until it must be opened', lifetimes.sessionToOpen, own],
  ['session, opened: without a sign of life', lifetimes.sessionIdle, own],
  ['session, opened: at most', lifetimes.sessionOpened, own],
  ['onboarding session, until it must be opened', lifetimes.onboardingToOpen, own],
  ['onboarding session, opened: without a sign of life', lifetimes.onboardingIdle, own],
  ['onboarding session, opened: at most', lifetimes.onboardingOpened, own],
  ['result token', lifetimes.resultToken, own],
  ['code in a message to a customer', lifetimes.messageCode, own],
  ['link token', lifetimes.linkToken, own],
  ["statement's address", lifetimes.statementAddress, real],
  ["letter's address", lifetimes.letterAddress, real],
  ["report file's address", lifetimes.reportFileAddress, real],
  ["owner's invitation", lifetimes.ownerInvite, own],
  ['dynamic payment request, at most', lifetimes.dynamicRequestMaximum, own],
  ['Request for Payment of a load', lifetimes.loadRequestForPayment, own],
  ['Request for Payment of a payment', lifetimes.paymentRequestForPayment, own],
  ['refund in `pending_funds`', lifetimes.refundPendingFunds, own],
  ['new terms, until they restrict the account', lifetimes.termsPending, own],
  ['account without movement, until it is dormant', lifetimes.dormantAfter, own],
  ['idempotency key', lifetimes.idempotencyKey, own],
  ['event in the listing, and its resend', lifetimes.event, own],
  ["event's text", lifetimes.eventText, own],
  ['request log', lifetimes.requestLog, real],
  ["person's session in the portal, at most", lifetimes.personSession, real],
  ["person's session without a request, in production", lifetimes.personSessionIdle, real],
  ["person's session without a request, in the sandbox", lifetimes.personSessionIdleSandbox, real],
  ['step-up', lifetimes.stepUp, real],
  ['attempt of single sign-on', lifetimes.singleSignOn, real],
  ['code with which a program signs in', lifetimes.deviceSignIn, real],
  ['API key of a program that signed in so, unless it is chosen', lifetimes.deviceApiKey, real],
  ['any API key, at most', lifetimes.apiKey, real],
  ['API key with the role reviewer or admin, at most', lifetimes.staffApiKey, real],
  [
    'sign-in at a demanded provider, for the API keys of its person',
    lifetimes.provenAtProvider,
    real,
  ],
  ["by how much a caller's clock may be ahead", lifetimes.clockAhead, real],
  ['invitation to the portal', lifetimes.personInvitation, real],
  ['answer to a webhook', deliveryTimeoutSeconds, real],
  ['attempts of a webhook, from first to last', deliveryOffsetsSeconds.at(-1) ?? 0, own],
];

export function numbersPage(): string {
  return page(
    'Numbers',
    'Every limit, rate, size and lifetime, as the service uses it. Settings are those of a new Tenant; `GET /portal/api/settings` shows your own.',
    '## Amount limits',
    'Settings, by the `details.limit` of `limit_exceeded`.',
    table(['limit', 'individual', 'business', 'what it covers'], limitRows),
    '## Other settings',
    table(['setting', 'default', 'range', 'what it is'], settingRows),
    '## Rates',
    `In a window of ${rates.windowSeconds} s, the same in the sandbox and in production. \`RateLimit-Limit\` shows the number, \`RateLimit-Reset\` the seconds until all of it is there again. A Tenant's own limit holds for reads and for writes apart, and refills evenly.`,
    table(
      ['what', 'in a window'],
      rateRows.map(([what, count]) => [what, grouped(count)]),
    ),
    '## Sizes',
    table(['what', 'size'], sizeRows),
    '## Lifetimes',
    table(
      ['what', 'how long', 'clock'],
      lifetimeRows.map(([what, seconds, clock]) => [what, duration(seconds), clock]),
    ),
    '## Columns of the reconciliation file',
    'CSV in UTF-8 with a line of names; the last line begins with `#TOTALS`. An empty cell means that there is none.',
    table(
      ['column', 'type', 'empty', 'what'],
      Object.entries(reconciliationColumns).map(([name, { type, empty, what }]) => [
        code(name),
        type,
        empty ? 'may be' : 'never',
        what,
      ]),
    ),
  );
}
