/** Questions that several flows ask. */
export const forms = {
  firstName: 'First name',
  nameHint: 'As shown on your ID',
  theirNameHint: 'As shown on their ID',
  lastName: 'Last name',
  birthDate: 'Date of birth',
  date: {
    missing: 'Enter the date of birth',
    missingPart: { month: 'Enter the month', day: 'Enter the day', year: 'Enter the year' },
    badMonth: 'Enter a month from 01 to 12',
    badDay: 'Enter a day from 01 to 31',
    shortYear: 'Enter all four digits of the year',
    badYear: 'Check the year',
    daysOf: (days: number, year: number) => `That month had ${days} days in ${year}`,
  },
  ssn: 'Social Security number or ITIN',
  ssnHint:
    'It is used to verify your identity and kept encrypted, by us or our verification provider. A PIN reset asks for its last four digits.',
  line1: 'Street address',
  line2: 'Apt, suite or unit',
  city: 'City',
  state: 'State',
  postalCode: 'ZIP code',
  mobile: 'Phone number',
  mobileHint: 'A US mobile number that gets text messages',
  email: 'Email address',
  code: 'Verification code',
  codeHint: 'Six digits',
  codeSandbox: (code: string) => `Sandbox: the code is ${code}.`,
  newPin: 'New PIN',
  newPinHint:
    'Six digits that are hard to guess. Avoid sequences like 123456 and repeats like 121212.',
  repeatPin: 'Re-enter the PIN',
  missing: (label: string) => `${label} is required`,
  tooYoung: 'Must be 18 or older',
  badSsn: 'Enter all nine digits of the Social Security number or ITIN',
  badPostalCode: 'Enter a five-digit ZIP code',
  badMobile: 'Enter a 10-digit US phone number',
  badEmail: 'Enter an email address, such as ana@example.com',
  badCode: 'Enter all six digits of the code',
  wrongCode: (attempts: string) => `That code is incorrect. ${attempts}`,
  pinsDiffer: 'The PINs do not match',
  pinRun: 'Sequences like 123456 are easy to guess. Choose another PIN',
  pinRepetition: 'Repeats like 121212 are easy to guess. Choose another PIN',
  pinLength: 'Enter a six-digit PIN',
};

/** Verifying a number or an address by a code. */
export const codes = {
  title: { mobile: 'Verify your phone number', email: 'Verify your email address' },
  text: (to: string) => `We will send a code to ${to}.`,
  ownNumber: (last4: string) => `your number ending in ${last4}`,
  send: 'Send code',
  other: 'Use a different number',
  otherTitle: 'Your phone number',
  enterTitle: 'Enter the code',
  sent: (to: string) => `We sent it to ${to}.`,
  check: 'Verify code',
  again: 'Send a new code',
  sentAgain: 'We sent a new code.',
};

/** What a customer accepts. */
export const documents = {
  title: 'Terms and notices',
  text: 'Open and read each document.',
  version: (version: string) => `Version ${version}`,
  accept: 'I have read these documents and agree to them',
  accepted: 'Documents you agreed to',
  mustAccept: 'Check the box to agree to the documents',
};
