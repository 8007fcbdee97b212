type Names = Readonly<Record<string, string>>;

/** Why a payment did not pay the order, by its status. */
const unpaid: Names = {
  failed: 'The customer’s bank did not pay. No money was moved, and the code can be paid again.',
  canceled: 'The customer did not confirm. No money was moved, and the code can be paid again.',
};

const closed: Names = {
  expired: 'The code has expired. Only who has scanned it before can still confirm.',
  canceled: 'The order was canceled. Its code can no longer be paid.',
};

/** The café's tablet. */
export const till = {
  unpaid,
  closed,
  number: 'Till 1',
  pages: { sell: 'Sell', orders: 'Orders', counter: 'Counter', day: 'Day', supplier: 'Supplier' },
  emptyCart: 'Nothing in the cart yet.',
  less: (name: string) => `One ${name} less`,
  more: (name: string) => `One ${name} more`,
  charge: (amount: string) => `Charge ${amount}`.trim(),
  noOrders: 'No orders since the shop opened.',
  order: (number: number) => `Order #${number}`,
  orderLabel: (number: number) => `Order ${number}`,
  orderIs: (number: number, state: string) => `Order ${number} is ${state}`,
  nextCustomer: 'Next customer',
  newCode: 'Make a new code',
  qr: (number: number, amount: string) => `QR code for order ${number}, ${amount}`,
  atBank: 'Confirmed. The customer’s bank is processing it…',
  progress: 'Progress',
  scanned: 'A customer has scanned it.',
  validFor: 'The code is valid for',
  cancel: 'Cancel the order',
  paidBy: { bank_account: 'Paid by bank', balance: 'Paid from wallet' },
  fee: {
    platform: {
      payee: 'Platform fee, paid by the shop',
      payer: 'Platform fee, paid by the customer',
    },
    tenant: { payee: 'App fee, paid by the shop', payer: 'App fee, paid by the customer' },
  },
  unknown: 'This money came without an order. Find out what was bought, or refund it.',
  partlyPaid: (paid: string, owed: string) =>
    `Only ${paid} of ${owed} was paid. Hand nothing out: refund it, and ring up the order again.`,
  net: 'Net to the shop',
  refundIs: (state: string) => `Refund, ${state}`,
  handedOut: 'Handed out',
  times: (count: number) => ['no', 'once'][count] ?? `${count} times`,
  refund: 'Refund',
  refundText: 'The café confirms with its own PIN, 284617, on a page of the service.',
  part: 'Part of the amount',
  refundPart: 'Refund this part',
  refundAll: (amount: string) => `Refund all ${amount}`,
  counterText: 'Print it once and leave it on the counter: customers type the amount.',
  counterQr: 'QR code of the counter, without an amount',
  payHere: 'Pay here with your phone',
  print: 'Print it',
  day: 'Day, in New York',
  events: 'Events',
  report: 'Report',
  agrees: 'agrees',
  differs: 'differs',
  reportLater: 'The report of a day is ready at six the next morning.',
  file: 'The day’s postings as a file',
  again: 'Recalculate',
  tomorrow: 'Move the clock 30 hours',
  supplierText: 'Harbor Books LLC supplies the café’s reading corner. The café’s PIN is 284617.',
  invoice: 'Invoice',
  invoiceIs: (invoice: string, state: string) => `Invoice ${invoice}: ${state}.`,
  paySupplier: 'Pay the supplier',
  pay: (amount: string) => `Pay ${amount}`,
};
