import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { idPrefixes } from '@tenant-payments/contract/core/ids.ts';

const withoutPage: readonly string[] = [
  'adjustment',
  'bank_message',
  'approval',
  'return_request',
  'notice',
];
const prefixes = new Set<string>(
  Object.entries(idPrefixes)
    .filter(([kind]) => !withoutPage.includes(kind))
    .map(([, prefix]) => prefix),
);

/** Whether it is the id of something that has a page: `pay_019c…`. */
const isRecord = (id: string): boolean =>
  /^[a-z]+_[0-9a-f]{32}$/.test(id) && prefixes.has(id.split('_', 1)[0] ?? '');

/** Long enough to tell one from another in a table; the whole stands where the pointer rests. */
const shortened = (id: string): string => `${id.slice(0, 13)}…${id.slice(-4)}`;

interface RecordLinkProps {
  readonly id: string;
  /** In a table, where the whole would hide what stands beside it. */
  readonly isShort?: true;
}

/** The id of a record, leading to its page; another text as it is. */
export const RecordLink = ({ id, isShort }: RecordLinkProps) =>
  isRecord(id) ? (
    <Anchor
      component={Link}
      to="/record/$id"
      params={{ id } as never}
      size="sm"
      ff="monospace"
      title={id}
    >
      {isShort ? shortened(id) : id}
    </Anchor>
  ) : isShort && id.length > 20 ? (
    <span title={id}>{shortened(id)}</span>
  ) : (
    id
  );
