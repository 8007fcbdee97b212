import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { shortened } from '@tenant-payments/contract/core/fields/field.ts';
import { idPrefixes } from '@tenant-payments/contract/core/ids.ts';
import { labelOf, partiesOf, useFace } from '../api/faces.ts';
import { useTenant } from '../api/queries.ts';
import { ShortId } from './short_id.tsx';

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

/** The address of a record's page: in the console, where staff look at a Tenant, with that Tenant. */
export function useRecordPage() {
  const tenantId = useTenant();
  return (id: string) =>
    tenantId === null
      ? { to: '/record/$id', params: { id } as never }
      : { to: '/record/$tenantId/$id', params: { tenantId, id } as never };
}

interface RecordLinkProps {
  readonly id: string;
  /** The link leaves the id out, since it stands elsewhere. */
  readonly isBare?: true;
}

/** A record by the names of its parties, leading to its page, with its short id; another text as it is. */
export const RecordLink = ({ id, isBare }: RecordLinkProps) =>
  isRecord(id) ? <Known id={id} isBare={isBare} /> : <ShortText text={id} />;

const ShortText = ({ text }: { readonly text: string }) =>
  text.length > 20 ? <span title={text}>{shortened(text)}</span> : text;

function Known({ id, isBare }: { readonly id: string; readonly isBare: true | undefined }) {
  const face = useFace(id);
  const name = partiesOf(face) ?? labelOf(face);
  const pageOf = useRecordPage();
  return (
    <span className="record-link">
      <Anchor
        component={Link}
        {...pageOf(id)}
        size="sm"
        title={id}
        {...(name === null ? { ff: 'monospace' } : {})}
      >
        {name ?? shortened(id)}
      </Anchor>
      {name !== null && !isBare && (
        <Text component="span" c="dimmed" size="xs">
          {' '}
          <ShortId id={id} />
        </Text>
      )}
    </span>
  );
}
