import { earlier, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Act, Moment } from './acts.ts';
import { evening, instantAt, morning, noon, type When } from './days.ts';
import {
  businesses,
  firstDay,
  type IndividualKey,
  individuals,
  openShops,
  type ShopKey,
} from './people.ts';
import { cases } from './story/cases.ts';
import { disputes } from './story/disputes.ts';
import { trades } from './story/trade.ts';
import { openDraws, openTrade } from './trade.ts';

type Entry = readonly [When, ...(readonly Act[])[]];

/** The amount that people load when they join, in cents; a person who is not listed loads the usual amount. */
const usualLoad = 400_00;
const firstLoads: Readonly<Partial<Record<IndividualKey, number>>> = {
  greta: 60_00,
  paulo: 85_40,
  edith: 32_15,
  silas: 240_00,
};

function joining(): readonly Entry[] {
  const all = { ...individuals, ...businesses };
  const keys = Object.keys(all) as (IndividualKey | ShopKey)[];
  const days = [...new Set(keys.map((who) => all[who].joins))];
  const chain = (who: IndividualKey | ShopKey): readonly Act[] => {
    const { link } = { link: undefined, ...all[who] };
    const join: Act = { do: 'join', who };
    if (link !== 'verified' || who in businesses) return [join];
    const cents = firstLoads[who as IndividualKey] ?? usualLoad;
    return [join, { do: 'load', name: `load:${who}-first`, who, cents }];
  };
  return days.map((joins) => [
    joins === 0 ? { minutesAgo: 48 } : { daysAgo: joins, at: '09:15' },
    ...keys.filter((who) => all[who].joins === joins).map(chain),
  ]);
}

const counters = (): Entry => [
  { daysAgo: firstDay, at: '09:40' },
  ...openShops.map((shop): Act[] => [{ do: 'request', name: `request:${shop}`, shop }]),
];

/** Days of ordinary trade, with how many visits: some each week, then a whole week. */
const quietDays = [47, 40, 33, 26, 19, 12];
const quietVisits = 6;
const busyDays = [7, 6, 5, 4, 3, 2, 1];
const busyVisits = { fewest: 5, spread: 4 };
const lastHours = [150, 70, 4];

/** The people who join in the week: each comes to the shops from the next day on. */
const newcomers = (daysAgo: number): readonly IndividualKey[] =>
  (['hazel', 'kofi', 'nikolai', 'sabine'] as const).filter(
    (who) => individuals[who].joins > daysAgo,
  );

function trading(seed: number): readonly Entry[] {
  const draws = openDraws(seed);
  const trade = openTrade(draws);
  const busy = () => busyVisits.fewest + draws.draw(busyVisits.spread);
  return [
    ...quietDays.map((daysAgo): Entry => [{ daysAgo, at: noon }, ...trade.day(quietVisits)]),
    ...busyDays.flatMap((daysAgo): Entry[] =>
      [morning, evening].map((at) => [{ daysAgo, at }, ...trade.day(busy(), newcomers(daysAgo))]),
    ),
    ...lastHours.map((minutesAgo): Entry => [{ minutesAgo }, ...trade.day(4, newcomers(0))]),
  ];
}

/** Everything that happens until `end`, in order; the same for a seed, but for the calendar. */
export function planWeek(end: Instant, seed = 7): readonly Moment[] {
  const told = [...disputes, ...cases, ...trades].map(([when, ...acts]): Entry => [when, acts]);
  const moments = new Map<Instant, (readonly Act[])[]>();
  for (const [when, ...chains] of [...joining(), counters(), ...trading(seed), ...told]) {
    const at = earlier(instantAt(when, end), end);
    moments.set(at, [...(moments.get(at) ?? []), ...chains]);
  }
  return [...moments]
    .map(([at, chains]): Moment => ({ at, chains }))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
}
