import { Code, Group, Stack, Text } from '@mantine/core';
import type { ReplyOf } from '../../../staff/api/call.ts';
import { Facts } from '../../../staff/parts/facts.tsx';
import { Fold } from '../../../staff/parts/fold.tsx';
import { JsonView } from '../../../staff/parts/json_view.tsx';
import { Mark } from '../../../staff/parts/state_badge.tsx';
import { When } from '../../../staff/parts/when.tsx';
import { attemptCurlOf } from '../code/curl.ts';
import { CodeBlock } from './code_block.tsx';
import { HttpStatus } from './request_detail.tsx';
import { Signature } from './signature.tsx';

export type Attempt = ReplyOf<'GET /portal/api/events/:id/attempts'>['data'][number];

const signatureName = 'service-signature';

/** The answer to an attempt, in one mark. */
export const Outcome = ({ attempt }: { readonly attempt: Attempt }) =>
  attempt.response_status === null ? (
    <Mark tone="bad" text={(attempt.error ?? 'no answer').replaceAll('_', ' ')} />
  ) : (
    <HttpStatus status={attempt.response_status} />
  );

const headerText = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

const Headers = ({ title, headers }: { title: string; headers: Record<string, string> }) => (
  <section aria-label={title}>
    <Text fw={600} size="sm" mb={4}>
      {title}
    </Text>
    <Code block tabIndex={0} className="code-block">
      {headerText(headers)}
    </Code>
  </section>
);

/** One attempt in full: what was sent, what came back, and how it is verified. */
export function AttemptView({ attempt }: { readonly attempt: Attempt }) {
  const { at, url, duration_ms, request_headers, response_headers, response_body } = attempt;
  const signature = request_headers[signatureName];
  return (
    <Stack gap="sm">
      <Facts
        rows={[
          ['Answer', <Outcome key="answer" attempt={attempt} />],
          ['At', <When key="at" at={at} isExact />],
          ['Took', `${duration_ms} ms`],
          ['Address', url],
        ]}
      />
      <Headers title="Request headers" headers={request_headers} />
      {response_headers && <Headers title="Response headers" headers={response_headers} />}
      {response_body && <JsonView title="Response body" value={response_body} />}
      {signature && <Signature header={signature} body={attempt.request_body} />}
      <CodeBlock title="As curl" copy="Copy the attempt as curl" text={attemptCurlOf(attempt)} />
    </Stack>
  );
}

/** An attempt in one line, which opens. */
export const AttemptRow = ({ attempt }: { readonly attempt: Attempt }) => (
  <Fold
    summary={
      <Group component="span" gap="xs" display="inline-flex">
        <Text component="span" size="sm" fw={600}>
          Attempt {attempt.number}
        </Text>
        <Outcome attempt={attempt} />
        <Text component="span" size="sm" c="dimmed">
          <When at={attempt.at} isExact />
        </Text>
      </Group>
    }
  >
    <AttemptView attempt={attempt} />
  </Fold>
);
