import { Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** A part of a drawer or page under a heading of its own. */
export function Section({ title, order = 3, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={order} size={order === 2 ? 'h4' : 'h5'} id={id} mb="xs">
        {title}
      </Title>
      <Stack gap="sm">{children}</Stack>
    </section>
  );
}

interface SectionProps {
  readonly title: string;
  /** 2 on a page, 3 in a drawer. */
  readonly order?: 2 | 3;
  readonly children: ReactNode;
}
