import { Stack, Text, Title } from '@mantine/core';
import { createContext, type ReactNode, useContext, useId } from 'react';

interface SectionProps {
  readonly title: string;
  /** A sentence or two that say what the section is for. */
  readonly text?: string;
  readonly children: ReactNode;
}

/** The level of the headings of sections: deeper inside a part of a page. */
const Level = createContext<2 | 3>(2);

/** A part of a page under a heading of its own. */
export function Section({ title, text, children }: SectionProps) {
  const id = useId();
  const level = useContext(Level);
  return (
    <Stack gap="sm" component="section" aria-labelledby={id}>
      <div>
        <Title order={level} size={level === 2 ? 'h4' : 'h5'} id={id}>
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

/** A large part of a page: its sections have their headings below its own. */
export const Part = ({ title, children }: Pick<SectionProps, 'title' | 'children'>) => (
  <Section title={title}>
    <Level.Provider value={3}>
      <Stack gap="lg">{children}</Stack>
    </Level.Provider>
  </Section>
);
