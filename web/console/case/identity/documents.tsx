import { Button, Group, Table, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type {
  IdentityRecord,
  OpenedIdentityDocument,
} from '@tenant-payments/backoffice/contract/operate/identity.ts';
import { useState } from 'react';
import { useCall } from '../../../staff/api/queries.ts';
import { useProven } from '../../../staff/api/step_up.tsx';
import { Dialog } from '../../../staff/parts/dialog.tsx';
import { PlainTable, RowButton } from '../../../staff/parts/plain_table.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { When } from '../../../staff/parts/when.tsx';
import { documentNames, sizeInWords, typeNames } from './words.ts';

type Document = IdentityRecord['documents'][number];

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));

/** Gives a PDF file to the browser's downloads: this page never shows one. */
function download({ kind, file, content_type }: OpenedIdentityDocument): void {
  const address = URL.createObjectURL(new Blob([bytesOf(file)], { type: content_type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${kind}.pdf`;
  link.click();
  URL.revokeObjectURL(address);
}

interface DocumentsProps {
  readonly resource: 'customers' | 'owners';
  readonly id: string;
  readonly documents: readonly Document[];
  readonly isOpen: boolean;
}

/** Documents that were given: an image is shown here, a PDF file is downloaded. */
export function Documents({ resource, id, documents, isOpen }: DocumentsProps) {
  const [shown, setShown] = useState<OpenedIdentityDocument | null>(null);
  const ask = useCall();
  const proven = useProven();
  const open = useMutation({
    mutationFn: (document_id: string) =>
      proven(() =>
        ask('POST /portal/api/identity/:resource/:id/documents/:document_id/open', {
          resource,
          id,
          document_id,
        }),
      ),
    onSuccess: (opened) =>
      opened.content_type === 'application/pdf' ? download(opened) : setShown(opened),
    gcTime: 0,
  });
  if (documents.length === 0) return <Text size="sm">No document was given.</Text>;
  return (
    <>
      {open.error && <Trouble error={open.error} />}
      <PlainTable label="Documents" columns={['Document', 'File', 'Received']} hasActions>
        {documents.map(({ id: document_id, kind, content_type, bytes, received_at }, at) => {
          const verb = content_type === 'application/pdf' ? 'Download' : 'Show';
          return (
            <Table.Tr key={document_id}>
              <Table.Td>{documentNames[kind]}</Table.Td>
              <Table.Td>{`${typeNames[content_type]}, ${sizeInWords(bytes)}`}</Table.Td>
              <Table.Td>
                <When at={received_at} />
              </Table.Td>
              <Table.Td ta="right">
                <RowButton
                  text={verb}
                  label={`${verb} ${documentNames[kind]} (${at + 1} of ${documents.length})`}
                  isOff={!isOpen}
                  isBusy={open.isPending && open.variables === document_id}
                  onClick={() => open.mutate(document_id)}
                />
              </Table.Td>
            </Table.Tr>
          );
        })}
      </PlainTable>
      <Dialog
        title={shown ? documentNames[shown.kind] : ''}
        isOpen={shown !== null}
        onClose={() => setShown(null)}
        isWide
      >
        {shown && <Picture document={shown} />}
      </Dialog>
    </>
  );
}

/** An image as it fits, or in its own size to read what is small. */
function Picture({ document: { kind, content_type, file } }: { document: OpenedIdentityDocument }) {
  const [isWhole, setWhole] = useState(true);
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <Button
          variant="default"
          size="compact-sm"
          aria-pressed={!isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          Actual size
        </Button>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what is larger than its frame */}
      <section className="document" tabIndex={0} aria-label="Document">
        <img
          className={isWhole ? 'fits' : ''}
          src={`data:${content_type};base64,${file}`}
          alt={`${documentNames[kind]}, as it was given`}
        />
      </section>
    </>
  );
}
