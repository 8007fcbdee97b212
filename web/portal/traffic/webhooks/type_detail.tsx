import { List } from '@mantine/core';
import { isSandbox } from '../../../staff/api/environment.ts';
import { useRead } from '../../../staff/api/queries.ts';
import { JsonView } from '../../../staff/parts/json_view.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { CodeBlock } from '../detail/code_block.tsx';
import { Section } from '../detail/section.tsx';
import { SampleSender } from './sample_sender.tsx';
import { sentencesOf } from './when_sent.ts';

/** One type of event: when it is sent, what it holds, and a sample of it. */
export function TypeDetail({ type }: { readonly type: string }) {
  const { data, error, refetch } = useRead('GET /portal/api/event-types/:type', { type });
  if (error) return <Trouble error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const { example, schema, typescript } = data;
  return (
    <>
      <Section title="When it is sent">
        <List size="sm">
          {sentencesOf(data).map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
      </Section>
      {isSandbox && <SampleSender type={data} />}
      <CodeBlock title="TypeScript" copy="Copy the type" text={typescript} />
      <JsonView title="Example" value={example} />
      <JsonView title="JSON Schema" value={schema} />
    </>
  );
}
