import { Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface SectionProps {
  readonly title: string;
  /** What it is for, in a sentence or two. */
  readonly text?: string;
  readonly children: ReactNode;
}

/** A part of a page under a heading of its own. */
export function Section({ title, text, children }: SectionProps) {
  const id = useId();
  return (
    <Stack gap="sm" component="section" aria-labelledby={id}>
      <div>
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {text && (
          <Text size="sm" c="dimmed" maw={680}>
            {text}
          </Text>
        )}
      </div>
      {children}
    </Stack>
  );
}
