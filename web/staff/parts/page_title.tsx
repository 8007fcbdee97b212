import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { usePlace } from '../api/session.tsx';

interface PageTitleProps {
  readonly title: string;
  /** One sentence that says what the page is for. */
  readonly text?: ReactNode;
  /** Buttons of the page. */
  readonly children?: ReactNode;
}

/** The heading of a page, and the title of the browser's tab. */
export function PageTitle({ title, text, children }: PageTitleProps) {
  const place = usePlace();
  useEffect(() => {
    document.title = `${title} · ${place}`;
  }, [title, place]);
  return (
    <Group justify="space-between" align="flex-start" mb="md">
      <Stack gap={2} className="shrinks">
        <Title order={1} size="h2" className="breaks">
          {title}
        </Title>
        {text && (
          <Text c="dimmed" size="sm" component="div">
            {text}
          </Text>
        )}
      </Stack>
      {children && <Group gap="xs">{children}</Group>}
    </Group>
  );
}
