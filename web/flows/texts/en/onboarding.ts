/** The texts of onboarding: of a person, of a business, and of the page of an owner. */
export const onboarding = {
  aboutTitle: 'About you',
  addressTitle: 'Your home address',
  pinTitle: 'Choose a PIN',
  pinText: 'You will use it to confirm payments.',
  reviewTitle: 'Review your information',
  name: 'Name',
  address: 'Address',
  verified: 'Verified',
  yourPin: 'Your PIN',
  pinChosen: 'Chosen, not shown here',
  change: 'Change',
  changeWhat: (what: string) => `Change ${what}`,
  submit: 'Submit application',
  doneTitle: 'Application submitted',
  done: (tenant: string) => `We are reviewing it. ${tenant} will let you know the result.`,
  approvedTitle: 'You are approved',
  approved: 'Your account is open.',
  alreadyTitle: 'Nothing to do right now',
  already: (tenant: string) =>
    `We are reviewing your application. ${tenant} will let you know the result.`,
  rejectedTitle: 'Your application was not approved',
  rejectedUntil: (moment: string) => `You can apply again on or after ${moment}.`,
  rejectedWhy: 'We could not confirm all the information that the law requires to open an account.',
  rejectedFinal: (tenant: string) =>
    `This decision is final. If you have questions or think it is a mistake, contact ${tenant}.`,
  moreTitle: 'Please enter your information again',
  more: 'We could not confirm some of it.',
  moreDocuments: (documents: string) => `We also need: ${documents}. Have a photo or file ready.`,
  retry: 'You can apply again now. Please check every answer before you submit.',
  start: 'Start',
};

/** Documents for the identity check. */
export const papers = {
  title: 'Your documents',
  text: 'Add a photo or a file of each: JPEG, PNG or PDF, up to 10 MB. We keep it encrypted.',
  names: {
    photo_id: 'Photo ID',
    proof_of_address: 'Proof of address',
    tax_document: 'Proof of your SSN or ITIN',
    business_document: 'Proof of the business',
  },
  hints: {
    photo_id:
      'A passport, driver’s license or state ID that has not expired. Show all four corners.',
    proof_of_address:
      'A bill or bank statement of the last three months with your name and address.',
    tax_document: 'A Social Security card, an ITIN letter of the IRS, or a tax form that shows it.',
    business_document: 'Articles of incorporation, a business license or a partnership agreement.',
  },
  choose: 'Choose a photo or file',
  takePhoto: 'Take a photo',
  retake: 'Take another photo',
  chooseFile: 'Choose a file',
  replace: 'Choose another file',
  pictureOf: (document: string) => `${document}, as you added it`,
  given: 'Received',
  notGiven: 'Not added yet',
  sending: 'Sending…',
  missing: (documents: string) => `Still missing: ${documents}.`,
};

/** The texts of the steps that only a business has. */
export const business = {
  factsTitle: 'About your business',
  legalName: 'Legal name',
  legalNameHint: 'Exactly as registered',
  tradingName: 'Doing business as (DBA)',
  tradingNameHint: 'The name your customers see',
  industry: 'Industry',
  ein: 'Employer Identification Number (EIN)',
  einHint:
    'It is used to verify the business and kept encrypted, by us or our verification provider. A PIN reset asks for it.',
  badEin: 'Enter all nine digits of the EIN',
  addressTitle: 'Business address',
  ownersTitle: 'Owners and control person',
  ownersText:
    'Add everyone who owns 25% or more of the business, and the control person: the one person who manages it, such as the CEO. One person can be both.',
  ownersNone: 'No one has been added yet.',
  ownersMissing: 'Add the control person, who manages the business',
  ownersTwo: 'Only one person can be the control person',
  ownersAlone:
    'We need the information of each person to approve the business. People you invite get an email with their own link.',
  addPresent: 'Add someone who is with you',
  invite: 'Invite someone by email',
  presentTitle: 'Add someone who is with you',
  inviteTitle: 'Invite someone by email',
  ownerName: 'Full name',
  role: 'Role',
  roles: {
    owner: 'Owner',
    control_person: 'Control person',
    owner_and_control_person: 'Owner and control person',
  },
  percent: 'Percent owned',
  badPercent: 'Enter a whole number from 0 to 100',
  percentOf: (percent: number) => `${percent}%`,
  statuses: {
    invited: 'Invited',
    pending: 'In review',
    in_review: 'In review',
    approved: 'Approved',
    rejected: 'Not approved',
  },
  sendInvitation: 'Send invitation',
  addPerson: 'Add this person',
  again: 'Send the link again',
  againTo: (name: string) => `Send the link to ${name} again`,
  sentAgain: (name: string) => `The link was sent to ${name} again.`,
  changeTitle: 'Change information about this person',
  changeText: 'The link we sent before will stop working. We will send a new one.',
  emailKept: 'Leave blank to use the same address as before',
  saveAndSend: 'Save and send the link',
  theirDetails: 'About this person',
  theirAddress: 'Home address of this person',
};

/** The page of an owner who follows a link. */
export const owner = {
  welcomeTitle: (company: string) => `Verify your identity for ${company}`,
  welcome: (name: string) =>
    `${name}, the law requires us to verify the people who own or manage a business.`,
  asRole: (role: string) => `The business listed you as: ${role}.`,
  submit: 'Submit my information',
  doneTitle: 'Thank you',
  done: (company: string) => `We are reviewing your information. ${company} will get the result.`,
  linkTitle: 'This link no longer works',
  link: 'It was already used, was replaced by a newer one, or has expired. Ask the business to send a new one.',
};
