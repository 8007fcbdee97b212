/** pin_reset. */
export const pinReset = {
  identityTitle: 'Prove who you are',
  identityText: 'As you told us when you opened the account.',
  ssn4: 'Last four digits of your Social Security number',
  ein4: 'Last four digits of the EIN',
  badLast4: 'Enter four digits',
  pinTitle: 'Choose a new PIN',
  set: 'Set PIN',
  doneTitle: 'Your new PIN is set',
  done: 'Use it from now on.',
};

/** contact_change. */
export const contact = {
  title: 'What do you want to change?',
  email: 'Email address',
  mobile: 'Mobile number',
  newEmail: 'New email address',
  newMobile: 'New mobile number',
  now: (value: string) => `Now ${value}`,
  endingIn: (last4: string) => `ending in ${last4}`,
  pinTitle: 'Confirm with your PIN',
  change: 'Change it',
  doneTitle: 'Changed',
  doneEmail: 'Your new email address is in use.',
  doneMobile: 'Your new mobile number is in use.',
};

/** terms_acceptance. */
export const terms = {
  title: 'New terms',
  text: 'Read what has changed. It applies once you accept.',
  inForceTitle: 'Terms in force',
  inForce: 'You have accepted all of these.',
  accept: 'Accept',
  decline: 'Decline',
  declineTitle: 'Decline the new terms?',
  declineText: 'They stay open, and you can accept them later.',
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
  text: 'These banks are made up. Each behaves in its own way.',
  outcomes: {
    verified: 'Is verified',
    failed: 'Fails its checks',
    unclear: 'Is held for review',
  },
  accountTypes: { checking: 'Checking', savings: 'Savings' },
  account: (type: string, mask: string) => `${type} ending in ${mask}`,
  accountTitle: 'Choose an account',
  shareTitle: 'Share this account?',
  share: (tenant: string) =>
    `${tenant} can see the account and use it to move money when you confirm it.`,
  yes: 'Share account',
  doneTitle: 'Account shared',
  done: (tenant: string) => `Go back to ${tenant} to see it.`,
  token: 'Public token',
  accountId: 'Account id',
  tokenText: 'No page is waiting for it. Copy it for POST /v1/customers/{id}/linked-accounts.',
};
