import { shortened } from '@tenant-payments/contract/core/fields/field.ts';
import { labelOf, partiesOf, useFace } from '../api/faces.ts';
import { Cents } from './cents.tsx';

interface FaceProps {
  readonly id: string;
}

/** A record by the names of its parties, or else by what is known of it. */
export function Name({ id }: FaceProps) {
  const face = useFace(id);
  return partiesOf(face) ?? labelOf(face) ?? shortened(id);
}

/** The part that tells a record from its like: its bank, flow, period or reference. */
export const Label = ({ id }: FaceProps) => labelOf(useFace(id)) ?? '';

/** The amount of a record that does not show it itself: an account's balance. */
export function Balance({ id }: FaceProps) {
  const amount = useFace(id)?.amount ?? null;
  return amount === null ? '' : <Cents value={amount} />;
}
