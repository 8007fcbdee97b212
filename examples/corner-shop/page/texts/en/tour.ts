/** The tour; `steps` in its order. */
export const tour = {
  label: 'Tour',
  offerTitle: 'New here?',
  offer:
    'Buy a coffee, break the network, take the shop down, and see that the ledger still sums to zero.',
  begin: 'Take the 90-second tour',
  done: (title: string) => `${title}, done`,
  over: 'That was the tour',
  overText: 'The till, the phone and the inspector are yours. Try what worries you.',
  again: 'Start again',
  lookAround: 'Look around',
  waiting: 'Waiting for webhooks…',
  end: 'End tour',
  table: (count: number) => `The ${count} ledger entries of this tour, by account`,
  sum: 'Sum',
  steps: {
    order: {
      title: 'Order a coffee',
      text: 'The till requests $4.20 and shows the payment request as a QR code.',
      press: 'Ring up a flat white',
    },
    pay: {
      title: 'Pay',
      text: 'Ana’s phone scans the code. She confirms on a page of the service; her PIN is 284617.',
      press: 'Pay on the phone',
    },
    repeat: {
      title: 'The same event again',
      text: 'Networks repeat messages. Let the service send payment.completed once more.',
      press: 'Send it again',
    },
    chaos: {
      title: 'Chaos',
      text: 'From now on events come twice and out of order, and every fourth call gets a 503.',
      press: 'Turn chaos on',
    },
    buyAgain: {
      title: 'Buy again',
      text: 'Another flat white, with all of that. The PIN is still 284617.',
      press: 'Ring up and pay',
    },
    down: {
      title: 'The shop goes down',
      text: 'Chaos off. Now the shop’s webhook handler stops: it answers 503 to everything.',
      press: 'Stop the handler',
    },
    payDown: {
      title: 'Pay while it is down',
      text: 'The customer pays as usual. The till does not know it yet.',
      press: 'Ring up and pay',
    },
    up: {
      title: 'Back up',
      text: 'Start the handler, and move the sandbox’s clock to the next attempt.',
      press: 'Start it and move the clock',
    },
    refund: {
      title: 'Refund',
      text: 'The first coffee was cold. The café confirms with its own PIN: 284617 too.',
      press: 'Refund $4.20',
    },
    ledger: {
      title: 'Check the ledger',
      text: 'Every cent of the tour is in the ledger. Check all of it.',
      press: 'Check the ledger',
    },
  },
  results: {
    order: 'A signed code, valid for five minutes.',
    pay: 'The till does not trust the browser: a verified webhook said so.',
    repeat: 'Valid signature, known id: ignored. One coffee was handed out.',
    chaos: 'On. Nothing in the shop’s code changes.',
    buyAgain: (times: number, coffees: number) =>
      `Received ${times} times, and still one order and ${coffees} coffee.`,
    down: 'Down. Payments go on without it.',
    payDown:
      'Paid at the service, still waiting at the till. The service will send the event again.',
    up: 'The order completed by itself.',
    refund: 'Back with Ana, after the fee rules of refunds.',
    ledger: (rows: string) => `It sums to zero. ${rows} rows were checked, and every rule holds.`,
  },
};
