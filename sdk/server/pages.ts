import type { List } from './generated/records.ts';
import type { Reply } from './reply.ts';

/** The result of a method: await it for the record, or `withResponse()` for the facts of the reply too. */
export interface Call<T> extends Promise<T> {
  /** The record as `data`, and as `response` its request id, replay, rate limit and attempts. */
  withResponse(): Promise<Reply<T>>;
}

/**
 * The result of a method that lists: await it for one page, or read all pages with `for await (const item of
 * client.….list(…))`; each page is fetched when it is needed.
 */
export interface ListCall<T> extends Call<List<T>>, AsyncIterable<T> {
  /** The items of as many pages as it takes to have `limit` of them. */
  toArray(options: { readonly limit: number }): Promise<T[]>;
}

class PendingCall<T> extends Promise<T> implements Call<T> {
  readonly #reply: Promise<Reply<T>>;

  constructor(reply: Promise<Reply<T>>) {
    // Only `reply` may reject, so that a caller handles one failure once.
    super((resolve) => resolve(undefined as T));
    this.#reply = reply;
  }

  /** The promise that follows a call is a plain one. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  withResponse(): Promise<Reply<T>> {
    return this.#reply;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#reply.then(({ data }) => data).then(onFulfilled, onRejected);
  }
}

class PendingList<T> extends PendingCall<List<T>> implements ListCall<T> {
  readonly #next: (cursor: string) => Promise<Reply<List<T>>>;

  constructor(first: Promise<Reply<List<T>>>, next: (cursor: string) => Promise<Reply<List<T>>>) {
    super(first);
    this.#next = next;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (let page: List<T> = await this; ; ) {
      yield* page.data;
      const cursor = page.next_cursor ?? null;
      if (cursor === null) return;
      page = (await this.#next(cursor)).data;
    }
  }

  async toArray({ limit }: { readonly limit: number }): Promise<T[]> {
    const items: T[] = [];
    if (limit < 1) return items;
    for await (const item of this) if (items.push(item) >= limit) break;
    return items;
  }
}

export const callOf = <T>(reply: Promise<Reply<T>>): Call<T> => new PendingCall(reply);

/** @param next fetches the page of a cursor */
export const listCallOf = <T>(
  first: Promise<Reply<List<T>>>,
  next: (cursor: string) => Promise<Reply<List<T>>>,
): ListCall<T> => new PendingList(first, next);
