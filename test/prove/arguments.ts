import { parseArgs } from 'node:util';
import { newSeed } from '../kit/seed.ts';
import type { Proof } from './proofs.ts';

/** The arguments of `npm run prove -- …`. */
export interface ProveArguments {
  readonly chosen: readonly Proof[];
  readonly seed: number;
  /** Multiplies the rounds of each proof. */
  readonly scale: number;
  /** Only tell which proofs there are. */
  readonly isList: boolean;
  /** The table is printed alone, and that of docs/reliability.md stays. */
  readonly isPrinted: boolean;
  /** A coordinator's database by the owner's login, and by the service's: `OWNER_URL,SERVICE_URL`. */
  readonly citus: string | undefined;
}

/** The proofs of `--only a,b`, in their own order. @throws one line for a key that none has, or cannot run */
function chosenOf(
  only: string | undefined,
  proofs: readonly Proof[],
  hasCitus: boolean,
): readonly Proof[] {
  if (only === undefined) return proofs.filter(({ needsCitus }) => hasCitus || !needsCitus);
  const keys = only.split(',');
  const known = proofs.map(({ key }) => key);
  for (const key of keys)
    if (!known.includes(key)) throw new Error(`there is no proof ${key}; --only takes ${known}`);
  const chosen = proofs.filter(({ key }) => keys.includes(key));
  const homeless = hasCitus ? undefined : chosen.find(({ needsCitus }) => needsCitus);
  if (homeless) throw new Error(`${homeless.key} needs --citus OWNER_URL,SERVICE_URL`);
  return chosen;
}

/** @throws one line for a wrong argument */
export function parseArguments(argv: readonly string[], proofs: readonly Proof[]): ProveArguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string' },
      seed: { type: 'string' },
      scale: { type: 'string', default: '1' },
      list: { type: 'boolean', default: false },
      print: { type: 'boolean', default: false },
      citus: { type: 'string' },
    },
  });
  const scale = Number(values.scale);
  if (!(scale > 0 && Number.isFinite(scale))) throw new Error('--scale takes a number above 0');
  const seed = values.seed === undefined ? newSeed() : Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error('--seed takes a whole number');
  const { citus } = values;
  const chosen = chosenOf(values.only, proofs, citus !== undefined);
  return { chosen, seed, scale, isList: values.list, isPrinted: values.print, citus };
}

/** The number of rounds of a proof, at least one. */
export const roundsOf = ({ rounds }: Proof, scale: number): number =>
  Math.max(1, Math.round(rounds * scale));
