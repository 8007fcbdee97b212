import { type StoredText, unpackEvent } from '../../engine/packed_text/event_text.ts';
import type { ReplyBody } from './http/http.ts';

/** Whatever asks the database. */
interface Asks {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** The events of a record as they are sent, oldest first. @param id its uuid */
export async function sentEvents(pool: Asks, id: string): Promise<ReplyBody[]> {
  const { rows } = await pool.query(
    `select id, created_at, object_id, body from events
     where object_id = $1 and not sample order by version`,
    [id],
  );
  return (rows as StoredText[]).map((row) => JSON.parse(unpackEvent(row)));
}
