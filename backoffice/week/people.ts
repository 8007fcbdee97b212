/** The people and shops of the sample week; all are invented (rules/sandbox#43). */

/** How far somebody's application has come. */
export type Stage = 'created' | 'pending' | 'in_review' | 'rejected' | 'approved';

export interface WeekOwner {
  readonly name: string;
  readonly role: 'owner' | 'control_person' | 'owner_and_control_person';
  readonly ownershipPercent: number | null;
  /** Absent: approved with the business. */
  readonly stage?: 'pending' | 'in_review' | 'rejected';
}

interface Joining {
  /** Days before the end of the week on which the application begins. */
  readonly joins: number;
  readonly stage: Stage;
  /** A bank of the sandbox and where its checks end; absent: none is linked. */
  readonly bank?: string;
  readonly link?: 'verified' | 'held_for_review' | 'failed' | 'pending';
}

export interface Individual extends Joining {
  readonly first_name: string;
  readonly last_name: string;
}

export interface Business extends Joining {
  readonly legal_name: string;
  readonly trading_name: string;
  readonly industry: string;
  readonly owners: readonly WeekOwner[];
}

/** When the Tenant began: long enough for the deadlines of accounts that are not new. */
export const firstDay = 54;

const sole = (name: string): WeekOwner => ({
  name,
  role: 'owner_and_control_person',
  ownershipPercent: 100,
});
const person = (first_name: string, last_name: string, rest: Joining): Individual => ({
  first_name,
  last_name,
  ...rest,
});
const since = (joins: number, bank = 'standard'): Joining => ({
  joins,
  stage: 'approved',
  bank,
  link: 'verified',
});
const stopped = (joins: number, stage: Stage): Joining => ({ joins, stage });

/** 30 people, by the names that the plan uses. */
export const individuals = {
  rosa: person('Rosa', 'Quillfeather', since(firstDay)),
  otto: person('Otto', 'Brandywine', since(firstDay, 'savings')),
  pippa: person('Pippa', 'Larkspur', since(firstDay)),
  desmond: person('Desmond', 'Okafor-Lane', since(firstDay)),
  ingrid: person('Ingrid', 'Halvorsen', since(firstDay, 'savings')),
  tomas: person('Tomás', 'Birchwood', since(firstDay)),
  leila: person('Leila', 'Farrow', since(firstDay)),
  gus: person('Gus', 'Merriweather', since(firstDay)),
  silas: person('Silas', 'Crane', since(firstDay)),
  edith: person('Edith', 'Marlowe', since(firstDay)),
  paulo: person('Paulo', 'Hartigan', since(firstDay)),
  greta: person('Greta', 'Vance', since(firstDay)),
  finn: person('Finn', 'Gallowglass', since(27)),
  hugo: person('Hugo', 'Bellweather', since(26)),
  yusuf: person('Yusuf', 'Calloway', since(20)),
  hazel: person('Hazel', 'Winterbourne', since(6)),
  kofi: person('Kofi', 'Ashgrove', since(5)),
  maeve: person('Maeve', 'Tolliver', since(4, 'savings')),
  nikolai: person('Nikolai', 'Reedmore', since(3)),
  sabine: person('Sabine', 'Odell', since(2)),
  orla: person('Orla', 'Prentice', { ...since(4, 'owner_mismatch'), link: 'failed' }),
  mina: person('Mina', 'Rosedale', { ...since(1, 'review'), link: 'held_for_review' }),
  lars: person('Lars', 'Fenwick', { ...since(3, 'review'), link: 'held_for_review' }),
  dale: person('Dale', 'Corrigan', stopped(5, 'rejected')),
  vera: person('Vera', 'Stavely', stopped(2, 'rejected')),
  bram: person('Bram', 'Whitlock', stopped(3, 'in_review')),
  calla: person('Calla', 'Montrose', stopped(1, 'in_review')),
  freya: person('Freya', 'Lindqvist', stopped(1, 'pending')),
  ezra: person('Ezra', 'Thistlewood', stopped(0, 'pending')),
  wren: person('Wren', 'Abernathy', stopped(2, 'created')),
} as const satisfies Readonly<Record<string, Individual>>;

const food = 'accommodation_food_services';
const retail = 'retail_trade';

