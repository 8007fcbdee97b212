type Names = Readonly<Record<string, string>>;

const names: Names = { posted: 'completed' };
const goods: Names = {};

/** Texts of the whole page. */
export const common = {
  lead: 'A till, a phone, and everything that passes between them.',
  noAnswer: 'The shop does not answer. Trying again…',
  opening: 'Opening the shop…',
  notYet: 'The shop does not answer yet.',
  phoneAlone: 'Corner Shop, the phone',
  clock: 'Sandbox time',
  minutes: (count: number) => `+${count} min`,
  hours: (count: number) => `+${count} h`,
  parts: 'Parts of the shop',
  column: { till: 'Till', phone: 'Phone', inspector: 'Inspector' },
  language: 'Language',
  loading: 'Loading…',
  back: 'Back',
  copyCode: 'Copy the code',
  copied: 'Copied',
  /** Words for states and other names, where they are not shown as they are. */
  words: names,
  /** Names of goods, by id, where the catalog has another language. */
  goods,
  amount: {
    label: 'Amount',
    malformed: 'Enter an amount in dollars, such as 25 or 1,000.50.',
    comma: 'Put a period before the cents, such as 20.50. A comma separates thousands: 1,000.',
    cents: 'Cents have two digits at most, such as 20.50.',
    zero: 'Enter more than $0.00.',
    large: (maximum: string) => `The most for one time is ${maximum}. Enter a smaller amount.`,
    above: (available: string) => `You have ${available}. Enter that or less.`,
  },
};
