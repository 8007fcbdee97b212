import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CopyText } from '../../../staff/parts/json_view.tsx';

interface CodeBlockProps {
  /** The name of the program or command, also for a screen reader. */
  readonly title: string;
  /** The label of the copy button: `Copy as curl`. */
  readonly copy: string;
  readonly text: string;
}

/** A program or command, which can be copied. */
export const CodeBlock = ({ title, copy, text }: CodeBlockProps) => (
  <section aria-label={title}>
    <Group justify="space-between" mb={4}>
      <Text fw={600} size="sm">
        {title}
      </Text>
      <CopyText label={copy} text={text} />
    </Group>
    <Code block tabIndex={0} className="code-block">
      {text}
    </Code>
  </section>
);

interface CodeTabsProps {
  readonly label: string;
  readonly blocks: readonly (CodeBlockProps & { readonly note?: string })[];
}

/** The same in several languages, one of which is seen. */
export function CodeTabs({ label, blocks }: CodeTabsProps) {
  const [chosen, setChosen] = useState(0);
  const { note, ...block } = blocks[chosen] ?? { title: '', copy: '', text: '' };
  return (
    <Stack gap="xs">
      <Group gap="xs" role="group" aria-label={label}>
        {blocks.map(({ title }, at) => (
          <Button
            key={title}
            size="compact-sm"
            variant={at === chosen ? 'light' : 'default'}
            aria-pressed={at === chosen}
            onClick={() => setChosen(at)}
          >
            {title}
          </Button>
        ))}
      </Group>
      <CodeBlock {...block} />
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Stack>
  );
}