/** Ten businesses; the first six are open for trade all along. */
export const businesses = {
  juniper: {
    legal_name: 'Juniper Street Bakery LLC',
    trading_name: 'Juniper Street Bakery',
    industry: food,
    owners: [sole('Adaline Pryce')],
    ...since(firstDay),
  },
  tinbox: {
    legal_name: 'Tinbox Toys LLC',
    trading_name: 'Tinbox Toys',
    industry: retail,
    owners: [sole('Barnaby Holt')],
    ...since(firstDay, 'savings'),
  },
  oldmill: {
    legal_name: 'Old Mill Produce LLC',
    trading_name: 'Old Mill Produce',
    industry: retail,
    owners: [
      { name: 'Celeste Amari', role: 'owner_and_control_person', ownershipPercent: 60 },
      { name: 'Rufus Amari', role: 'owner', ownershipPercent: 40 },
    ],
    ...since(firstDay),
  },
  bluedoor: {
    legal_name: 'Blue Door Flowers LLC',
    trading_name: 'Blue Door Flowers',
    industry: retail,
    owners: [sole('Dora Lindholm')],
    ...since(firstDay),
  },
  rivers: {
    legal_name: 'Two Rivers Cheese LLC',
    trading_name: 'Two Rivers Cheese',
    industry: food,
    owners: [sole('Emeric Stowe')],
    ...since(firstDay),
  },
  lantern: {
    legal_name: 'Lantern Tea House LLC',
    trading_name: 'Lantern Tea House',
    industry: food,
    owners: [sole('Mei-Lin Hargrove')],
    ...since(firstDay),
  },
  harvest: {
    legal_name: 'Harvest Cart LLC',
    trading_name: 'Harvest Cart',
    industry: food,
    owners: [sole('Walter Nix')],
    ...since(23),
  },
  copper: {
    legal_name: 'Copper Kettle Soups LLC',
    trading_name: 'Copper Kettle',
    industry: food,
    owners: [
      { ...sole('Ludmila Grange'), ownershipPercent: 70 },
      { name: 'Percy Dunmore', role: 'owner', ownershipPercent: 30, stage: 'in_review' },
    ],
    ...stopped(2, 'pending'),
  },
  windmill: {
    legal_name: 'Windmill Grains LLC',
    trading_name: 'Windmill Grains',
    industry: retail,
    owners: [sole('Josephine Tarrant')],
    ...stopped(4, 'in_review'),
  },
  fastlane: {
    legal_name: 'Fast Lane Vapes LLC',
    trading_name: 'Fast Lane',
    industry: retail,
    owners: [{ ...sole('Kip Sorrel'), stage: 'rejected' }],
    ...stopped(6, 'rejected'),
  },
} as const satisfies Readonly<Record<string, Business>>;

export type IndividualKey = keyof typeof individuals;
export type ShopKey = keyof typeof businesses;
export type Who = IndividualKey | ShopKey;

/** The people who pay week after week, and where. */
export const regulars = [
  'rosa',
  'otto',
  'pippa',
  'desmond',
  'ingrid',
  'tomas',
  'leila',
  'gus',
] satisfies readonly IndividualKey[];
export const openShops = [
  'juniper',
  'tinbox',
  'oldmill',
  'bluedoor',
  'rivers',
  'lantern',
] satisfies readonly ShopKey[];

/** The goods of each shop, in cents. */
export const goods: Readonly<
  Record<(typeof openShops)[number], readonly (readonly [string, number])[]>
> = {
  juniper: [
    ['Sourdough and six rolls', 14_50],
    ['Cinnamon buns', 11_75],
    ['Birthday cake', 46_00],
  ],
  tinbox: [
    ['Wooden train', 38_90],
    ['Jigsaw, 500 pieces', 21_50],
    ['Kite', 27_25],
  ],
  oldmill: [
    ['Vegetable box', 32_00],
    ['Apples and pears', 12_40],
    ['Eggs and honey', 18_60],
  ],
  bluedoor: [
    ['Spring bouquet', 44_00],
    ['Tulips', 16_50],
    ['Wreath', 58_00],
  ],
  rivers: [
    ['Cheese board', 52_30],
    ['Aged cheddar', 19_80],
    ['Goat cheese', 13_20],
  ],
  lantern: [
    ['Tea for two', 17_40],
    ['Darjeeling, 200 g', 24_90],
    ['Cups and scones', 22_60],
  ],
};
