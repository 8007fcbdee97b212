import type { DocumentType } from '@tenant-payments/contract/resources/documents.ts';

export type DocumentTexts = Readonly<Record<DocumentType, readonly string[]>>;

const sample =
  'This is a sample. Whoever runs this program must replace it with the text that its bank and its lawyers have approved.';

/**
 * What a customer reads before accepting, by paragraphs. Samples: a program replaces them by its own
 * (docs/decisions/hosted.md), one for each version that it publishes.
 */
export const documentTexts: DocumentTexts = {
  digital_account_terms: [
    sample,
    'Your digital account holds money that you add from a bank account of your own. The money lies at a bank, in an account held for the customers of this program.',
    'Money leaves your account only when you confirm it, by PIN or by passkey. Keep your PIN to yourself. Tell us at once when you believe that somebody else knows it.',
    'You can withdraw your balance to your linked bank account at any time, within the limits that you are shown. The account has no monthly fee. A fee for a payment is shown before you confirm it.',
    'If you see a movement that is not yours, tell us within 60 days of the statement that shows it.',
  ],
  esign_consent: [
    sample,
    'You agree to receive terms, notices and statements electronically instead of on paper.',
    'You need a device with a current browser and a place to keep what you save. You can ask for a paper copy, and you can withdraw this consent; the account is closed then.',
  ],
  privacy_notice: [
    sample,
    'We collect your name, contact details, date of birth and tax number, to verify who you are. Date of birth and tax number go to the identity provider and are not kept here.',
    'We share what is needed to move your money with banks and payment networks, and what the law demands with authorities. We do not sell your data.',
  ],
  cip_notice: [
    sample,
    'To help the government fight the funding of terrorism and money laundering, federal law requires financial institutions to obtain, verify and record information that identifies each person who opens an account.',
    'When you open an account we ask for your name, address, date of birth and other information that lets us identify you. We may also ask for documents.',
  ],
  merchant_services_agreement: [
    sample,
    'Your business takes payments from customers of this program. Each payment is final once it is shown as completed. Fees are those agreed with the program and stand with each payment.',
    'You refund what you owe to a payer through this program. When a payer disputes a payment, its amount may be set aside until the dispute is decided.',
  ],
  acceptable_use_policy: [
    sample,
    'Take payments only for what you really sell. Unlawful goods and services, gambling without a licence, and payments on behalf of others are not allowed.',
    'Whoever breaks this policy may be suspended. Money that is owed to customers is kept safe meanwhile.',
  ],
};
