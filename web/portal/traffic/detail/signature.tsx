import { Code, List, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Fold } from '../../../staff/parts/fold.tsx';
import { Mark } from '../../../staff/parts/state_badge.tsx';
import { digestOf, signatureParts, signedString, verifyCodeOf } from '../code/verify_code.ts';
import { CodeBlock } from './code_block.tsx';

interface SignatureProps {
  /** `Service-Signature` as it was sent. */
  readonly header: string;
  readonly body: string;
}

/** How this attempt was signed, and how a receiver proves it. */
export function Signature({ header, body }: SignatureProps) {
  const parts = signatureParts(header);
  const signed = signedString(parts, body);
  const count = parts.digests.length;
  return (
    <Fold summary="How it is verified">
      <Stack gap="sm" mt="xs">
        <List type="ordered" size="sm" spacing={4}>
          <List.Item>
            Read the raw body as it came, before it is parsed, and the header{' '}
            <Code>Service-Signature</Code>.
          </List.Item>
          <List.Item>
            Take <Code>t={parts.seconds}</Code>, the time of the attempt. Refuse it if it is more
            than five minutes from your clock.
          </List.Item>
          <List.Item>
            The signed string is <Code>t</Code>, a full stop and the raw body.
          </List.Item>
          <List.Item>
            Compute HMAC-SHA256 of it with your secret, prefix <Code>whsec_</Code> included, as
            lower-case hex.
          </List.Item>
          <List.Item>
            {count === 1
              ? 'Compare it with v1, in constant time.'
              : `Compare it with each of the ${count} v1 items, in constant time: one must be the same.`}
          </List.Item>
        </List>
        <CodeBlock title="Signed string" copy="Copy the signed string" text={signed} />
        <CodeBlock
          title="The same with the SDK"
          copy="Copy the verification"
          text={verifyCodeOf(header, body)}
        />
        <CheckSecret signed={signed} digests={parts.digests} />
      </Stack>
    </Fold>
  );
}

/** Tells whether a secret has signed it. The secret is neither sent nor kept. */
function CheckSecret({ signed, digests }: { signed: string; digests: readonly string[] }) {
  const [secret, setSecret] = useState('');
  const [digest, setDigest] = useState<string | null>(null);
  useEffect(() => {
    let isLatest = true;
    setDigest(null);
    if (secret !== '')
      void digestOf(secret, signed).then((found) => {
        if (isLatest) setDigest(found);
      });
    return () => {
      isLatest = false;
    };
  }, [secret, signed]);
  return (
    <Stack gap={4}>
      <TextInput
        label="Check a secret"
        description="Computed on this page: the secret is not sent anywhere"
        placeholder="whsec_…"
        type="password"
        autoComplete="off"
        value={secret}
        onChange={({ currentTarget }) => setSecret(currentTarget.value.trim())}
      />
      <div role="status">
        {digest !== null && (
          <Text size="sm" className="breaks">
            {digests.includes(digest) ? (
              <Mark tone="good" text="This secret has signed it" />
            ) : (
              <Mark tone="bad" text="This secret has not signed it" />
            )}{' '}
            <Code>{digest}</Code>
          </Text>
        )}
      </div>
    </Stack>
  );
}
