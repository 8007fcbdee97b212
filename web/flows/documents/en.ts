import type { DocumentType } from '@tenant-payments/contract/resources/documents.ts';

export type DocumentTexts = Readonly<Record<DocumentType, readonly string[]>>;

const sample =
  'This is a sample. The operator of this program must replace it with the text that its bank and its lawyers have approved.';

/**
 * What a customer reads before accepting, by paragraphs. Samples: a program replaces them by its own
 * (docs/decisions/hosted.md), one for each version that it publishes.
 */
export const documentTexts: DocumentTexts = {
  digital_account_terms: [
    sample,
    'Your digital account holds money that you add from a bank account of your own. A bank holds the money, in an account for the customers of this program.',
    'Money leaves your account only when you confirm it, by PIN or by passkey. Keep your PIN to yourself. Tell us at once if you think that somebody else knows it.',
    'You can withdraw your balance to your linked bank account at any time, within the limits shown to you. The account has no monthly fee. A fee for a payment is shown before you confirm it.',
    'If you see a transaction that you did not make, tell us within 60 days of the statement that shows it.',
  ],
  esign_consent: [
    sample,
    'You agree to receive terms, notices and statements electronically instead of on paper.',
    'You need a device with a current browser and a place to keep what you save. You can ask for a paper copy, and you can withdraw this consent; we then close the account.',
  ],
  privacy_notice: [
    sample,
    'We collect your name, contact details, date of birth and tax number, to verify who you are. Date of birth and tax number go to the identity provider and are not kept here.',
    'We share what is needed to move your money with banks and payment networks, and what the law requires with authorities. We do not sell your data.',
  ],
  cip_notice: [
    sample,
    'To help the government fight the funding of terrorism and money laundering, federal law requires financial institutions to obtain, verify and record information that identifies each person who opens an account.',
    'When you open an account we ask for your name, address, date of birth and other information that lets us identify you. We may also ask for documents.',
  ],
  merchant_services_agreement: [
    sample,
    'Your business takes payments from customers of this program. Each payment is final once it is shown as completed. Fees are those agreed with the program and are shown with each payment.',
    'You make refunds to payers through this program. When a payer disputes a payment, its amount may be set aside until the dispute is decided.',
  ],
  acceptable_use_policy: [
    sample,
    'Take payments only for what you really sell. Unlawful goods and services, gambling without a licence, and payments on behalf of others are not allowed.',
    'We may suspend a business that breaks this policy. Money owed to customers is kept safe in the meantime.',
  ],
};
