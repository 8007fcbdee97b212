import { shownPhone } from '@tenant-payments/contract/core/institutions.ts';
import { longDay, shortDay, typeNames } from '../words.ts';
import type { StatementTexts } from './statement_texts.ts';

export const english: StatementTexts = {
  language: 'en-US',
  title: 'Account statement',
  sample: 'This is a sample. It shows how your statements will look.',
  other: { language: 'es-US', text: 'Este estado de cuenta también está disponible en español.' },
  providedBy: (issuer) => `Provided by ${issuer}`,
  heldBy: ({ name, bank }) => `Institution: ${name}, ${bank}`,
  holder: (name) => `Account holder: ${name}`,
  account: (id) => `Digital account ending in ${id.slice(-4)}, account ID: ${id}`,
  statement: (id) => `Statement ID: ${id}`,
  period: (start, end) => `Statement period: ${longDay(start)} to ${longDay(end)} (Eastern Time)`,
  name: (start, end) => `Account statement ${start} to ${end}`,
  footer: (start, end) => `Account statement, ${longDay(start)} to ${longDay(end)}`,
  page: (number) => `page ${number}`,
  summary: 'Summary',
  item: 'Item',
  opening: 'Opening balance',
  credits: 'Total credits',
  debits: 'Total debits',
  closing: 'Closing balance',
  feesOfPeriod: 'Fees of this period',
  feesOfYear: (year) => `Fees of ${year} so far`,
  transactions: 'Transactions',
  none: 'There were no transactions in this period.',
  summed: (count) =>
    `This period has ${count.toLocaleString('en-US')} transactions. Each line is the total of one day and type.`,
  counted: (count) => `${count} ${count === 1 ? 'transaction' : 'transactions'}`,
  columns: ['Date', 'Transaction', 'Details', 'Fee', 'Amount', 'Balance'],
  types: typeNames,
  day: shortDay,
  inquiries: 'Direct inquiries to',
  directTo: ({ name, address, phone, hours }) => [
    `${name}, ${address}`,
    `Telephone: ${shownPhone(phone)} (${hours})`,
  ],
  errors: 'In Case of Errors or Questions About Your Electronic Transfers',
  notice: ({ name, address, phone }) => [
    `Telephone us at ${shownPhone(phone)} or write us at ${name}, ${address} as soon as you can, if you think your statement or receipt is wrong or if you need more information about a transfer on the statement or receipt. We must hear from you no later than 60 days after we sent you the FIRST statement on which the error or problem appeared.`,
    '(1) Tell us your name and account number (if any).',
    '(2) Describe the error or the transfer you are unsure about, and explain as clearly as you can why you believe it is an error or why you need more information.',
    '(3) Tell us the dollar amount of the suspected error.',
    'We will investigate your complaint and will correct any error promptly. If we take more than 10 business days to do this, we will credit your account for the amount you think is in error, so that you will have the use of the money during the time it takes us to complete our investigation.',
  ],
};
