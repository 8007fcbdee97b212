import type { RequestNetwork, RequestUse } from '@tenant-payments/contract/core/request_uses.ts';

export const networkNames: Readonly<Record<RequestNetwork, string>> = {
  rtp: 'RTP',
  fednow: 'FedNow',
};

/** Each use of a Request for Payment in words. */
export const useTexts: Readonly<Record<RequestUse, { title: string; text: string }>> = {
  account_to_account: { title: 'Own account', text: 'A load, from an account of the same person' },
  consumer_bill: { title: 'Bill', text: 'A consumer pays an invoice' },
  business: { title: 'Business', text: 'A business pays the invoice of a business' },
  purchase: { title: 'Purchase', text: 'A consumer pays at a counter, or for what is sold now' },
};
