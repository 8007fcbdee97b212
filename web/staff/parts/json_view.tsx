import { ActionIcon, Code, CopyButton, Group, Text } from '@mantine/core';

/** JSON with indentation; a text that is none as it is. */
function shown(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}

/** A body or record, which can be copied. */
export function JsonView({ title, value }: { readonly title: string; readonly value: unknown }) {
  const text = shown(value);
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb={4}>
        <Text fw={600} size="sm">
          {title}
        </Text>
        <CopyText label={`Copy ${title.toLowerCase()}`} text={text} />
      </Group>
      <Code block tabIndex={0}>
        {text}
      </Code>
    </section>
  );
}

/** Puts a text on the clipboard, and says so. */
export const CopyText = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <ActionIcon
        variant="subtle"
        size="sm"
        w="auto"
        px={6}
        aria-label={copied ? 'Copied' : label}
        onClick={copy}
      >
        <Text size="xs">{copied ? 'Copied' : 'Copy'}</Text>
      </ActionIcon>
    )}
  </CopyButton>
);
