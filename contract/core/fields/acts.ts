import { capitalized, plainWords } from './field.ts';

/** Every act of the audit in words, in groups: what it does, as an order; `doneWords` says that it was done. */

type Acts = Readonly<Record<string, string>>;

const signIn: Acts = {
  actIn: 'Choose where the session acts',
  addMyPasskey: 'Add a passkey',
  approveDeviceSignIn: 'Let a program fetch an API key',
  denyDeviceSignIn: 'Refuse a program an API key',
  endMyOtherSessions: 'End all other own sessions',
  endMySession: 'End an own session',
  finishAcceptance: 'Accept an invitation',
  finishSignIn: 'Sign in with a passkey',
  finishSingleSignOn: 'Sign in by the identity provider',
  finishStepUp: 'Confirm with a passkey',
  nameMyPasskey: 'Name a passkey',
  pollDeviceSignIn: 'Fetch an API key for a program',
  removeMyPasskey: 'Remove a passkey',
  replaceMyRecoveryCodes: 'Replace the recovery codes',
  signInByLink: 'Sign in by the link of the sandbox',
  signInByRecoveryCode: 'Sign in with a recovery code',
  signOut: 'Sign out',
  createSignInLink: 'Make a sign-in link of the sandbox',
};

const people: Acts = {
  createInvitation: 'Invite a member',
  createStaffInvitation: 'Invite somebody to the staff',
  disablePerson: 'Lock a person out',
  enablePerson: 'Let a person in again',
  endMemberSessions: "End a member's sessions",
  endStaffSessions: 'End the sessions of one of the staff',
  endSupportConsent: 'End the consent for support',
  enterTenant: 'Enter the tenant by consent',
  giveSupportConsent: 'Let staff see the tenant for a time',
  leaveTenant: 'Leave the tenant',
  putMember: "Change a member's roles",
  putSingleSignOn: 'Set the identity provider',
  putStaff: 'Change the roles of one of the staff',
  removeMember: 'Remove a member',
  removeSingleSignOn: 'Remove the identity provider',
  removeStaff: 'Remove one of the staff',
  resetPerson: 'Reset how a person signs in',
  revokeInvitation: 'Revoke an invitation',
  revokeStaffInvitation: 'Revoke an invitation to the staff',
};

const settings: Acts = {
  putBankAccountInForce: 'Put an own bank account in force',
  proposeBankAccount: 'Propose an own bank account',
  putSettings: 'Change the settings',
  term_change: 'Put changed terms in force',
  uploadLogo: 'Upload a logo',
};

const webhooks: Acts = {
  changeFurtherEndpoint: 'Change a further webhook endpoint',
  createFurtherEndpoint: 'Add a further webhook endpoint',
  createWebhookSecret: 'Make a webhook secret',
  deleteFurtherEndpoint: 'Delete a further webhook endpoint',
  putWebhookEndpoint: 'Set the webhook endpoint',
  recoverEvents: 'Send events again since a time',
  resendEvent: 'Send an event again',
  retireWebhookSecret: 'Retire a webhook secret',
  testWebhookEndpoint: 'Test the webhook endpoint',
};

const keys: Acts = {
  beginReseal: 'Begin to seal everything with a new key',
  createApiKey: 'Make an API key',
  createCredential: 'Make a client secret',
  createTemporaryClient: 'Make a client secret for a day',
  replaceCredentials: 'Replace the credentials of the sandbox',
  retireCredential: 'Retire a client secret',
  revokeApiKey: 'Revoke an API key',
  revokeQrKey: 'Revoke a QR key',
  revokeThisApiKey: 'Revoke the API key that calls',
  revokeTokens: 'End all access tokens',
};

const approvals: Acts = {
  approveApproval: 'Approve a request',
  approvePlatformApproval: 'Approve a request on the platform',
  createApproval: 'Ask a second person',
  createPlatformApproval: 'Ask a second admin',
  refuseApproval: 'Refuse a request',
  refusePlatformApproval: 'Refuse a request on the platform',
};

