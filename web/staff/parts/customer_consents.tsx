import { Skeleton, Table, Text } from '@mantine/core';
import type { ReplyOf } from '../api/call.ts';
import { useRead } from '../api/queries.ts';
import { PlainTable } from './plain_table.tsx';
import { Section } from './section.tsx';
import { ShortId } from './short_id.tsx';
import { inWords } from './tell.ts';
import { Trouble } from './trouble.tsx';
import { When } from './when.tsx';

const columns = ['Document', 'Consent', 'Evidence'];
const languages = { en: 'in English', es: 'in Spanish' } as const;

/**
 * The customer's consents: to which text, when, in which language, and the proof of it
 * (rules/documents#35).
 */
export function CustomerConsents({ id }: { readonly id: string }) {
  const route = 'GET /portal/api/customers/:id/documents';
  const { data, error, refetch } = useRead(route, { id, include: 'superseded' });
  return (
    <Section
      title="Consents"
      text="What the customer accepted, with the version that was shown. The evidence is the SHA-256 digest of title and text; a press copies it."
    >
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={80} />}
      {data?.data.length === 0 && <Text size="sm">Nothing was accepted yet.</Text>}
      {data && data.data.length > 0 && (
        <PlainTable label="Consents of the customer" columns={columns}>
          {data.data.map((document) => (
            <Table.Tr key={document.id}>
              <Table.Td>
                {document.legal_text.title.en}
                <Text size="xs" c="dimmed">
                  {`Version ${document.version}, ${inWords(document.status)}`}
                </Text>
              </Table.Td>
              <Table.Td>
                <Consent document={document} />
              </Table.Td>
              <Table.Td>
                <ShortId id={document.sha256[document.accepted_in ?? 'en']} />
              </Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      )}
    </Section>
  );
}

type Documents = ReplyOf<'GET /portal/api/customers/:id/documents'>['data'];

function Consent({ document }: { readonly document: Documents[number] }) {
  const { accepted_at, accepted_in, effective_at, sample_opened_at, paper_since } = document;
  return (
    <>
      <Text size="sm">
        {accepted_at === null ? 'Waits for the customer' : <When at={accepted_at} />}
        {accepted_in !== null && ` ${languages[accepted_in]}`}
      </Text>
      {effective_at !== null && (
        <Text size="xs" c="dimmed">
          Holds for this customer from <When at={effective_at} isDate /> on
        </Text>
      )}
      {sample_opened_at !== null && (
        <Text size="xs" c="dimmed">
          Sample statement opened <When at={sample_opened_at} />
        </Text>
      )}
      {paper_since !== null && (
        <Text size="xs">
          Withdrawn: records go out on paper since <When at={paper_since} isDate />
        </Text>
      )}
    </>
  );
}
