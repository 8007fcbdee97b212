import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAttention } from '../../../staff/attention/use_attention.ts';
import { saidOf, wayOf } from '../../../staff/attention/words.ts';

/** The items that wait without being late. */
export function Waiting() {
  const { items, isConsole } = useAttention();
  const waiting = items?.filter(({ is_trouble }) => !is_trouble) ?? [];
  if (items === undefined) return null;
  if (waiting.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing else waits for you.
      </Text>
    );
  return (
    <Group gap="lg" component="ul" className="plain-list">
      {waiting.map((item) => (
        <li key={item.kind}>
          <Anchor component={Link} {...(wayOf(item, isConsole) as object)} size="sm">
            {saidOf(item)}
          </Anchor>
        </li>
      ))}
    </Group>
  );
}