/** Moves of reviewers, by resource and move. */
const review: Acts = {
  'customers.approve': 'Approve a customer',
  'customers.reject': 'Reject a customer',
  'customers.request_more': 'Ask a customer for more',
  'customers.review': 'Review a customer again',
  'customers.erase': "Erase a customer's personal data",
  'customers.allow_pin_reset': 'Allow a PIN reset',
  'customers.remove_passkeys': "Remove a customer's passkeys",
  'customers.withdraw_electronic': 'Send records on paper',
  'customers.restore_electronic': 'Send records electronically again',
  'customers.open_identity': "Open a customer's identity data",
  'owners.approve': 'Approve an owner',
  'owners.reject': 'Reject an owner',
  'owners.open_identity': "Open an owner's identity data",
  'documents.publish': 'Publish a document',
  'linked-accounts.verify': 'Verify a bank account',
  'linked-accounts.reject': 'Reject a bank account',
  'linked-accounts.release_hold': 'Release the withdrawal hold of a bank account',
  'linked-accounts.lift_opt_out': 'Allow requests to a bank account again',
  'accounts.suspend': 'Suspend an account',
  'accounts.reactivate': 'Reactivate an account',
  'accounts.place_hold': 'Place a legal hold on an account',
  'accounts.release_hold': 'Lift the legal hold of an account',
  'accounts.adjust': 'Adjust the balance of an account',
  'disputes.investigate': 'Investigate a dispute',
  'disputes.reopen': 'Reopen a dispute',
  'disputes.classify': 'Handle a dispute as another kind',
  'disputes.extenuating': 'Accept the delay of a dispute',
  'disputes.credit': 'Give provisional credit',
  'disputes.resolve_approved': 'Decide a dispute for the customer',
  'disputes.resolve_partial': 'Award a part of a dispute',
  'disputes.resolve_denied': 'Deny a dispute',
  'disputes.resolve_withdrawn': 'Close a dispute as withdrawn',
  'disputes.liability_merchant': 'Let the merchant bear a dispute',
  'disputes.liability_platform': 'Let the platform bear a dispute',
  'disputes.give_papers': 'Give the documents of a dispute',
  'suspense.match': 'Credit unmatched money to an account',
  'suspense.return': 'Return unmatched money to the bank',
  'bank-messages.close': 'Close a bank message',
  'bank-messages.book': 'Book what the bank moved',
  'return-requests.accept': 'Give back money that was asked back',
  'return-requests.refuse': 'Refuse to give money back',
  'notices.give': 'Give a notice by hand',
  'reserve.fund': 'Fund the reserve',
};

const work: Acts = {
  addCaseNote: 'Write a note on a case',
  eraseIdentity: 'Erase identity data',
  openIdentity: 'Open identity data',
  openIdentityDocument: 'Open an identity document',
  releaseCase: 'Release a case',
  review: 'Make a move that does not exist',
  takeCase: 'Take a case',
};

const operations: Acts = {
  acknowledgeAlarm: 'Acknowledge an alarm',
  acknowledgeViolations: 'Acknowledge violations of the ledger',
  applyMigrations: 'Migrate the database',
  beginRestore: 'Begin a restore',
  closeRailMessage: "Close a provider's message",
  endRestore: 'End a restore',
  noteBankDifference: "Note a difference of the bank's book",
  replayRailMessage: "Report a provider's message again",
  settleRestoredOrder: "Settle a bank's order after a restore",
  takeBackAcknowledgement: 'Take back an acknowledgement',
  uploadBankStatement: 'Upload a bank statement',
};

const tenants: Acts = {
  createSandboxTenant: 'Make a sandbox tenant',
  createTenant: 'Make a tenant',
  moveTenant: 'Move a tenant to another cell',
  resetSandbox: 'Reset the sandbox',
  resumeTenant: 'Resume a tenant',
  suspendTenant: 'Suspend a tenant',
};

const sandbox: Acts = {
  advanceClock: 'Move the clock forward',
  createSampleEvent: 'Send a sample event',
  putChaos: 'Set the faults of the sandbox',
  putProductionRules: 'Switch the rules of production',
  simulateMove: 'Simulate a move',
};

const ofReview = Object.fromEntries(
  Object.entries(review).map(([name, words]) => [`review.${name}`, words]),
);

/** The groups of a pick list, each with its acts by code. */
export const actGroups: readonly (readonly [name: string, acts: Acts])[] = [
  ['Settings', settings],
  ['Approvals', approvals],
  ['Review', { ...ofReview, ...work }],
  ['People', people],
  ['Sign-in', signIn],
  ['Webhooks', webhooks],
  ['Credentials and keys', keys],
  ['Tenants', tenants],
  ['Operations', operations],
  ['Sandbox', sandbox],
];

const acts: Acts = Object.assign({}, ...actGroups.map(([, group]) => group));

/** An act as an order: `Retire a webhook secret`; one of another release by its name in words. */
export const actWords = (act: string): string =>
  acts[act] ??
  capitalized(
    plainWords(act.replaceAll('.', ' ').replaceAll(/([a-z])([A-Z])/g, '$1_$2')).toLowerCase(),
  );

/** A reviewer's move, or what else a second person is asked for, by resource and move. */
export const moveWords = (resource: string, move: string): string | null =>
  review[`${resource}.${move}`] ?? null;

/** Verbs whose past is not made by an ending. */
const past: Readonly<Record<string, string>> = {
  begin: 'began',
  choose: 'chose',
  deny: 'denied',
  give: 'gave',
  leave: 'left',
  let: 'let',
  make: 'made',
  put: 'put',
  send: 'sent',
  set: 'set',
  take: 'took',
  write: 'wrote',
};

function pastOf(verb: string): string {
  const small = verb.toLowerCase();
  const irregular = past[small];
  if (irregular) return capitalized(irregular);
  if (/[^aeiou]y$/.test(small)) return `${verb.slice(0, -1)}ied`;
  if (/^(submit|stop|permit)$/.test(small)) return `${verb}${small.at(-1)}ed`;
  return small.endsWith('e') ? `${verb}d` : `${verb}ed`;
}

/** An order that was carried out: `Retired a webhook secret`. */
export const doneWords = (order: string): string => {
  const [verb = '', ...rest] = order.split(' ');
  return [pastOf(verb), ...rest].join(' ');
};

/** An order that was refused: `Tried to retire a webhook secret`. */
export const triedWords = (order: string): string =>
  `Tried to ${order.slice(0, 1).toLowerCase()}${order.slice(1)}`;
