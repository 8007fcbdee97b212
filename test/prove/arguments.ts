import { parseArgs } from 'node:util';
import { seedOf } from '../kit/seed.ts';
import type { Proof } from './proofs.ts';

/** What `npm run prove -- …` was asked for. */
export interface ProveArguments {
  readonly chosen: readonly Proof[];
  readonly seed: number;
  /** Multiplies the rounds of each proof. */
  readonly scale: number;
  /** Only tell which proofs there are. */
  readonly isList: boolean;
}

/** The proofs of `--only a,b`, in their own order. @throws one line for a key that none has */
function chosenOf(only: string | undefined, proofs: readonly Proof[]): readonly Proof[] {
  if (only === undefined) return proofs;
  const keys = only.split(',');
  const known = proofs.map(({ key }) => key);
  for (const key of keys)
    if (!known.includes(key)) throw new Error(`there is no proof ${key}; --only takes ${known}`);
  return proofs.filter(({ key }) => keys.includes(key));
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
    },
  });
  const scale = Number(values.scale);
  if (!(scale > 0 && Number.isFinite(scale))) throw new Error('--scale takes a number above 0');
  const seed = values.seed === undefined ? seedOf(process.env) : Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error('--seed takes a whole number');
  return { chosen: chosenOf(values.only, proofs), seed, scale, isList: values.list };
}

/** So many rounds of a proof, at least one. */
export const roundsOf = ({ rounds }: Proof, scale: number): number =>
  Math.max(1, Math.round(rounds * scale));
