import '../../../staff/usual.ts';
import { Button, Group, Progress, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { DocumentInForce } from '@tenant-payments/contract/resources/documents_in_force.ts';
import { useState } from 'react';
import { useRead } from '../../../staff/api/queries.ts';
import { holds, useSession } from '../../../staff/api/session.tsx';
import { PlainTable } from '../../../staff/parts/plain_table.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { counted, inWords } from '../../../staff/parts/tell.ts';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { When } from '../../../staff/parts/when.tsx';
import { Publish } from './documents/publish.tsx';

const everyMs = 10_000;

/** The documents that customers accept: what is in force, who is to accept it, and a new version. */
export function TenantDocuments() {
  const { data, error, refetch } = useRead('GET /portal/api/document-versions', {}, everyMs);
  const mayPublish = holds(useSession(), ['admin']);
  const [isOpen, setIsOpen] = useState(false);
  const [done, setDone] = useState('');
  if (error && !data) return <Trouble error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} role="status" aria-label="Loading" />;
  return (
    <Stack gap={40}>
      <Section
        title="Documents"
        text="New customers accept a new version at once. Those who accepted an earlier one are told, and asked to accept it; it holds for them 21 days after the notice."
      >
        <Versions documents={data.data} />
        <Text size="sm" role="status">
          {done}
        </Text>
        {mayPublish && !isOpen && (
          <Group>
            <Button
              onClick={() => {
                setDone('');
                setIsOpen(true);
              }}
            >
              Publish a new version
            </Button>
          </Group>
        )}
      </Section>
      {isOpen && (
        <Section title="New version">
          <Publish
            documents={data.data}
            onClose={() => setIsOpen(false)}
            onDone={(text) => {
              setDone(text);
              setIsOpen(false);
            }}
          />
        </Section>
      )}
    </Stack>
  );
}

const Versions = ({ documents }: { readonly documents: readonly DocumentInForce[] }) => (
  <PlainTable label="Versions in force" columns={['Document', 'Version', 'Published', 'Accepted']}>
    {documents.map((document) => (
      <Table.Tr key={document.document_type}>
        <Table.Td>
          {document.title.en}
          <Text size="sm" c="dimmed">
            {document.document_type}
          </Text>
          <Faults document={document} />
        </Table.Td>
        <Table.Td className="case-row">{document.version}</Table.Td>
        <Table.Td className="case-row">
          <When at={document.published_at} />
          <Holds document={document} />
        </Table.Td>
        <Table.Td miw={200}>
          <Acceptance document={document} />
        </Table.Td>
      </Table.Tr>
    ))}
  </PlainTable>
);

/**
 * The day from which a document holds for those who accepted an earlier version
 * (rules/documents#32).
 */
function Holds({ document }: { readonly document: DocumentInForce }) {
  const { published_at, effective_at, security_reason } = document;
  if (security_reason !== null)
    return (
      <Text size="sm" className="breaks">
        Holds at once: {security_reason}
      </Text>
    );
  if (effective_at === published_at) return null;
  return (
    <Text size="sm" c="dimmed">
      Holds for earlier customers from <When at={effective_at} isDate /> on
    </Text>
  );
}

/** The faults for which production would refuse a text (rules/documents#25). */
function Faults({ document: { sample, lacks } }: { readonly document: DocumentInForce }) {
  if (!sample && lacks.length === 0) return null;
  return (
    <Text size="sm">
      {sample && 'A sample: production takes no customers with it. '}
      {lacks.length > 0 && `Does not say: ${lacks.map(inWords).join(', ')}.`}
    </Text>
  );
}

function Acceptance({ document }: { readonly document: DocumentInForce }) {
  const { document_type, must_accept, accepted, to_accept, not_asked } = document;
  if (must_accept === 0) return <Text size="sm">No customers yet</Text>;
  return (
    <Stack gap={4}>
      <Progress
        value={(100 * accepted) / must_accept}
        aria-label={`Accepted: ${inWords(document_type)}`}
      />
      <Text size="sm">
        {`${accepted.toLocaleString('en-US')} of ${counted(must_accept, 'customer')}`}
        {to_accept > 0 && `, ${to_accept.toLocaleString('en-US')} to accept`}
      </Text>
      {not_asked > 0 && (
        <Text size="sm" c="dimmed">
          {`${counted(not_asked, 'customer')} still to be asked`}
        </Text>
      )}
    </Stack>
  );
}
