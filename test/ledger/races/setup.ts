import { afterAll, beforeAll } from 'vitest';
import { seedOf } from '../../kit/seed.ts';
import { openRaceHouse, type RaceHouse } from './server.ts';

/** What the races of one file have in common. */

export const seed = seedOf(process.env);
export const rounds = Number(process.env.ROUNDS ?? 1_000);
export const raceMs = 240_000;

export let house: RaceHouse;

/**
 * Opens the house of the file, without fees, so that a payment can be refunded from what it brought.
 * @param bringPeople into it, before the first race
 */
export function raceAmong(bringPeople: () => Promise<void>): void {
  beforeAll(async () => {
    house = await openRaceHouse({ fees: [] });
    await bringPeople();
  }, raceMs);
  // Ends the services and throws when any invariant of the whole book is violated.
  afterAll(() => house.stop(), raceMs);
}
