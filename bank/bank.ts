import { openBook } from './book/book.ts';
import { openJournal } from './book/journal.ts';
import type { Behaviour, Entry } from './book/types.ts';

/** A bank: its book, which changes by entries of the journal alone. */
export interface Bank {
  readonly book: ReturnType<typeof openBook>;
  /** Changes the book; resolves when that would survive the loss of the machine. */
  commit(entry: Entry): Promise<void>;
  /** Resolves when all of the book would. Nothing is said before that. */
  settled(): Promise<void>;
  /** Hears of entries once they are kept. */
  onKept(listener: (entry: Entry) => void): void;
  close(): Promise<void>;
}

/** Opens the bank whose journal is this file. @param onFault called when the disk refuses */
export async function openBank(
  path: string,
  behaviour: Behaviour,
  onFault: (error: unknown) => void,
): Promise<Bank> {
  const { entries, journal } = await openJournal(path, onFault);
  const book = openBook(behaviour);
  for (const entry of entries) book.apply(entry);
  const listeners: ((entry: Entry) => void)[] = [];
  return {
    book,
    async commit(entry) {
      book.apply(entry);
      await journal.append(entry);
      for (const listener of listeners) listener(entry);
    },
    settled: journal.settled,
    onKept: (listener) => void listeners.push(listener),
    close: journal.close,
  };
}
