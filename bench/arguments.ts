import { parseArgs } from 'node:util';
import { chosenKeys, type KeyName } from './keys.ts';

/** What `npm run bench -- …` was asked for. */
export interface BenchArguments {
  readonly chosen: ReadonlySet<KeyName>;
  /** Where the JSON of surfaces.md goes; null: nowhere. */
  readonly jsonFile: string | null;
  readonly rounds: number;
  /** Where a CPU profile of the service under the load of 128 clients goes; null: none is taken. */
  readonly profileFile: string | null;
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
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error('--rounds takes a whole number of at least 1');
  return {
    chosen: chosenKeys(values.only),
    jsonFile: values.json ?? null,
    rounds,
    profileFile: values.profile ?? null,
  };
}
