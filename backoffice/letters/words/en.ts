import { shownPhone } from '@tenant-payments/contract/core/institutions.ts';
import { longDay, typeNames } from '@tenant-payments/service/resources/statements/words.ts';
import type { LetterWords } from './letter_words.ts';

const finished = 'We have finished the investigation of your notice';
const compared = {
  transaction: 'We compared your notice with our records of the transaction above and',
  account: 'We compared your notice with our records of your account and',
};
const outcomes = {
  approved: 'decided it in your favor',
  partially_approved: 'decided it in your favor in part',
  denied: 'did not decide it in your favor',
};
const kinds = {
  error: 'error',
  unauthorized_transfer: 'unauthorized transfer',
  purchase_dispute: 'purchase',
};
const as = { provisional: ' as a provisional credit', final: '' };
const named = { provisional: 'provisional credit', final: 'credit' };

export const english: LetterWords = {
  language: 'en-US',
  other: { language: 'es-US', text: 'Esta carta también está disponible en español.' },
  longDay,
  page: (number) => `page ${number}`,
  columns: ['Item', 'Detail'],
  titles: {
    late_notice: 'About your late notice',
    reasserted: 'About your repeated notice',
    provisional_credit: 'Notice of provisional credit',
    correction: 'Notice of correction',
    result: 'Notice of result',
    denial: 'Notice of denial',
  },
  dear: (name) => `Dear ${name},`,
  sincerely: (issuer) => `Sincerely, ${issuer}`,
  contact: ({ name, address, phone, hours }) =>
    `call ${shownPhone(phone)} (${hours}) or write to ${name}, ${address}`,
  question: (contact) => `If you have a question, ${contact}, and give the dispute ID above.`,
  law: {
    deadlines: 'This letter is a notice under Regulation E, 12 CFR 1005.11.',
    liability: 'This letter is a notice under Regulation E: 12 CFR 1005.6 limits your liability.',
  },
  noticeTypes: {
    error: 'Error',
    unauthorized_transfer: 'Unauthorized transfer',
    purchase_dispute: 'Purchase dispute',
  },
  types: typeNames,
  subject: {
    heading: 'Your notice',
    dispute: 'Dispute ID',
    type: 'Type of notice',
    received: 'Notice received',
    transaction: 'Transaction',
    none: 'None named',
    date: 'Transaction date',
    amount: 'Transaction amount',
    party: 'Other party',
    payment: 'Payment ID',
    transactionId: 'Transaction ID',
    disputed: 'Amount in dispute',
  },
  findings: {
    error: {
      approved: `${finished} and found that an error occurred.`,
      partly: `${finished} and found that an error occurred, but in a different amount than you told us.`,
      denied: `${finished} and found that no error occurred.`,
      why: (of) => `${compared[of]} found that they are correct.`,
    },
    unauthorized_transfer: {
      approved: `${finished} and found that the transfer was unauthorized.`,
      partly: `${finished} and found an unauthorized transfer, but in a different amount than you told us.`,
      denied: `${finished} and found no unauthorized transfer.`,
      why: (of) => `${compared[of]} found that no transfer was made without authority.`,
    },
    purchase_dispute: {
      approved: `${finished} and decided it in your favor.`,
      partly: `${finished} and decided it in your favor in part.`,
      denied: `${finished} and did not decide it in your favor.`,
      why: (of) => `${compared[of]} found no reason to credit the purchase to you.`,
    },
  },
  found: {
    heading: 'What we found',
    due: (award, disputed) =>
      `We found that ${award}${disputed === null ? '' : ` of the ${disputed} in dispute`} is due to you.`,
    borne: `${finished} and found that the transfer was unauthorized, but that you bear it.`,
    withdrawn: 'You withdrew your notice, so we have ended the investigation.',
    refunded:
      'The amount in dispute has been refunded to you, so we have ended the investigation of your notice.',
  },
  documents: {
    heading: 'Your right to the documents',
    paragraphs: (contact) => [
      `You may ask us for copies of the documents on which we relied in this decision: ${contact}, and give the dispute ID above. We will send them to you promptly.`,
      'If you find an error in them, tell us within 60 days after you have received them.',
    ],
  },
  credit: {
    heading: 'Your credit',
    account: ({ is, amount, day }) => `On ${day} we credited ${amount} to your account${as[is]}.`,
    suspense: ({ is, amount, day }) =>
      `Your account is closed, and we know no bank account that can receive your ${named[is]} of ${amount}. We have held the money for you since ${day}. Contact us, so that we can pay it.`,
    bank: ({ is, amount, day, bank }) =>
      `Your account is closed. On ${day} we sent ${amount} to your bank account ${bank}${as[is]}.`,
    nothing: 'The amount has been returned to you already, so no further credit is due.',
    without: 'You received no provisional credit, so nothing is debited from your account.',
    final: (given, day, award) =>
      award === null
        ? `The provisional credit of ${given} that we gave you on ${day} is final.`
        : `Of the provisional credit of ${given} that we gave you on ${day}, ${award} is final.`,
    debit: (debit, day, isWhole) =>
      `On ${day} we will debit ${isWhole ? `this credit of ${debit}` : `${debit} of this credit`} from your account. If less is available on that day, we will debit only what is available.`,
    honored: (day) =>
      `You have the full use of the credit until then. Through ${day}, the fifth business day after the date of this letter, we will honor checks, drafts and similar instruments payable to third parties, and preauthorized transfers from your account, without charge to you as a result of an overdraft. We will honor those items that we would have paid if the credit had not been debited.`,
    kept: (given, day) =>
      `Your account is closed. We will not take back any of the provisional credit of ${given} that we gave you on ${day}.`,
  },
  provisional: {
    lead: 'We are investigating your notice. Until we have finished, you have a provisional credit.',
    fullUse: 'You have the full use of this money while we investigate.',
    heading: 'What comes next',
    until: (day) =>
      day === null
        ? 'We will tell you the result when we have finished the investigation.'
        : `We will finish the investigation by ${day} at the latest, and tell you the result within three business days after that.`,
    final: 'If we decide in your favor, the credit becomes final.',
    warned:
      'If we do not, or only in part, we will tell you how much we debit from your account, and when, before we do so.',
  },
  liability: {
    heading: 'What you bear',
    late: 'You told us of the transfer later than 60 days after we had sent you the statement that first shows it. You bear nothing because of this delay alone.',
    extended: 'You told us why, and we have extended the times within which you had to tell us.',
    bears: (amount) => `Of this transfer you bear ${amount}.`,
    reasons: {
      none: '',
      fifty:
        'A phone or another means of access was lost or stolen. You bear at most $50 of a transfer for which you told us within two business days after you learned of it, or which came within those two days.',
      five_hundred:
        'A phone or another means of access was lost or stolen, and you told us later than two business days after you learned of it. You then bear at most $500 of a transfer that we could have stopped had we known.',
      unlimited:
        'The transfer came more than 60 days after we had sent you a statement that showed an earlier unauthorized transfer, and we could have stopped it had you told us within those 60 days.',
    },
  },
  late: {
    lead: 'We have received your notice of an unauthorized transfer, and we are investigating it.',
    headings: [
      'Your notice came late',
      'What you bear at most',
      'If something kept you from telling us',
    ],
    came: 'You told us later than 60 days after we had sent you the statement that first shows the transfer. The time limits of 12 CFR 1005.11 for our investigation and the provisional credit do not apply. We will tell you the result.',
    bears: [
      'The limits of 12 CFR 1005.6 do apply. You bear nothing of a transfer because of this delay alone. You can only bear transfers that came after the 60 days, and that we could have stopped had you told us within them.',
      'If a phone or another means of access was lost or stolen, you bear at most $50 where you told us within two business days after you learned of it, and at most $500 where you told us later.',
    ],
    kept: (contact) =>
      `If you could not tell us in time, such as on a long journey or in a hospital, let us know: ${contact}. We will then extend these times.`,
  },
  reasserted: {
    lead: (type) => `We have received your notice. You told us of the same ${kinds[type]} before.`,
    headings: ['Our answer', 'What you can do'],
    answered: 'We have answered it.',
    answer: (outcome, day, dispute) =>
      `On ${day} we finished the investigation of that notice (dispute ID ${dispute}) and ${outcomes[outcome]}. We told you what we had found.`,
    noSecond:
      'An error that was answered needs no second investigation (12 CFR 1005.11(e)). Your new notice has no time limit, and you receive no provisional credit for it.',
    canDo: (contact) => [
      `If you have new information, give it to us: ${contact}, and give the dispute ID above. We will look at it.`,
      'You may ask us for copies of the documents on which we relied. If you find an error in them, tell us within 60 days after you have received them, and we will investigate it anew.',
    ],
  },
};
