import {
  Button,
  Group,
  NativeSelect,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { isSampleText, lackingParts } from '@tenant-payments/contract/core/disclosures.ts';
import { requiredDocuments } from '@tenant-payments/contract/resources/documents.ts';
import type { DocumentInForce } from '@tenant-payments/contract/resources/documents_in_force.ts';
import { useState } from 'react';
import { useRead } from '../../../../staff/api/queries.ts';
import { counted, inWords } from '../../../../staff/parts/tell.ts';
import { Trouble } from '../../../../staff/parts/trouble.tsx';
import { When } from '../../../../staff/parts/when.tsx';
import { AskSecondPerson, wantsSecondPerson } from '../../../approvals/second_person.tsx';
import { Preview } from './preview.tsx';
import {
  type Draft,
  faultOf,
  isNotLater,
  laterThan,
  publishing,
  usePublish,
} from './use_publish.ts';

interface PublishProps {
  readonly documents: readonly DocumentInForce[];
  readonly onClose: () => void;
  readonly onDone: (text: string) => void;
}

/** A new version of a document that is chosen here; the fields begin with what is in force. */
export function Publish({ documents, onClose, onDone }: PublishProps) {
  const [type, setType] = useState(documents[0]?.document_type);
  const document = documents.find(({ document_type }) => document_type === type);
  if (!document) return null;
  return (
    <Stack maw={960} className="legal-form">
      <NativeSelect
        label="Document"
        data-autofocus
        value={document.document_type}
        data={documents.map(({ document_type: value, title }) => ({ value, label: title.en }))}
        onChange={({ currentTarget: { value } }) =>
          setType(documents.find(({ document_type }) => document_type === value)?.document_type)
        }
      />
      <Begun key={document.document_type} document={document} onClose={onClose} onDone={onDone} />
    </Stack>
  );
}

interface OneProps extends Pick<PublishProps, 'onClose' | 'onDone'> {
  readonly document: DocumentInForce;
}

function Begun({ document, ...ends }: OneProps) {
  // The form keeps the version that was in force when it opened: a later publication does not take
  // the typing away.
  const [{ document_type, version }] = useState(document);
  const { data, error, refetch } = useRead('GET /portal/api/legal-texts', {
    document_type,
    version,
  });
  const [text] = data?.data ?? [];
  if (error && !text) return <Trouble error={error} onRetry={() => void refetch()} />;
  if (!text) return <Skeleton height={320} role="status" aria-label="Loading" />;
  const { title } = text;
  return (
    <Form
      document={document}
      begun={{ version: '', title, text: text.text, reason: '' }}
      {...ends}
    />
  );
}

/** The consequence of publishing for the customers (rules/documents#8). */
const consequence = (count: number): string =>
  count === 0
    ? 'Nobody has accepted this document yet. New customers accept the new version in onboarding.'
    : `${counted(count, 'customer')} must accept it again. They can go on for 30 days from the publication. After that, the new payments, withdrawals and refund requests of those who have not accepted are refused until they do.`;

function Form({ document, begun, onClose, onDone }: OneProps & { readonly begun: Draft }) {
  const { document_type: type, must_accept, latest } = document;
  const [draft, setDraft] = useState(begun);
  const publish = usePublish(type, (version, customers) =>
    onDone(
      `Version ${version} is in force. ${counted(customers, 'customer')} must accept it again.`,
    ),
  );
  const wantsAnother = wantsSecondPerson(publish.error);
  const change = (changed: Partial<Draft>) => {
    // A second person is asked for the text that was refused, so a text typed since begins anew.
    publish.reset();
    setDraft({ ...draft, ...changed });
  };
  return (
    <Stack>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          publish.mutate(draft);
        }}
      >
        <Stack>
          <Fields document={document} draft={draft} error={publish.error} onChange={change} />
          <Preview title={draft.title} text={draft.text} />
          <Unready type={type} text={draft.text} />
          <Text size="sm" fw={600}>
            {consequence(must_accept)}
          </Text>
          {must_accept > 0 && (
            <Told type={type} reason={draft.reason} onReason={(reason) => change({ reason })} />
          )}
          {publish.error && !wantsAnother && !faultOf(publish.error) && (
            <Trouble error={publish.error} />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <Button
              type="submit"
              disabled={wantsAnother || isNotLater(draft.version, latest)}
              loading={publish.isPending}
            >
              Publish
            </Button>
          </Group>
        </Stack>
      </form>
      {wantsAnother && (
        <AskSecondPerson
          act={publishing(type, draft)}
          why="Nothing is published yet. One person does not publish a document alone."
        />
      )}
    </Stack>
  );
}

interface ToldProps {
  readonly type: DocumentInForce['document_type'];
  readonly reason: string;
  readonly onReason: (reason: string) => void;
}

const ofIndividuals: readonly string[] = requiredDocuments.individual;

/**
 * The consumers who are told by a notice, the day from which the text holds, and a reason to hold
 * at once (rules/documents#32).
 */
function Told({ type, reason, onReason }: ToldProps) {
  const { data } = useRead('GET /portal/api/consumer-terms', {});
  if (!data) return null;
  const told = ofIndividuals.includes(type) ? data.consumers : 0;
  return (
    <div role="status">
      <Text size="sm">
        {told > 0 && `${counted(told, 'consumer')} will be told by a notice. `}
        For those who accepted an earlier version it holds{' '}
        {reason.trim() === '' ? (
          <>
            from <When at={data.effective_at} isDate /> on.
          </>
        ) : (
          'at once.'
        )}
      </Text>
      <TextInput
        mt="xs"
        maw={640}
        label="Reason of security"
        description="Only where it must hold at once to keep accounts or the system secure; it is kept"
        maxLength={500}
        value={reason}
        onChange={({ currentTarget: { value } }) => onReason(value)}
      />
    </div>
  );
}

/** The faults for which production refuses to publish (rules/documents#25). */
function Unready({ type, text }: { readonly type: string; readonly text: Draft['text'] }) {
  const lacks = type === 'digital_account_terms' ? lackingParts(text) : [];
  const faults = [
    ...(isSampleText(text) ? ['The text says that it is a sample.'] : []),
    ...(lacks.length > 0
      ? [
          `12 CFR 1005.7(b) asks for what one of the texts does not say: ${lacks.map(inWords).join(', ')}.`,
        ]
      : []),
  ];
  if (faults.length === 0) return null;
  return (
    <Text size="sm" role="status">
      {faults.join(' ')} Production does not take it.
    </Text>
  );
}

interface FieldsProps {
  readonly document: DocumentInForce;
  readonly draft: Draft;
  readonly error: Error | null;
  readonly onChange: (changed: Partial<Draft>) => void;
}

const languages = [
  ['en', 'English'],
  ['es', 'Spanish'],
] as const;

function Fields({ document, draft, error, onChange }: FieldsProps) {
  const { latest } = document;
  const fault = faultOf(error);
  const wrong = (field: string) => (fault?.field === field ? fault.text : undefined);
  return (
    <>
      <TextInput
        label="Version"
        description={`A month or a day, later than ${latest}`}
        placeholder="2026-02"
        required
        maw={320}
        value={draft.version}
        error={isNotLater(draft.version, latest) ? laterThan(latest) : wrong('version')}
        onChange={({ currentTarget: { value } }) => onChange({ version: value.trim() })}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {languages.map(([key, name]) => (
          <Stack key={key}>
            <TextInput
              label={`Title in ${name}`}
              lang={key}
              required
              maxLength={200}
              value={draft.title[key]}
              error={wrong(`title.${key}`)}
              onChange={({ currentTarget: { value } }) =>
                onChange({ title: { ...draft.title, [key]: value } })
              }
            />
            <Textarea
              label={`Text in ${name}`}
              description="Markdown; HTML is shown as it is written"
              lang={key}
              required
              rows={12}
              maxLength={150_000}
              value={draft.text[key]}
              error={wrong(`text.${key}`)}
              onChange={({ currentTarget: { value } }) =>
                onChange({ text: { ...draft.text, [key]: value } })
              }
            />
          </Stack>
        ))}
      </SimpleGrid>
    </>
  );
}
