import { parseArgs } from 'node:util';
import { chosenKeys, type KeyName } from './keys.ts';
import type { RunName } from './runs.ts';

/** The loads that can be profiled, by their runs; the first one where none is named. */
const profiledLoads = ['payments_c128', 'create_and_complete_c128'] as const satisfies RunName[];

/** Which load is profiled, and where the service's CPU profile goes. */
export interface ProfileOrder {
  readonly load: (typeof profiledLoads)[number];
  readonly file: string;
}

/** What `npm run bench -- …` was asked for. */
export interface BenchArguments {
  readonly chosen: ReadonlySet<KeyName>;
  /** Where the JSON of surfaces.md goes; null: nowhere. */
  readonly jsonFile: string | null;
  readonly rounds: number;
  /** Null: nothing is profiled. */
  readonly profile: ProfileOrder | null;
}

const defaultRounds = 5;

/** @throws one line for a wrong argument */
export function parseArguments(argv: readonly string[]): BenchArguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string' },
      json: { type: 'string' },
      rounds: { type: 'string', default: String(defaultRounds) },
      profile: { type: 'string' },
      'profile-load': { type: 'string', default: profiledLoads[0] },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error('--rounds takes a whole number of at least 1');
  const load = profiledLoads.find((name) => name === values['profile-load']);
  if (load === undefined) throw new Error(`--profile-load takes ${profiledLoads.join(' or ')}`);
  return {
    chosen: chosenKeys(values.only),
    jsonFile: values.json ?? null,
    rounds,
    profile: values.profile === undefined ? null : { load, file: values.profile },
  };
}
