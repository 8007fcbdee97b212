import { type Answer, openConnection } from './connection.ts';
import { deferred } from './deferred.ts';
import { type ApiRequest, requestText } from './requests.ts';

/** Sends one request and waits for its reply. @throws when the status is not the wanted one */
export type Call = (request: ApiRequest, wantedStatus: number) => Promise<unknown>;

export interface Caller {
  readonly call: Call;
  readonly close: () => void;
}

/** A connection that sends one request after another and returns the JSON of each reply. */
export async function openCaller(port: number): Promise<Caller> {
  let waiting = deferred<Answer>();
  const connection = await openConnection(port, {
    wantsBodies: true,
    onAnswer: (answer) => waiting.resolve(answer),
    onFailure: (error) => waiting.reject(error),
  });
  return {
    async call(request, wantedStatus) {
      waiting = deferred<Answer>();
      connection.send(requestText(port, request));
      const { status, body } = await waiting.promise;
      if (status !== wantedStatus)
        throw new Error(`${request.method} ${request.path}: ${status} ${body}`);
      return JSON.parse(body);
    },
    close: connection.close,
  };
}

/**
 * Works through a list over several connections at once; each item's requests are sent in order.
 */
export async function forEachOver<Item, Result>(
  port: number,
  connections: number,
  items: readonly Item[],
  work: (call: Call, item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  async function workOff(): Promise<void> {
    const caller = await openCaller(port);
    try {
      while (next < items.length) {
        const index = next;
        next += 1;
        const item = items[index];
        if (item !== undefined) results[index] = await work(caller.call, item);
      }
    } finally {
      caller.close();
    }
  }
  await Promise.all(Array.from({ length: Math.min(connections, items.length) }, workOff));
  return results;
}
