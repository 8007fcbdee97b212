interface Waiting<Answer> {
  readonly id: string;
  readonly resolve: (answer: Answer | null) => void;
  readonly reject: (error: unknown) => void;
}

type Ask<Answer> = (
  tenantId: string | null,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, Answer>>;

/**
 * Questions by id, of which those of one moment are asked together.
 * @param most ids that are asked for at once
 */
export function together<Answer>(most: number, ask: Ask<Answer>) {
  const waitingOf = new Map<string | null, Waiting<Answer>[]>();

  async function answer(tenantId: string | null, asked: readonly Waiting<Answer>[]): Promise<void> {
    try {
      const found = await ask(
        tenantId,
        asked.map(({ id }) => id),
      );
      for (const { id, resolve } of asked) resolve(found.get(id) ?? null);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  function send(tenantId: string | null): void {
    const waiting = waitingOf.get(tenantId) ?? [];
    waitingOf.delete(tenantId);
    for (let at = 0; at < waiting.length; at += most)
      void answer(tenantId, waiting.slice(at, at + most));
  }

  return (tenantId: string | null, id: string): Promise<Answer | null> =>
    new Promise((resolve, reject) => {
      const waiting = waitingOf.get(tenantId) ?? [];
      if (waiting.length === 0) {
        waitingOf.set(tenantId, waiting);
        setTimeout(send, 0, tenantId);
      }
      waiting.push({ id, resolve, reject });
    });
}
