import { useQuery } from '@tanstack/react-query';
import { maximumFaces } from '@tenant-payments/contract/core/faces.ts';
import { call, type ReplyOf } from './call.ts';
import { useTenant } from './queries.ts';

/** A record as a person recognises it. */
export type Face = ReplyOf<'GET /portal/api/faces'>['data'][number];

interface Waiting {
  readonly id: string;
  readonly resolve: (face: Face | null) => void;
  readonly reject: (error: unknown) => void;
}

async function answer(tenantId: string | null, asked: readonly Waiting[]): Promise<void> {
  try {
    const ids = asked.map(({ id }) => id).join(',');
    const { data } = await call('GET /portal/api/faces', { ids }, { tenantId });
    const found = new Map(data.map((face) => [face.id, face]));
    for (const { id, resolve } of asked) resolve(found.get(id) ?? null);
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}

/** The faces that the page waits for, by Tenant: those of one moment are asked for together. */
const waitingOf = new Map<string | null, Waiting[]>();

function send(tenantId: string | null): void {
  const waiting = waitingOf.get(tenantId) ?? [];
  waitingOf.delete(tenantId);
  for (let at = 0; at < waiting.length; at += maximumFaces)
    void answer(tenantId, waiting.slice(at, at + maximumFaces));
}

const together = (tenantId: string | null, id: string): Promise<Face | null> =>
  new Promise((resolve, reject) => {
    const waiting = waitingOf.get(tenantId) ?? [];
    if (waiting.length === 0) {
      waitingOf.set(tenantId, waiting);
      setTimeout(send, 0, tenantId);
    }
    waiting.push({ id, resolve, reject });
  });

/** The face of a record; null while it is read, and of what has none. */
export function useFace(id: string | null): Face | null {
  const tenantId = useTenant();
  const { data } = useQuery({
    // As the keys of other reads are, so that a record that has changed is asked for anew with its face.
    queryKey: ['face', { id }, tenantId],
    queryFn: () => (id === null ? null : together(tenantId, id)),
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
