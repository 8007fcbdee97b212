/** An event on its way to the addresses. */
export interface Passing {
  readonly id: string;
  readonly type: string;
  readonly object_id: string | null;
  /** The body as it is sent. */
  readonly body: string;
}

/** @param body of a delivery, or of an event that shall look like one */
export function passingOf(body: string): Passing {
  const { id, type, data } = JSON.parse(body);
  const object_id = typeof data?.object?.id === 'string' ? data.object.id : null;
  return { id: String(id), type: String(type), object_id, body };
}
