import { Button, Checkbox, Group, Input, Stack, Text, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import type { ReplyOf } from '../../../staff/api/call.ts';
import { useRead } from '../../../staff/api/queries.ts';
import { holds, useSession } from '../../../staff/api/session.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { Section } from '../detail/section.tsx';
import { type TestInput, TestResult, useTestDelivery } from './test_delivery.tsx';
import { useTestEndpoint } from './test_endpoint.tsx';

type EventType = ReplyOf<'GET /portal/api/event-types/:type'>;

/** The object that was written; null: the text is none. */
function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function exampleObject({ example }: EventType): string {
  const { object } = (example as { data: { object: unknown } }).data;
  return JSON.stringify(object, null, 2);
}

interface JsonFieldProps {
  readonly text: string;
  readonly isWrong: boolean;
  readonly onChange: (text: string) => void;
}

const JsonField = ({ text, isWrong, onChange }: JsonFieldProps) => {
  const id = useId();
  return (
    <Input.Wrapper
      id={id}
      label="Record as JSON"
      description="A whole record of this kind by the schema below"
      error={isWrong ? 'This is not a JSON object.' : undefined}
    >
      <Input
        component="textarea"
        id={id}
        multiline
        rows={12}
        spellCheck={false}
        error={isWrong}
        className="json-field"
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </Input.Wrapper>
  );
};

/** A sample of this type, of a record of one's own, or as it was written here. */
export function SampleSender({ type }: { readonly type: EventType }) {
  const test = useTestDelivery();
  const { data: endpoint } = useRead('GET /portal/api/webhook-endpoint', {});
  const maySend = holds(useSession(), ['developer', 'admin']);
  const [recordId, setRecordId] = useState('');
  const [isEdited, setEdited] = useState(false);
  const [text, setText] = useState(() => exampleObject(type));
  const object = isEdited ? objectIn(text) : null;
  const isWrong = isEdited && object === null;
  const to = useTestEndpoint(endpoint?.url != null && endpoint.enabled);
  const isReady = maySend && to.isReady;
  const input = {
    ...to.input,
    type: type.type,
    ...(recordId.trim() === '' ? {} : { object_id: recordId.trim() }),
    ...(object === null ? {} : { object }),
  } as TestInput;
  return (
    <Section title="Send a sample">
      <TextInput
        label="Record id"
        description={`A ${type.resource.replaceAll('_', ' ')} of yours, as it is now. Empty: the example below`}
        value={recordId}
        onChange={({ currentTarget }) => setRecordId(currentTarget.value)}
      />
      <Checkbox
        label="Edit the record"
        checked={isEdited}
        onChange={({ currentTarget }) => setEdited(currentTarget.checked)}
      />
      {isEdited && <JsonField text={text} isWrong={isWrong} onChange={setText} />}
      {to.choice}
      <Stack gap="xs">
        <Group>
          <Button
            variant="default"
            disabled={!isReady || isWrong}
            loading={test.isPending}
            onClick={() => test.mutate(input)}
          >
            {`Send to ${to.name}`}
          </Button>
          {!isReady && (
            <Text size="sm" c="dimmed">
              Set an endpoint and switch it on first.
            </Text>
          )}
        </Group>
        {test.error && <Trouble error={test.error} />}
        {test.data && <TestResult reply={test.data} />}
      </Stack>
    </Section>
  );
}
