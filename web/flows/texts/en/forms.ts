/** Questions that several flows ask. */
export const forms = {
  firstName: 'First name',
  lastName: 'Last name',
  birthDate: 'Date of birth',
  ssn: 'Social Security number',
  ssnHint: 'Nine digits. It is checked and not kept.',
  line1: 'Street address',
  line2: 'Apartment or suite',
  city: 'City',
  state: 'State',
  choose: 'Choose',
  postalCode: 'ZIP code',
  mobile: 'Mobile number',
  mobileHint: 'A number of the United States',
  email: 'Email address',
  code: 'Code',
  codeHint: 'Six digits',
  codeSandbox: (code: string) => `Sandbox: the code is ${code}.`,
  newPin: 'New PIN',
  newPinHint:
    'Six digits that are hard to guess: no runs such as 123456, no repeats such as 121212.',
  repeatPin: 'Repeat the PIN',
  missing: (label: string) => `${label} is missing`,
  badDate: 'Enter a date of birth',
  tooYoung: 'You must be at least 18 years old',
  badSsn: 'A Social Security number has nine digits',
  badPostalCode: 'A ZIP code has five digits',
  badMobile: 'Enter a mobile number with its area code',
  badEmail: 'Enter an email address, such as ana@example.com',
  badCode: 'The code has six digits',
  wrongCode: (attempts: string) => `That code is not right. ${attempts}`,
  pinsDiffer: 'The two PINs are not the same',
  pinRun: 'Choose a PIN that is no run',
  pinRepetition: 'Choose a PIN that does not repeat itself',
  pinLength: 'A PIN has six digits',
};

/** Proving a number or an address by a code. */
export const codes = {
  title: { mobile: 'Prove your mobile number', email: 'Prove your email address' },
  text: (to: string) => `We send a code to ${to}.`,
  ownNumber: (last4: string) => `your number ending in ${last4}`,
  send: 'Send code',
  other: 'Use another number',
  otherTitle: 'Your mobile number',
  enterTitle: 'Enter the code',
  sent: (to: string) => `We sent it to ${to}.`,
  check: 'Check code',
  again: 'Send a new code',
  sentAgain: 'We sent a new code.',
};

/** What a customer accepts. */
export const documents = {
  title: 'Terms and notices',
  text: 'Open and read each of them.',
  names: {
    digital_account_terms: 'Digital account terms',
    esign_consent: 'Consent to electronic documents',
    privacy_notice: 'Privacy notice',
    cip_notice: 'Notice on verifying your identity',
    merchant_services_agreement: 'Merchant services agreement',
    acceptable_use_policy: 'Acceptable use policy',
  },
  version: (version: string) => `Version ${version}`,
  accept: 'I have read these documents and accept them',
  mustAccept: 'Accept the documents to go on',
};
