import { Code } from '@mantine/core';
import type { ReceivedPayment } from '@tenant-payments/backoffice/contract/money/suspense.ts';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { isolated } from '../../ui/isolated.ts';
import type { FactRow } from '../case/facts.tsx';

const senderOf = ({ sender_name, sender_last4 }: ReceivedPayment): string =>
  [sender_name && isolated(sender_name), sender_last4 && `…${sender_last4}`]
    .filter(Boolean)
    .join(' ');

/** The sender of a payment with the sender's words, or the bank's id where both are missing. */
export const sentWords = (payment: ReceivedPayment): string =>
  [senderOf(payment), payment.remittance && isolated(payment.remittance)]
    .filter(Boolean)
    .join(': ') || payment.provider_id;

/** The payment itself, where the bank has told it by an id of its own. */
export const receivedFacts = (payment: ReceivedPayment): FactRow[] => [
  ['Sender', senderOf(payment) || 'the bank does not say'],
  ['Written by the sender', payment.remittance ? isolated(payment.remittance) : 'No message'],
  [
    'Names the record',
    payment.record_id ? <RecordLink key="named" id={payment.record_id} /> : 'No record',
  ],
  ["Bank's id of the payment", <Code key="id">{payment.provider_id}</Code>],
];
