import { Skeleton, Text } from '@mantine/core';
import type { Approval } from '@tenant-payments/backoffice/contract/operate/approvals.ts';
import { lazy, Suspense } from 'react';
import { Section } from '../../staff/parts/section.tsx';

// Markdown is read here alone, and the case comes with the first load.
const Preview = lazy(async () => ({
  default: (await import('../pages/tenant/documents/preview.tsx')).Preview,
}));

/** The texts of a document that a second person is asked to publish: nobody approves what is unseen. */
export function AskedText({ body: { title, text, security_reason } }: Pick<Approval, 'body'>) {
  if (!title || !text) return null;
  return (
    <Section title="The document">
      {security_reason && (
        <Text size="sm" className="breaks">
          It would hold at once for those who accepted an earlier version: {security_reason}
        </Text>
      )}
      <Suspense
        fallback={<Skeleton height={240} role="status" aria-label="Loading the document" />}
      >
        <Preview title={title} text={text} />
      </Suspense>
    </Section>
  );
}
