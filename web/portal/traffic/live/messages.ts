/** A message of the live feed (rules/operations#60). */
export interface Message {
  readonly id: string;
  /** Null: nothing but the id behind which a reader goes on. */
  readonly type: string | null;
  readonly row: unknown;
}

function messageOf(text: string): Message | null {
  const fields = new Map(
    text.split('\n').map((line) => {
      const [name = ''] = line.split(':', 1);
      return [name, line.slice(name.length + 1).trimStart()] as const;
    }),
  );
  const id = fields.get('id');
  const data = fields.get('data');
  if (id === undefined) return null;
  return {
    id,
    type: fields.get('event') ?? null,
    row: data === undefined ? null : JSON.parse(data),
  };
}

/** Takes the text of a feed as it comes. @returns the messages that are whole by now */
export function messageReader(): (text: string) => Message[] {
  let rest = '';
  return (text) => {
    const parts = (rest + text).split('\n\n');
    rest = parts.pop() ?? '';
    return parts.flatMap((part) => messageOf(part) ?? []);
  };
}
