import { type CsvColumn, dollars, inWords } from '../../files/list_file.ts';
import type { entryView } from './ledger.ts';

type Entry = ReturnType<typeof entryView>;

/** The entries as a file. */
export const entryFile = {
  name: 'ledger',
  columns: [
    { name: 'Posted', cell: ({ created_at }) => created_at },
    { name: 'Recipe', cell: ({ step }) => inWords(step) },
    { name: 'Account', cell: ({ account_id }) => account_id },
    { name: 'Pocket', cell: ({ pocket }) => inWords(pocket) },
    { name: 'Change', cell: ({ delta }) => dollars(delta) },
    { name: 'Pocket after', cell: ({ balance_after }) => dollars(balance_after) },
    { name: 'Balance after', cell: ({ ledger_after }) => dollars(ledger_after) },
    { name: 'For', cell: ({ source_id }) => source_id },
    { name: 'Id', cell: ({ id }) => id },
  ] satisfies CsvColumn<Entry>[],
  rowsOf: async (_: unknown, entries: Entry[]) => entries,
};
