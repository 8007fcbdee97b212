import { useQuery } from '@tanstack/react-query';
import { maximumFaces } from '@tenant-payments/contract/core/faces.ts';
import { call, type ReplyOf } from './call.ts';
import { useTenant } from './queries.ts';
import { together } from './together.ts';

/** A record as a person recognises it. */
export type Face = ReplyOf<'GET /portal/api/faces'>['data'][number];

const faceOf = together<Face>(maximumFaces, async (tenantId, ids) => {
  const { data } = await call('GET /portal/api/faces', { ids: ids.join(',') }, { tenantId });
  return new Map(data.map((face) => [face.id, face]));
});

/** The face of a record; null while it is read, and of what has none. */
export function useFace(id: string | null): Face | null {
  const tenantId = useTenant();
  const { data } = useQuery({
    // As the keys of other reads are, so that a record that has changed is asked for anew with its face.
    queryKey: ['face', { id }, tenantId],
    queryFn: () => (id === null ? null : faceOf(tenantId, id)),
    enabled: id !== null,
  });
  return data ?? null;
}

const masked = '[redacted]';
const readable = (text: string | null | undefined): string | null =>
  text && text !== masked ? text : null;

/** The parties of a record in one line; null: none is known, or may be seen. */
export function partiesOf(face: Face | null): string | null {
  const [party, other] = [face?.party, face?.other].map((one) => readable(one?.display_name));
  if (!party || !other) return party ?? other ?? null;
  return `${party} to ${other}`;
}

/** The part that tells a record from its like: bank, flow, period or reference; null: nothing. */
export const labelOf = (face: Face | null): string | null =>
  readable(face?.institution_name) ?? face?.label ?? null;
