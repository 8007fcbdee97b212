import { createHash } from 'node:crypto';
import type { Act } from './acts.ts';
import { goods, openShops, regulars, type Who } from './people.ts';

/** Draws numbers that depend on the seed alone. */
export function openDraws(seed: number) {
  let count = 0;
  /** A whole number from 0 to below `below`. */
  const draw = (below: number): number => {
    count += 1;
    const digest = createHash('sha256').update(`${seed} ${count}`).digest();
    return digest.readUIntBE(0, 6) % below;
  };
  return {
    draw,
    pick<T>(from: readonly T[]): T {
      const found = from[draw(from.length)];
      if (found === undefined) throw new Error('nothing can be drawn from an empty list');
      return found;
    },
  };
}
type Draws = ReturnType<typeof openDraws>;

/** Beneath so many cents a regular loads again, at most twice as much on top. */
const loadsBelow = 70_00;
const loadSteps = 5;
const loadStep = 50_00;

/**
 * The ordinary trade of the regulars: each pays out of what was loaded before, so that nothing is
 * refused.
 */
export function openTrade({ draw, pick }: Draws) {
  const balances = new Map<Who, number>();
  const counts = new Map<string, number>();
  const named = (kind: string, who: Who) => {
    const count = (counts.get(`${kind} ${who}`) ?? 0) + 1;
    counts.set(`${kind} ${who}`, count);
    return `${kind}:${who}-${count}`;
  };
  const add = (who: Who, cents: number) => balances.set(who, (balances.get(who) ?? 0) + cents);

  /** One payer's visit to a shop. */
  function visit(who: Who): Act[] {
    const shop = pick(openShops);
    const [what, cents] = pick(goods[shop]);
    const acts: Act[] = [];
    if ((balances.get(who) ?? 0) < loadsBelow) {
      const loaded = loadStep * (2 + draw(loadSteps));
      acts.push({ do: 'load', name: named('load', who), who, cents: loaded });
      add(who, loaded);
    }
    acts.push({ do: 'pay', name: named('pay', who), who, to: shop, cents, what });
    add(who, -cents);
    return acts;
  }

  return {
    /** A chain of acts for each payer who comes; who joined lately may come too. */
    day(visits: number, also: readonly Who[] = []): Act[][] {
      const chains = new Map<Who, Act[]>();
      for (let left = visits; left > 0; left -= 1) {
        const who = pick([...regulars, ...also]);
        chains.set(who, [...(chains.get(who) ?? []), ...visit(who)]);
      }
      return [...chains.values()];
    },
  };
}
