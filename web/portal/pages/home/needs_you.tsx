import { Anchor, Group, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAttention } from '../../../staff/attention/use_attention.ts';
import { type AttentionItem, saidOf, wayOf } from '../../../staff/attention/words.ts';
import { RecordLink } from '../../../staff/parts/record_link.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { Mark } from '../../../staff/parts/state_badge.tsx';

/** Regulation E counts days of Eastern Time. */
const lastDay = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'America/New_York',
});
const dayOf = (at: string): string => lastDay.format(new Date(Date.parse(at) - 1));

const verbs: Readonly<Partial<Record<AttentionItem['kind'], string>>> = {
  disputes_late: 'was due',
  disputes_due: 'is due',
  keys_expiring: 'expires',
};

/**
 * The items that wait for somebody or fail, each with the way to the page where something is done
 * about it.
 */
export function NeedsYou() {
  const { items, isConsole } = useAttention();
  return (
    <Section title="What needs you">
      {items?.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing needs you now.
        </Text>
      )}
      {items && items.length > 0 && (
        <List spacing="xs" listStyleType="none" aria-label="What needs you">
          {items.map((item) => (
            <List.Item key={item.kind}>
              <Mark
                tone={item.is_trouble ? 'bad' : 'warning'}
                text={item.is_trouble ? 'trouble' : 'soon'}
              />{' '}
              <Anchor component={Link} {...(wayOf(item, isConsole) as object)} size="sm" fw={600}>
                {saidOf(item)}
              </Anchor>
              {item.first.map((one) => (
                <First key={one.id ?? one.name} one={one} verb={verbs[item.kind]} />
              ))}
            </List.Item>
          ))}
        </List>
      )}
    </Section>
  );
}

interface FirstProps {
  readonly one: AttentionItem['first'][number];
  readonly verb: string | undefined;
}

/** The first of the items, with its day. */
function First({ one: { id, name, at }, verb }: FirstProps) {
  if (id === null && name === null) return null;
  return (
    <Group gap="xs">
      <Text size="sm" component="div">
        {name ?? (id !== null && <RecordLink id={id} />)}
      </Text>
      {at !== null && verb !== undefined && <Text size="sm">{`${verb} ${dayOf(at)}`}</Text>}
    </Group>
  );
}
