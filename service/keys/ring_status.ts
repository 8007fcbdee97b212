import type { KeyCheck } from '../config/key_rings.ts';

/** How many values name each key; null: those from before keys had ids. */
export type RingCounts = ReadonlyMap<string | null, number>;

export interface RingStatus {
  readonly name: KeyCheck['name'];
  readonly keys: readonly {
    readonly id: string;
    /** Whether it seals, hashes or signs. */
    readonly first: boolean;
    readonly values: number;
    readonly may_be_dropped: boolean;
    /** Nothing that names it is taken any more. */
    readonly revoked: boolean;
  }[];
  /** Values that name no key, from before keys had ids. */
  readonly nameless: number;
  /** Keys that values name and the ring lacks. */
  readonly missing: readonly { readonly id: string; readonly values: number }[];
  /** The operator's next step, in one line. */
  readonly next: string;
}

const resealed = (values: number, { tenants_waiting }: { readonly tenants_waiting: number }) =>
  tenants_waiting > 0
    ? `${values} values are being sealed anew (tenants that wait: ${tenants_waiting}); look again`
    : `${values} values rest on older keys: npm run cli -- keys reseal`;

/** The operator's step for values that rest on a key which is not the first. */
const aboutOlder: Readonly<
  Record<
    KeyCheck['name'],
    (values: number, waiting: { readonly tenants_waiting: number }) => string
  >
> = {
  SEALING_KEY: resealed,
  IDENTITY_KEY: resealed,
  PIN_PEPPER: (values) =>
    `${values} PINs rest on older peppers; each changes when it is next entered rightly`,
  QR_SIGNING_KEY: (values) =>
    `${values} codes that can be paid are of older keys; dropping their key ends them`,
};

const aboutMissing: Readonly<Record<KeyCheck['name'], string>> = {
  SEALING_KEY: 'put it back: without it they cannot be opened',
  PIN_PEPPER: 'put it back, or let those customers reset their PIN',
  QR_SIGNING_KEY: 'such codes are refused; put it back if that is not meant',
  IDENTITY_KEY: 'put it back: without it they cannot be opened',
};

/**
 * @param ids of the ring's keys, the first one first
 * @param revoked ids of keys on which nothing rests any more, whatever names them
 */
export function statusOf(
  name: KeyCheck['name'],
  ids: readonly string[],
  counts: RingCounts,
  reseal: { readonly tenants_waiting: number },
  revoked: ReadonlySet<string> = new Set(),
): RingStatus {
  const nameless = counts.get(null) ?? 0;
  const missing = [...counts].flatMap(([id, values]) =>
    id === null || ids.includes(id) || revoked.has(id) ? [] : [{ id, values }],
  );
  const keys = ids.map((id, place) => {
    const values = counts.get(id) ?? 0;
    const first = place === 0;
    const isRevoked = revoked.has(id);
    const mayBeDropped = !first && (isRevoked || values + nameless === 0);
    return { id, first, values, may_be_dropped: mayBeDropped, revoked: isRevoked };
  });
  const older =
    nameless + keys.reduce((sum, key) => sum + (key.first || key.revoked ? 0 : key.values), 0);
  const droppable = keys.filter((key) => key.may_be_dropped).map(({ id }) => id);
  const steps = [
    ...missing.map(
      ({ id, values }) =>
        `${values} values name the key ${id}, which is not in the ring: ${aboutMissing[name]}`,
    ),
    ...(older > 0 ? [aboutOlder[name](older, reseal)] : []),
    ...(droppable.length > 0 ? [`drop ${droppable.join(', ')} and restart every process`] : []),
  ];
  return { name, keys, nameless, missing, next: steps.join('; ') || 'nothing to do' };
}
