/** pin_reset. */
export const pinReset = {
  identityTitle: 'Verify your identity',
  identityText: 'Use the information you gave us when you opened the account.',
  birthDate: 'Date of birth',
  ssn4: 'Last four digits of your Social Security number or ITIN',
  ofBusiness: {
    identityText:
      'Use the information of the control person, and the EIN, as given when the account was opened.',
    birthDate: 'Date of birth of the control person',
    ssn4: 'Last four digits of their Social Security number or ITIN',
  },
  badLast4: 'Enter four digits',
  pinTitle: 'Choose a new PIN',
  set: 'Set PIN',
  doneTitle: 'Your new PIN is set',
  done: 'Use it from now on.',
  passkeysGo: 'A new PIN removes your passkeys. You can keep one by using it now.',
  passkeyKept: 'The passkey you just used stays.',
  closedTitle: 'Your PIN cannot be reset here',
  closed: (tenant: string) =>
    `The information did not match too many times. Contact ${tenant} to set a new PIN.`,
};

/** contact_change. */
export const contact = {
  title: 'What do you want to change?',
  email: 'Email address',
  mobile: 'Phone number',
  newEmail: 'New email address',
  newMobile: 'New phone number',
  now: (value: string) => `Current: ${value}`,
  endingIn: (last4: string) => `ending in ${last4}`,
  pinTitle: 'Confirm with your PIN',
  lockedReset: 'Reset it to change your information.',
  change: 'Save change',
  doneTitle: 'Change saved',
  doneEmail: 'We now use your new email address.',
  doneMobile: 'We now use your new phone number.',
  passkeys: 'Passkeys',
  passkeyCount: (count: number) =>
    count === 0 ? 'None yet' : count === 1 ? 'One passkey' : `${count} passkeys`,
};

/** The passkeys of a customer, in contact_change. */
export const passkeys = {
  title: 'Your passkeys',
  text: 'Each of these can confirm in place of your PIN. Remove any you do not recognize or no longer use.',
  none: 'You have no passkeys. With one you confirm by face, finger or screen lock instead of your PIN.',
  kinds: {
    device: 'Phone or computer',
    phone: 'Phone',
    security_key: 'Security key',
    unknown: 'Passkey',
  },
  added: (date: string) => `Added on ${date}`,
  used: (date: string) => `Last used on ${date}`,
  neverUsed: 'Not used yet',
  prove: 'Before you see your passkeys, show that it is you.',
  proveToAdd: 'To add a passkey, enter your PIN.',
  proveLocked: 'Your PIN is locked. Use a passkey to show that it is you.',
  add: 'Add a passkey',
  wasAdded: 'Passkey added.',
  notAdded: 'No passkey was added.',
  remove: 'Remove',
  removeWhich: (name: string, added: string) => `Remove ${name}, ${added}`,
  removeTitle: 'Remove this passkey?',
  removeText: 'It will no longer confirm anything here. Delete it on your device too.',
  removeYes: 'Yes, remove',
  removeNo: 'Keep it',
  wasRemoved: 'Passkey removed.',
  doneTitle: 'All done',
  done: 'Your passkeys are as you left them.',
};

/** terms_acceptance. */
export const terms = {
  title: 'New terms',
  text: 'Please read what has changed. From when on each holds for you stands beside it.',
  inForceTitle: 'Your current terms',
  inForce: 'You have accepted all of these.',
  accept: 'Accept',
  decline: 'Decline',
  declineTitle: 'Decline the new terms?',
  declineText: 'You can still accept them later.',
  declineYes: 'Yes, decline',
  declineNo: 'Go back',
  acceptedTitle: 'Terms accepted',
  accepted: 'Thank you.',
  declinedTitle: 'Terms not accepted',
  declined: 'Nothing has changed. You can accept them later.',
};

/** Sandbox Bank. */
export const bank = {
  title: 'Choose a bank',
  text: 'These are test banks. Each gives a different result.',
  outcomes: {
    verified: 'Passes verification',
    failed: 'Fails verification',
    unclear: 'Goes to review',
  },
  accountTypes: { checking: 'Checking', savings: 'Savings' },
  account: (type: string, mask: string) => `${type} ending in ${mask}`,
  accountTitle: 'Choose an account',
  shareTitle: 'Share this account?',
  share: (tenant: string) =>
    `${tenant} will see this account, and can move money to and from it when you confirm.`,
  yes: 'Share account',
  doneTitle: 'Account shared',
  done: (tenant: string) => `Go back to ${tenant} to see it.`,
  token: 'Public token',
  accountId: 'Account ID',
  tokenText:
    'No page is waiting for this result. Copy it into POST /v1/customers/{id}/linked-accounts.',
};
