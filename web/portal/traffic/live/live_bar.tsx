import { Button, Group } from '@mantine/core';
import { Mark, type Tone } from '../../../staff/parts/state_badge.tsx';
import type { FeedState } from './feed.ts';
import type { LiveList } from './use_live_list.ts';

const words: Readonly<Record<FeedState, { text: string; tone: Tone }>> = {
  live: { text: 'live', tone: 'good' },
  paused: { text: 'paused', tone: 'plain' },
  waiting: { text: 'connecting', tone: 'plain' },
  full: { text: 'not live: too many feeds are open', tone: 'warning' },
};

interface LiveBarProps {
  readonly live: LiveList;
  /** The noun of the rows that wait, as one and as many: `request`, `requests`. */
  readonly noun: readonly [string, string];
}

/** Whether the list follows, and the rows that wait above what is being read. */
export function LiveBar({ live: { state, waiting, show }, noun }: LiveBarProps) {
  const { text, tone } = words[state];
  return (
    <Group gap="xs" mb={6} mih={26} justify="space-between">
      <Mark tone={tone} text={text} />
      <div role="status">
        {waiting > 0 && (
          <Button size="compact-xs" variant="light" onClick={show}>
            {`Show ${waiting} new ${noun[waiting === 1 ? 0 : 1]}`}
          </Button>
        )}
      </div>
    </Group>
  );
}
