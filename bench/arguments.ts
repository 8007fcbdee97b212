import { parseArgs } from 'node:util';
import { chosenKeys, type KeyName } from './keys.ts';
import type { RunName } from './measure/runs.ts';

/** The loads that can be profiled; the first one is the default. */
const profiledLoads = [
  'payments_c128',
  'create_and_complete_c128',
  'payments_c8',
] as const satisfies RunName[];

/** The load that is profiled, and the file for the service's CPU profile. */
export interface ProfileOrder {
  readonly load: (typeof profiledLoads)[number];
  readonly file: string;
}

/** The arguments of `npm run bench`. */
export interface BenchArguments {
  readonly chosen: ReadonlySet<KeyName>;
  /** The file for the JSON; null: none is written. */
  readonly jsonFile: string | null;
  readonly rounds: number;
  /** How long the longest load lasts, in seconds. */
  readonly longSeconds: number;
  /** Whether the service is built first. */
  readonly builds: boolean;
  /** Null: no profile. */
  readonly profile: ProfileOrder | null;
}

const defaultRounds = 5;
const defaultLongSeconds = 600;
/** Three windows of ten seconds. */
const shortestLongSeconds = 30;

function wholeNumber(name: string, text: string, least: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least)
    throw new Error(`${name} takes a whole number of at least ${least}`);
  return number;
}

/** @throws one line for a wrong argument */
export function parseArguments(argv: readonly string[]): BenchArguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string' },
      json: { type: 'string' },
      rounds: { type: 'string', default: String(defaultRounds) },
      'long-seconds': { type: 'string', default: String(defaultLongSeconds) },
      built: { type: 'boolean', default: false },
      profile: { type: 'string' },
      'profile-load': { type: 'string', default: profiledLoads[0] },
    },
  });
  const rounds = wholeNumber('--rounds', values.rounds, 1);
  const longSeconds = wholeNumber('--long-seconds', values['long-seconds'], shortestLongSeconds);
  const load = profiledLoads.find((name) => name === values['profile-load']);
  if (load === undefined) throw new Error(`--profile-load takes ${profiledLoads.join(' or ')}`);
  return {
    chosen: chosenKeys(values.only),
    jsonFile: values.json ?? null,
    rounds,
    longSeconds,
    builds: !values.built,
    profile: values.profile === undefined ? null : { load, file: values.profile },
  };
}
