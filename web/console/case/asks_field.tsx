import { Checkbox, Stack } from '@mantine/core';
import {
  type IdentityDocumentKind,
  identityDocumentKinds,
} from '@tenant-payments/contract/core/identity_documents.ts';
import { useRead } from '../../staff/api/queries.ts';
import { documentNames } from './identity/words.ts';
import type { Subject } from './use_move.ts';

interface AsksFieldProps {
  readonly file: Subject;
  readonly asks: readonly IdentityDocumentKind[];
  readonly onChange: (asks: IdentityDocumentKind[]) => void;
}

/** The documents that a customer is asked for; offered only where documents are kept here. */
export function AsksField({ file: { id, record }, asks, onChange }: AsksFieldProps) {
  const route = 'GET /portal/api/identity/:resource/:id';
  const { data } = useRead(route, { resource: 'customers', id });
  if (!data?.collected_at) return null;
  const isPerson = record?.object === 'customer' && record.type === 'individual';
  const offered = identityDocumentKinds.filter((kind) => !isPerson || kind !== 'business_document');
  return (
    <Checkbox.Group
      label="Documents to ask for"
      description="The customer's page names them and takes them. None: it asks for the answers again."
      value={[...asks]}
      onChange={(chosen) => onChange(chosen as IdentityDocumentKind[])}
    >
      <Stack gap="xs" mt="xs">
        {offered.map((kind) => (
          <Checkbox key={kind} value={kind} label={documentNames[kind]} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
