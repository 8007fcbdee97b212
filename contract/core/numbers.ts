/**
 * The numbers of the interface that are no settings, each in one place: the service uses them,
 * `contract/emit` publishes them in docs/reference/numbers.md and in the OpenAPI document.
 */

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** In seconds (rules/limits#17). */
export const lifetimes = {
  accessToken: hour,
  onboardingToOpen: day,
  onboardingIdle: 30 * minute,
  onboardingOpened: 4 * hour,
  sessionToOpen: 15 * minute,
  sessionIdle: 10 * minute,
  sessionOpened: 30 * minute,
  resultToken: 10 * minute,
  linkToken: 4 * hour,
  statementAddress: 15 * minute,
  letterAddress: 15 * minute,
  reportFileAddress: hour,
  ownerInvite: 7 * day,
  messageCode: 10 * minute,
  dynamicRequestMaximum: 7 * day,
  loadRequestForPayment: day,
  paymentRequestForPayment: 15 * minute,
  refundPendingFunds: 30 * day,
  termsPending: 30 * day,
  dormantAfter: 365 * day,
  idempotencyKey: 30 * day,
  event: 30 * day,
  eventText: 400 * day,
  requestLog: 7 * day,
  apiKey: 365 * day,
  staffApiKey: day,
  personSession: 12 * hour,
  personSessionIdle: 15 * minute,
  personSessionIdleSandbox: 8 * hour,
  stepUp: 5 * minute,
  personInvitation: day,
  singleSignOn: 10 * minute,
  deviceSignIn: 10 * minute,
  deviceApiKey: 90 * day,
  provenAtProvider: 30 * day,
  supportConsent: 72 * hour,
  supportVisit: hour,
  clockAhead: 5 * minute,
} as const;

/** Sizes in bytes, and other counts. */
export const sizes = {
  requestBody: 65_536,
  webhookAnswerKept: 65_536,
  webhookAnswerHeaders: 16_384,
  webhookAnswer: 1_048_576,
  webhookAddresses: 8,
  webhookSecrets: 3,
  webhookEndpoints: 10,
  railMessage: 1_048_576,
} as const;

/** Requests in a window (rules/limits#12). */
export const rates = {
  windowSeconds: 60,
  tokens: 600,
  wrongSecrets: 30,
  hostedSession: 240,
  hostedAddress: 600,
  apiKey: 600,
  person: 600,
  signInAddress: 240,
  deviceSignIn: 30,
  unverifiedMessages: 60,
} as const;

/** In cents (rules/limits#2, rules/limits#3). */
export const amounts = {
  networkMaximum: 10_000_000_00,
  minimumTransfer: 100,
  minimum: 1,
} as const;
